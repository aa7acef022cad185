import Testing
import WeirModel
import WeirStore
import WeirTime

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

    private static func shown(_ name: String) -> ShownAd { ShownAd(RequestID(name), at: WallTime(milliseconds: 7)) }

    @Test("without a store a promise is owed once")
    func alone() {
        var book = Self.book("a")
        #expect(book.bill(Self.shown("a")) == .owed(Self.notice("a")))
        #expect(book.bill(Self.shown("a")) == .unknown)
        #expect(book.count == 0)
    }

    @Test("what is written is the store's")
    func kept() {
        var book = Self.book("a", "b")
        #expect(book.beginKeeping(["a", "x"]) == [Self.notice("a")])
        #expect(book.kept(["a", "x"]).isEmpty)
        #expect(book.bill(Self.shown("a")) == .unknown)
        #expect(book.count == 1)
    }

    @Test("shown while it is being written: the store says who bills it, once it is written")
    func shownMeanwhile() {
        var book = Self.book("a")
        _ = book.beginKeeping(["a"])
        #expect(book.bill(Self.shown("a")) == .waiting)
        #expect(book.bill(Self.shown("a")) == .waiting)
        #expect(book.beginKeeping(["a"]).isEmpty)
        #expect(book.kept(["a"]).map(\.name) == ["a"])
        #expect(book.bill(Self.shown("a")) == .unknown)
        #expect(book.count == 0)
    }

    @Test("what could not be written stays, and is owed once; what was shown meanwhile is owed then")
    func notKept() {
        var book = Self.book("a", "b")
        _ = book.beginKeeping(["a", "b"])
        #expect(book.bill(Self.shown("b")) == .waiting)
        let owed = book.notKept(["a", "b"])
        #expect(owed.map(\.notice) == [Self.notice("b")] && owed.map(\.ad.name) == ["b"])
        #expect(book.bill(Self.shown("a")) == .owed(Self.notice("a")))
        #expect(book.bill(Self.shown("a")) == .unknown)
        #expect(book.bill(Self.shown("b")) == .unknown)
    }

    @Test("beyond the limit the oldest goes; one that was billed before is not missed")
    func limit() {
        var book = Self.book("a", "b", limit: 2)
        #expect(book.promise("c", Self.notice("c")) == Self.notice("a"))
        _ = book.bill(Self.shown("b"))
        #expect(book.promise("d", Self.notice("d")) == nil)
        #expect(book.count == 2)
        // The places of those that are gone are used again.
        for number in 0..<10_000 { _ = book.promise(RequestID("\(number)"), Self.notice("\(number)")) }
        #expect(book.count == 2)
        #expect(book.bill(Self.shown("9999")) == .owed(Self.notice("9999")))
    }

    @Test("ads that wait for the store wait in order and once, and beyond the limit the oldest goes")
    func unbilled() {
        var ads = UnbilledAds(limit: 2)
        let told = Lock<[BeaconRecord.State]>([])
        let given = ["a", "b", "a"].map { name in
            ads.add(
                ShownAd(RequestID(name), at: WallTime(milliseconds: 7)) { state in told.withLock { $0.append(state) } }
            )
        }
        #expect(given.allSatisfy { $0 == nil } && ads.count == 2)
        let oldest = ads.add(Self.shown("c"))
        #expect(oldest?.name == "a")
        oldest?.tell(.dropped)
        #expect(told.withLock { $0 } == [.dropped, .dropped])
        var order: [RequestID] = []
        while let next = ads.first {
            order.append(next.name)
            ads.remove(next.name)
        }
        #expect(order == ["b", "c"] && ads.count == 0)
        // The places of those that are gone are used again.
        for number in 0..<1000 { _ = ads.add(Self.shown("\(number)")) }
        #expect(ads.count == 2)
        #expect(ads.first?.name == "998")
    }
}
