import Testing

@testable import WeirRuntime

@Suite("LineBuffer")
struct LineBufferTests {
    private func lines(_ pieces: [String]) -> (lines: [String], rest: String) {
        var buffer = LineBuffer()
        var lines: [String] = []
        for piece in pieces {
            Array(piece.utf8).withUnsafeBytes { buffer.append($0) }
            while let line = buffer.takeLine() { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        return (lines, String(decoding: buffer.takeAll(), as: UTF8.self))
    }

    @Test("lines are found however they are cut")
    func cuts() {
        #expect(lines(["a\nbc\n\nd"]) == (["a", "bc", ""], "d"))
        #expect(lines(["a", "\n", "b", "c\n", "\nd"]) == (["a", "bc", ""], "d"))
        #expect(lines(["a\r\nb\r", "\n\r\n"]) == (["a", "b", ""], ""))
        #expect(lines([]) == ([], ""))
    }

    @Test("a hundred thousand lines keep their order and leave nothing behind")
    func many() {
        let text = (0..<100_000).map { "\($0)\n" }.joined()
        let (found, rest) = lines([text])
        #expect(found.count == 100_000)
        #expect(found.last == "99999")
        #expect(rest == "")
    }
}
