import Testing

@testable import WeirCarriers

@Suite("LineSplitter")
struct LineSplitterTests {
    private func feed(_ splitter: inout LineSplitter, _ text: String) -> [String] {
        splitter.feed(Array(text.utf8)).map(\.text)
    }

    @Test("lines come out whole, however they came in")
    func pieces() {
        var splitter = LineSplitter(limit: 10, kept: 3)
        #expect(feed(&splitter, "ab") == [])
        #expect(feed(&splitter, "c\r\n\nde") == ["abc", ""])
        #expect(feed(&splitter, "\n") == ["de"])
        #expect(splitter.finish().isEmpty)
    }

    @Test("a line beyond the limit is told once by its beginning, and passed over up to its end")
    func tooLong() {
        var splitter = LineSplitter(limit: 5, kept: 3)
        #expect(feed(&splitter, "12345\n123456") == ["12345", "123|"])
        #expect(feed(&splitter, "789") == [])
        #expect(feed(&splitter, "0\nnext\nabcdefgh\nz") == ["next", "abc|"])
        #expect(splitter.finish().map(\.text) == ["z"])
    }

    @Test("what is kept of a long line is bounded, whatever comes")
    func bounded() {
        var splitter = LineSplitter(limit: 8, kept: 8)
        var pieces = 0
        for _ in 0..<1000 { pieces += splitter.feed([UInt8](repeating: 120, count: 1000)).count }
        #expect(pieces == 1)
        #expect(splitter.finish().isEmpty)
    }
}

extension LineSplitter.Piece {
    fileprivate var text: String {
        switch self {
        case .line(let line): String(decoding: line, as: UTF8.self)
        case .cut(let beginning): String(decoding: beginning, as: UTF8.self) + "|"
        }
    }
}
