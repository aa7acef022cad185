internal import Glibc

/// Colours for a terminal, and plain text for everything else.
struct Style: Sendable {
    /// Whether escape sequences are written.
    let isColoured: Bool

    /// The style of standard output: coloured on a terminal, unless `NO_COLOR` is set (no-color.org).
    static var standardOutput: Style {
        Style(
            isColoured: isatty(STDOUT_FILENO) == 1 && environment("NO_COLOR") == nil && environment("TERM") != "dumb"
        )
    }

    func bold(_ text: String) -> String { paint(text, "1") }
    func dim(_ text: String) -> String { paint(text, "2") }
    func red(_ text: String) -> String { paint(text, "31") }
    func green(_ text: String) -> String { paint(text, "32") }
    func yellow(_ text: String) -> String { paint(text, "33") }
    func cyan(_ text: String) -> String { paint(text, "36") }

    private func paint(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// An environment variable; an empty one counts as absent.
func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let text = String(cString: value)
    return text.isEmpty ? nil : text
}

/// Writes to standard output at once, whatever it is connected to.
func say(_ text: String, terminator: String = "\n") {
    write(text + terminator, to: STDOUT_FILENO)
}

/// Writes a line to standard error.
func complain(_ text: String) {
    write(text + "\n", to: STDERR_FILENO)
}

private func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
            // A reader that has gone (`weir … | head`) ends the output, not the program's work.
            guard count > 0 else { return }
            written += count
        }
    }
}

/// A stranger's text without anything that could drive the terminal.
func printable(_ text: String) -> String {
    var shown = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        let isControl = [.control, .format].contains(scalar.properties.generalCategory)
        shown.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(shown)
}
