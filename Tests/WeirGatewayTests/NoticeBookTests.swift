import Testing
import WeirModel
import WeirStore

@testable import WeirGateway

@Suite("The book of promised notices")
struct NoticeBookTests {
    private static func notice(_ name: String) -> PromisedNotice {
        PromisedNotice(name: name, network: "n", urls: ["https://n.test/\(name)"])
    }

    /// A book of these promises.
    private static func book(_ names: String..., limit: Int = 10) -> NoticeBook {
        var book = NoticeBook(limit: limit)
        for name in names { _ = book.promise(RequestID(name), notice(name)) }
        return book
    }

    @Test("without a store a promise is owed once")
    func alone() {
        var book = Self.book("a")
        #expect(book.bill("a") == .owed(Self.notice("a")))
        #expect(book.bill("a") == .unknown)
        #expect(book.count == 0)
    }

    @Test("what is written is the store's")
    func kept() {
        var book = Self.book("a", "b")
        #expect(book.beginKeeping(["a", "x"]) == [Self.notice("a")])
        #expect(book.kept(["a", "x"]).isEmpty)
        #expect(book.bill("a") == .unknown)
        #expect(book.count == 1)
    }

    @Test("billed while it is being written: owed once, and to be taken out of the store before it is forgotten")
    func billedMeanwhile() {
        var book = Self.book("a")
        _ = book.beginKeeping(["a"])
        #expect(book.bill("a") == .owed(Self.notice("a")))
        #expect(book.bill("a") == .billed)
        #expect(book.beginKeeping(["a"]).isEmpty)
        #expect(book.kept(["a"]) == ["a"])
        #expect(book.bill("a") == .billed)
        book.forget("a")
        #expect(book.bill("a") == .unknown)
    }

    @Test("what could not be written stays, and is owed once")
    func notKept() {
        var book = Self.book("a", "b")
        _ = book.beginKeeping(["a", "b"])
        #expect(book.bill("b") == .owed(Self.notice("b")))
        book.notKept(["a", "b"])
        #expect(book.bill("a") == .owed(Self.notice("a")))
        #expect(book.bill("a") == .unknown)
        #expect(book.bill("b") == .unknown)
    }

    @Test("beyond the limit the oldest goes; one that was billed before is not missed")
    func limit() {
        var book = Self.book("a", "b", limit: 2)
        #expect(book.promise("c", Self.notice("c")) == Self.notice("a"))
        _ = book.bill("b")
        #expect(book.promise("d", Self.notice("d")) == nil)
        #expect(book.count == 2)
        // The places of those that are gone are used again.
        for number in 0..<10_000 { _ = book.promise(RequestID("\(number)"), Self.notice("\(number)")) }
        #expect(book.count == 2)
        #expect(book.bill("9999") == .owed(Self.notice("9999")))
    }
}
