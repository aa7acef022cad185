/// So many blanks; none for a negative number.
func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

/// Breaks `text` at blanks into lines of at most `width` characters; a word longer than that is broken, too.
func wrapped(_ text: String, width: Int) -> [String] {
    let width = max(1, width)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
        var rest = word
        if !line.isEmpty, line.count + 1 + rest.count <= width {
            line += " " + rest
            continue
        }
        if !line.isEmpty { lines.append(line) }
        while rest.count > width {
            lines.append(String(rest.prefix(width)))
            rest = rest.dropFirst(width)
        }
        line = String(rest)
    }
    return line.isEmpty ? lines : lines + [line]
}

/// `text` with its control characters shown as `\u{…}`: what a network wrote must not steer the terminal.
///
/// Covers C0, DEL and C1 (ECMA-48), and the characters that turn the direction of writing (Unicode TR 9).
func printable(_ text: String, keeping kept: String = "") -> String {
    guard text.unicodeScalars.contains(where: steers) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
        if steers(scalar), !kept.unicodeScalars.contains(scalar) {
            shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        } else {
            shown.unicodeScalars.append(scalar)
        }
    }
    return shown
}

private func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
}
