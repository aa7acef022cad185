import Testing
import WeirStore
import WeirTime

@Suite("Beacons in the store")
struct BeaconTableTests {
    private let directory: TemporaryDirectory
    private let store: SQLiteStore
    private let now = WallTime(milliseconds: 1_767_225_600_000)

    init() throws {
        directory = try TemporaryDirectory()
        store = try SQLiteStore(path: directory.file("weir.db"), clock: SystemClock())
    }

    private func after(_ seconds: Int) -> WallTime { now.advanced(by: .seconds(seconds)) }

    private func beacon(_ url: String, isUnderWay: Bool = false) -> OwedBeacon {
        OwedBeacon(
            at: now,
            network: "n",
            url: url,
            headers: [.init(name: "X-Device-User-Agent", value: "Player/2 (a: b)"), .init(name: "X", value: "a\nb")],
            isUnderWay: isUnderWay
        )
    }

    /// What a promise stands for; nothing is owed for it.
    private func redeem(_ name: String, in store: SQLiteStore) async throws -> PromisedNotice? {
        let found = Lock<PromisedNotice?>(nil)
        let kept = try await store.redeem(name, of: "first", lease: after(15)) { notice in
            found.withLock { $0 = notice }
            return []
        }
        #expect((kept == nil) == (found.withLock { $0 } == nil))
        return found.withLock { $0 }
    }

    @Test("beacons are found again in a new process, as they were; a field that would break a line is left out")
    func kept() async throws {
        let ids = try await store.keep([beacon("1"), beacon("2")], of: "first", lease: after(15))
        try await store.postpone(ids[1], tries: 4, of: "first")
        try await store.postpone(ids[0], tries: 9, of: "second")
        await store.close()
        let again = try SQLiteStore(path: directory.file("weir.db"), clock: SystemClock())
        #expect(try await again.takeOver(by: "second", lease: after(20), now: after(5), limit: 10) == LeftBeacons())
        let left = try await again.takeOver(by: "second", lease: after(40), now: after(16), limit: 10)
        #expect(left.waiting.map(\.id) == ids && left.cutOff == 0)
        #expect(left.waiting.map(\.beacon.tries) == [0, 4])
        #expect(left.waiting[0].beacon.headers == [.init(name: "X-Device-User-Agent", value: "Player/2 (a: b)")])
        #expect(left.waiting[0].beacon.at == now && left.waiting[0].beacon.network == "n")
        await again.close()
    }

    @Test("one owner's beacons are begun by that owner alone, and forgotten ones are gone")
    func owners() async throws {
        let ids = try await store.keep([beacon("1"), beacon("2")], of: "first", lease: after(15))
        #expect(try await store.begin(ids[0], of: "second") == false)
        #expect(try await store.begin(ids[0], of: "first"))
        try await store.forget([ids[1]])
        #expect(try await store.begin(ids[1], of: "first") == false)
        let left = try await store.takeOver(by: "second", lease: after(40), now: after(16), limit: 10)
        #expect(left.waiting.isEmpty && left.cutOff == 1)
        await store.close()
    }

    @Test("no more are taken over than there is room for; the rest stays for the next look")
    func room() async throws {
        _ = try await store.keep((0..<5).map { beacon("\($0)") }, of: "first", lease: now)
        let some = try await store.takeOver(by: "second", lease: after(40), now: after(1), limit: 2)
        #expect(some.waiting.map(\.beacon.url) == ["0", "1"])
        let rest = try await store.takeOver(by: "second", lease: after(40), now: after(2), limit: 10)
        #expect(rest.waiting.map(\.beacon.url) == ["2", "3", "4"])
        await store.close()
    }

    @Test("an owner that has left is not waited for")
    func released() async throws {
        _ = try await store.keep([beacon("1")], of: "first", lease: after(15))
        try await store.release("first")
        #expect(try await store.takeOver(by: "second", lease: after(40), now: now, limit: 10).waiting.count == 1)
        await store.close()
    }

    @Test("a promise survives its gateway and is redeemed once, whoever asks")
    func promises() async throws {
        let urls = ["https://b.example/1?t=${AUCTION_IMP_TS}", "https://b.example/2"]
        let notice = PromisedNotice(name: "r.line.0", network: "b", urls: urls)
        #expect(try await store.promise([notice], limit: 10).isEmpty)
        // Said twice is promised once, and what was said first stands.
        #expect(try await store.promise([PromisedNotice(name: "r.line.0", network: "x", urls: [])], limit: 10).isEmpty)
        await store.close()
        let again = try SQLiteStore(path: directory.file("weir.db"), clock: SystemClock())
        #expect(try await redeem("unknown", in: again) == nil)
        #expect(try await redeem("r.line.0", in: again) == notice)
        #expect(try await redeem("r.line.0", in: again) == nil)
        await again.close()
    }

    @Test("what a promise stands for is owed in the commit that takes it out, and waits for whoever comes")
    func redeemed() async throws {
        _ = try await store.promise([PromisedNotice(name: "a", network: "b", urls: ["1", "2"])], limit: 10)
        let kept = try await store.redeem("a", of: "first", lease: after(15)) { [now] notice in
            notice.urls.map { OwedBeacon(at: now, network: notice.network, url: "https://b.example/\($0)") }
        }
        #expect(kept?.map(\.beacon.url) == ["https://b.example/1", "https://b.example/2"])
        await store.close()
        let again = try SQLiteStore(path: directory.file("weir.db"), clock: SystemClock())
        let left = try await again.takeOver(by: "second", lease: after(40), now: after(16), limit: 10)
        #expect(left.waiting == kept && left.cutOff == 0)
        #expect(try await redeem("a", in: again) == nil)
        await again.close()
    }

    @Test("of too many promises the oldest go, and their networks are told; a URL that holds a line break is left out")
    func promiseLimit() async throws {
        let notices = (0..<5).map { PromisedNotice(name: "\($0)", network: "n\($0)", urls: ["u\n\($0)", "v\($0)"]) }
        #expect(try await store.promise(notices, limit: 3) == ["n0", "n1"])
        #expect(try await store.promise([PromisedNotice(name: "5", network: "n5", urls: [])], limit: 3) == ["n2"])
        #expect(try await redeem("2", in: store) == nil)
        #expect(try await redeem("3", in: store)?.urls == ["v3"])
        await store.close()
    }
}
