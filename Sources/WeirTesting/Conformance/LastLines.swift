internal import WeirTime

/// The last lines of an adapter's log: what is shown beside a failure, so that the reason of its end can be read.
final class LastLines: Sendable {
    /// So many lines are kept: a traceback with what came before it.
    static let count = 20

    /// Longer lines are cut, in characters.
    static let length = 400

    private let lines = Lock<[String]>([])

    /// No lines yet.
    init() {}

    /// The last lines of a program's output.
    convenience init(of text: String) {
        self.init()
        for line in text.split(whereSeparator: \.isNewline).suffix(Self.count) { append(String(line)) }
    }

    /// The lines, the last one last.
    var all: [String] { lines.withLock { $0 } }

    /// Adds a line, whose tabs become blanks.
    func append(_ line: String) {
        let text = line.replacing("\t", with: "    ")
        let cut = text.count > Self.length ? "\(text.prefix(Self.length)) …" : text
        lines.withLock { lines in
            lines.append(cut)
            if lines.count > Self.count { lines.removeFirst() }
        }
    }
}
