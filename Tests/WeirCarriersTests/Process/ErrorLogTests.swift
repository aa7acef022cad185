import Testing

@testable import WeirCarriers

@Suite("ErrorLog")
struct ErrorLogTests {
    @Test("so many lines a window are let through, the rest is counted")
    func limit() {
        var log = ErrorLog()
        let start = ContinuousClock.now
        var lines: [String] = []
        for number in 0..<250 { lines += log.take(Array("line \(number)".utf8), isCut: false, now: start) }
        #expect(lines.count == ErrorLog.linesPerWindow)
        let next = log.take(Array("later".utf8), isCut: false, now: start.advanced(by: ErrorLog.window))
        #expect(next == ["150 more lines within 10 s were dropped", "later"])
        #expect(log.finish() == [])
    }

    @Test("control characters become blanks, bad UTF-8 is shown as such, and cuts are marked")
    func text() {
        var log = ErrorLog()
        let now = ContinuousClock.now
        #expect(log.take([0x1B, 0x41, 0xFF], isCut: true, now: now) == [" A\u{FFFD} …"])
    }

    @Test("the last words are the last line that says something, and short")
    func lastWords() {
        var log = ErrorLog()
        let now = ContinuousClock.now
        _ = log.take(Array(String(repeating: "x", count: 1000).utf8), isCut: false, now: now)
        _ = log.take(Array("  ".utf8), isCut: false, now: now)
        _ = log.take([0x1B, 0x7F], isCut: false, now: now)
        #expect(log.lastWords == String(repeating: "x", count: ErrorLog.lastWordsLength))
    }

    @Test("a flood is read so fast and no faster; lines cost something, too")
    func pace() {
        var log = ErrorLog()
        let start = ContinuousClock.now
        let second = start.advanced(by: .seconds(1))
        #expect(log.pause(afterBytes: ErrorLog.bytesPerSecond - 64, lines: 0, now: start) == nil)
        #expect(log.pause(afterBytes: 0, lines: 1, now: start) == second)
        #expect(log.pause(afterBytes: 65_536, lines: 0, now: second) == nil)
        #expect(log.pause(afterBytes: 65_536, lines: 65_536, now: second) == second.advanced(by: .seconds(1)))
    }
}
