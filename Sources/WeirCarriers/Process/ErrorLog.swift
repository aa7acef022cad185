internal import WeirTime

/// What an adapter's process says on its standard error, on its way into the log: so many lines in so long, no more.
struct ErrorLog: Sendable {
    /// Lines longer than this are cut, in bytes.
    static let lineBytes = 2048

    /// So many lines are let through in one ``window``.
    static let linesPerWindow = 100

    /// How long a window is.
    static let window: Duration = .seconds(10)

    /// So many bytes are read in a second, an adapter that writes more waits in its own write; a line costs
    /// ``bytesPerLine`` beside its own.
    static let bytesPerSecond = 4 << 20

    /// What a line costs beside its own bytes.
    static let bytesPerLine = 64

    /// The last line that says something; text is made of it when it is asked for, for a flood brings thousands.
    private var lastLine: [UInt8] = []
    private var secondEnd: ContinuousClock.Instant?
    private var readInSecond = 0
    private var windowEnd: ContinuousClock.Instant?
    private var left = 0
    private var dropped = 0

    /// The longest last words, in characters.
    static let lastWordsLength = 200

    /// The last line that says something, for the sentence about an ending; at most ``lastWordsLength`` characters.
    var lastWords: String? {
        lastLine.isEmpty ? nil : String(Self.printable(lastLine).prefix(Self.lastWordsLength))
    }

    /// Notes what was read; answers until when nothing more should be, `nil` to read on.
    mutating func pause(afterBytes count: Int, lines: Int, now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        if secondEnd.map({ now >= $0 }) ?? true {
            readInSecond = 0
            secondEnd = now.advanced(by: .seconds(1))
        }
        readInSecond += count + lines * Self.bytesPerLine
        return readInSecond >= Self.bytesPerSecond ? secondEnd : nil
    }

    /// Takes a line; answers those to be logged, in order.
    mutating func take(_ line: [UInt8], isCut: Bool, now: ContinuousClock.Instant) -> [String] {
        if line.contains(where: { $0 > UInt8(ascii: " ") && $0 != 0x7F }) { lastLine = line }
        var lines: [String] = []
        if windowEnd.map({ now >= $0 }) ?? true {
            if dropped > 0 { lines.append(Self.report(dropped)) }
            dropped = 0
            left = Self.linesPerWindow
            windowEnd = now.advanced(by: Self.window)
        }
        guard left > 0 else {
            dropped += 1
            return lines
        }
        left -= 1
        return lines + [Self.printable(line) + (isCut ? " …" : "")]
    }

    /// The report of what was dropped, when nothing more comes.
    mutating func finish() -> [String] {
        defer { dropped = 0 }
        return dropped > 0 ? [Self.report(dropped)] : []
    }

    private static func report(_ count: Int) -> String {
        "\(count) more \(count == 1 ? "line" : "lines") within \(window.components.seconds) s were dropped"
    }

    /// The line as text, a blank in the place of each control character.
    private static func printable(_ line: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for scalar in String(decoding: line, as: UTF8.self).unicodeScalars {
            text.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(text)
    }
}
