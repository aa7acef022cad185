import Testing
import WeirStore

@Suite("MemoryStore")
struct MemoryStoreTests {
    @Test("the newest decisions are kept, filtered and found as by the store on disk")
    func bounded() async throws {
        var configuration = StoreConfiguration()
        configuration.retainedRecords = 10
        let store = MemoryStore(configuration: configuration)
        for number in 0..<1000 { store.record(decision(number, result: number.isMultiple(of: 2) ? "fill" : "no_fill")) }
        store.record(decision(999, body: "again"))
        #expect(try await store.recent(DecisionFilter()).map(\.requestID) == (990..<1000).reversed().map { "r\($0)" })
        #expect(try await store.recent(DecisionFilter(result: "fill", limit: 2)).map(\.requestID) == ["r998", "r996"])
        #expect(try await store.decision(requestID: "r995") == decision(995, result: "no_fill"))
        #expect(try await store.decision(requestID: "r5") == nil)
        #expect(await store.flushed())
    }

    @Test("bytes are bounded too")
    func bytes() async throws {
        var configuration = StoreConfiguration()
        configuration.queuedBytes = 10_000
        configuration.recordBytes = 5000
        let store = MemoryStore(configuration: configuration)
        let body = String(repeating: "x", count: 4000)
        for number in 0..<10 { store.record(decision(number, body: body)) }
        store.record(decision(10, body: body + body))
        #expect(try await store.recent(DecisionFilter()).map(\.requestID) == ["r9", "r8"])
        #expect(store.status.lost == 1)
    }
}
