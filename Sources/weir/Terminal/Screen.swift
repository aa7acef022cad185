internal import Glibc

/// What standard output is: a terminal of some size that can be drawn over, or a pipe or file that takes lines as
/// long as they are.
struct Screen: Sendable {
    /// How many characters fit into a line; `nil` when lines may be as long as they like.
    let width: Int?
    /// How many lines are seen at once; `nil` when that is not known.
    let height: Int?
    /// Whether lines that were written can be drawn over.
    let canRedraw: Bool

    /// The screen behind standard output, as it is now.
    ///
    /// `COLUMNS` from the environment wins over what the terminal says, so that piped output can be narrow, too.
    static var standardOutput: Screen {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        var size = winsize()
        let isKnown = isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        let columns = environment("COLUMNS").flatMap { Int($0) } ?? (isKnown ? Int(size.ws_col) : 0)
        return Screen(
            width: columns > 0 ? max(columns, narrowest) : nil,
            height: isKnown && size.ws_row > 0 ? Int(size.ws_row) : nil,
            canRedraw: isTerminal && environment("TERM") != "dumb"
        )
    }

    /// Narrower ones are written to as if they were so wide: fewer columns hold no table.
    private static let narrowest = 40
}

/// Draws lines over the lines that it drew before.
struct Repainter {
    private var drawn = 0

    /// Shows `lines` in place of the last ones, or below them where nothing can be drawn over.
    mutating func draw(_ lines: [String]) {
        let screen = Screen.standardOutput
        if screen.canRedraw, drawn > 0 {
            // What has scrolled away is out of reach: then the whole screen is begun anew.
            let isOut = screen.height.map { drawn >= $0 } ?? false
            say(isOut ? "\u{1B}[H\u{1B}[J" : "\u{1B}[\(drawn)A\u{1B}[J", terminator: "")
        }
        say(lines.joined(separator: "\n"))
        drawn = lines.count
    }
}
