import Testing
import WeirAdapterKit
import WeirModel
import WeirStore
import WeirTesting
import WeirTime

@testable import WeirGateway

@Suite("BeaconQueue", .timeLimit(.minutes(2)))
struct BeaconQueueTests {
    private let clock = ManualClock()
    private let observer = CountingObserver()
    private let mood = Mood()

    private func house(_ store: (any BeaconStore)? = nil) -> (BeaconQueue, StubTransport) {
        let transport = StubTransport(clock: clock) { [mood] _ in mood.reply.withLock { $0 } }
        let queue = BeaconQueue(clock: clock, store: store, observer: observer) { _ in transport }
        return (queue, transport)
    }

    private func answer(_ reply: StubTransport.Reply) { mood.reply.withLock { $0 = reply } }

    private func item(_ url: String, _ network: NetworkID = "n", _ fates: FateBook? = nil) -> BeaconItem {
        let beacon = OwedBeacon(
            at: clock.wallNow,
            network: network.text,
            url: url,
            headers: [OwedBeacon.Field(name: "X-Device-IP", value: "203.0.113.9")]
        )
        guard let fates else { return BeaconItem(beacon: beacon, network: network) }
        return BeaconItem(beacon: beacon, network: network) { fates.note($0) }
    }

    // MARK: Sending

    @Test("each URL is called once with GET and the device's headers, and its fate is told")
    func sends() async {
        let (queue, transport) = house()
        let fates = FateBook()
        await queue.owe([item("https://n.test/1", "n", fates), item("https://n.test/2")])
        await observer.wait(.sent, 2)
        #expect(transport.requests.map(\.url).sorted() == ["https://n.test/1", "https://n.test/2"])
        #expect(transport.requests.allSatisfy { $0.method == "GET" && $0.body.isEmpty })
        #expect(transport.requests.allSatisfy { $0.headers == [HTTPHeader("X-Device-IP", "203.0.113.9")] })
        #expect(fates.all == [BeaconOutcome(state: .sent, status: 204, attempts: 1)])
        await waitUntil { queue.count == 0 }
    }

    @Test("pings of empty and blank URLs are not sent, and one answer is owed only so many")
    func pings() async {
        let (queue, transport) = house()
        let urls = (0..<BeaconQueue.answerLimit + 3).map { "https://n.test/\($0)" }
        queue.ping(["", "about:blank"] + urls, for: "n")
        #expect(observer.count(.dropped) == 3)
        await observer.wait(.sent, BeaconQueue.answerLimit)
        #expect(transport.requests.count == BeaconQueue.answerLimit)
    }

    @Test("an answer of any status, and what the server may have heard, is not sent again", arguments: [500, 404, 302])
    func answered(status: Int) async {
        let (queue, transport) = house()
        answer(.response(InboundResponse(status: status)))
        await queue.owe([item("https://n.test/1")])
        await observer.wait(.sent, 1)
        answer(.failure(TransportError(.reset, "The connection broke.")))
        await queue.owe([item("https://n.test/2")])
        await observer.wait(.failed, 1)
        clock.advance(by: .seconds(120))
        #expect(transport.requests.count == 2)
    }

    @Test("a server that cannot be reached is tried again with growing pauses, until it can")
    func retries() async {
        let (queue, transport) = house()
        let fates = FateBook()
        answer(.failure(.gone))
        await queue.owe([item("https://n.test/1", "n", fates)])
        for (tries, pause) in [(1, 1), (2, 2), (3, 4), (4, 8)] {
            await waitUntil { fates.all.count == tries }
            #expect(fates.all.last == BeaconOutcome(state: .queued, attempts: tries, reason: "Connection refused."))
            await clock.sleepers(1)
            clock.advance(by: .seconds(pause) - .milliseconds(1))
            #expect(transport.requests.count == tries)
            clock.advance(by: .milliseconds(51))
        }
        await waitUntil { fates.all.count == 5 }
        answer(.response(InboundResponse(status: 200)))
        await clock.sleepers(1)
        clock.advance(by: .seconds(17))
        await observer.wait(.sent, 1)
        #expect(fates.all.last == BeaconOutcome(state: .sent, status: 200, attempts: 6))
        #expect(BeaconLimits().pause(after: 7) == .seconds(60) && BeaconLimits().pause(after: 5000) == .seconds(60))
    }

    @Test("a server that did not take the connection in time has seen nothing, and is tried again")
    func neverConnected() async {
        let (queue, transport) = house()
        let fates = FateBook()
        answer(.failure(TransportError(.timeout, "n.test did not answer in time.", mayHaveArrived: false)))
        await queue.owe([item("https://n.test/1", "n", fates)])
        await waitUntil { fates.all.count == 1 }
        #expect(fates.all == [BeaconOutcome(state: .queued, attempts: 1, reason: "n.test did not answer in time.")])
        answer(.response(InboundResponse(status: 204)))
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
        await observer.wait(.sent, 1)
        #expect(transport.requests.count == 2)
    }

    @Test("a beacon that has become too old is given up")
    func age() async {
        let (queue, transport) = house()
        queue.limits.age = .seconds(5)
        let fates = FateBook()
        answer(.failure(.gone))
        await queue.owe([item("https://n.test/1", "n", fates)])
        await waitUntil { fates.all.count == 1 }
        await clock.sleepers(1)
        clock.advance(by: .seconds(6))
        await observer.wait(.failed, 1)
        #expect(fates.all.last?.reason == "It was older than 5 s.")
        #expect(transport.requests.count == 1)
    }

    @Test("one that hangs is given up after its time")
    func hangs() async {
        let (queue, _) = house()
        answer(.hang)
        await queue.owe([item("https://n.test/1")])
        await clock.sleepers(1)
        clock.advance(by: .seconds(5) - .milliseconds(1))
        #expect(observer.count(.failed) == 0)
        clock.advance(by: .milliseconds(1))
        await observer.wait(.failed, 1)
    }

    @Test("so many are under way at once; beyond the places beacons are dropped, and a network has half of them")
    func bounds() async {
        let (queue, transport) = house()
        queue.limits.count = 8
        queue.limits.atOnce = 2
        answer(.hang)
        await queue.owe((0..<6).map { item("https://a.test/\($0)", "a") })
        #expect(observer.count(.dropped) == 2)
        await queue.owe((0..<5).map { item("https://b.test/\($0)", "b") })
        #expect(observer.count(.dropped) == 3)
        await clock.sleepers(2)
        #expect(transport.requests.count == 2 && queue.count == 8)
        answer(.response(InboundResponse(status: 204)))
        clock.advance(by: .seconds(5))
        await observer.wait(.sent, 6)
        #expect(observer.count(.failed) == 2)
        await waitUntil { queue.count == 0 }
    }

    @Test("what was never tried goes before what waits for another try")
    func freshFirst() async {
        var line = BeaconLine()
        let (limits, now) = (BeaconLimits(), clock.now)
        for url in ["old", "new"] {
            let hasPlace = line.reserve(for: "n", limits)
            #expect(hasPlace)
            var one = item(url)
            one.beacon.tries = url == "old" ? 3 : 0
            line.wait(one, until: now)
        }
        let order = (0..<3).map { _ in line.next(at: now, limits)?.beacon.url }
        #expect(order == ["new", "old", nil])
        #expect(line.underWay == 2)
    }

    // MARK: Keeping

    @Test("a beacon that waits outlives its gateway: the next one on the same store sends it, once")
    func survives() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: clock)
        let (first, _) = house(store)
        // The first gateway will not be heard of again.
        (first.limits.retryInitial, first.limits.retryMax) = (.seconds(3600), .seconds(3600))
        let fates = FateBook()
        answer(.failure(.gone))
        await first.owe([item("https://n.test/1", "n", fates)])
        await waitUntil { fates.all.count == 1 }
        // While its lease lasts, nobody takes its beacons.
        let (second, transport) = house(store)
        answer(.response(InboundResponse(status: 204)))
        let early = try await store.takeOver(by: "x", lease: clock.wallNow, now: clock.wallNow, limit: 10)
        #expect(early == LeftBeacons())
        let running = Task { await second.run() }
        await clock.sleepers(2)
        clock.advance(by: BeaconQueue.lease + .milliseconds(1))
        await waitUntil { transport.requests.count == 1 }
        #expect(transport.requests.first?.headers == [HTTPHeader("X-Device-IP", "203.0.113.9")])
        #expect(observer.takenOver.first == [1, 0])
        await waitUntil { second.count == 0 }
        running.cancel()
        await running.value
        let left = try await store.takeOver(
            by: "y",
            lease: clock.wallNow,
            now: clock.wallNow.advanced(by: .seconds(60)),
            limit: 10
        )
        #expect(left == LeftBeacons())
        await store.close()
    }

    @Test("what is owed is committed before owe returns; what was on its way when its gateway went is not sent again")
    func cutOff() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: clock)
        let (first, _) = house(store)
        first.limits.atOnce = 1
        answer(.hang)
        await first.owe([item("https://n.test/under-way"), item("https://n.test/waits")])
        let late = clock.wallNow.advanced(by: .seconds(60))
        let left = try await store.takeOver(by: "x", lease: late, now: late, limit: 10)
        #expect(left.waiting.map(\.beacon.url) == ["https://n.test/waits"])
        #expect(left.cutOff == 1)
        await store.close()
    }

    @Test("a gateway that others took for gone sends nothing that is theirs now")
    func disowned() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: clock)
        let (queue, transport) = house(store)
        let fates = FateBook()
        answer(.failure(.gone))
        await queue.owe([item("https://n.test/1", "n", fates)])
        await waitUntil { fates.all.count == 1 }
        let late = clock.wallNow.advanced(by: .seconds(60))
        _ = try await store.takeOver(by: "x", lease: late, now: late, limit: 10)
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
        await waitUntil { queue.count == 0 }
        #expect(transport.requests.count == 1)
        await store.close()
    }

    @Test("a gateway that leaves in good order leaves what waits for another try to the next one, at once")
    func leaving() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: clock)
        let (queue, _) = house(store)
        let fates = FateBook()
        answer(.failure(.gone))
        await queue.owe([item("https://n.test/1", "n", fates)])
        await waitUntil { fates.all.count == 1 }
        let owed = await queue.settle(by: .after(.seconds(2), clock: clock))
        #expect(owed.left == 1 && owed.areKept)
        let left = try await store.takeOver(by: "x", lease: clock.wallNow, now: clock.wallNow, limit: 10)
        #expect(left.waiting.count == 1 && left.waiting.first?.beacon.tries == 1)
        await store.close()
    }

    @Test("a gateway that leaves stops what has not reached its server, and leaves it to the next one")
    func cutShort() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: clock)
        let (queue, transport) = house(store)
        queue.limits.atOnce = 2
        answer(.unreached)
        await queue.owe(["1", "2", "3"].map { item("https://n.test/" + $0) })
        // Two that get no connection, and the alarm for the third.
        await clock.sleepers(3)
        let leaving = Task { await queue.settle(by: .after(.seconds(2), clock: clock)) }
        await clock.sleepers(4)
        clock.advance(by: .seconds(2))
        let owed = await leaving.value
        #expect(owed.left == 3 && owed.areKept)
        #expect(transport.requests.count == 2)
        let left = try await store.takeOver(by: "x", lease: clock.wallNow, now: clock.wallNow, limit: 10)
        #expect(left.waiting.map(\.beacon.tries) == [1, 1, 0] && left.cutOff == 0)
        await store.close()
    }

    @Test("a kept beacon whose owner the store cannot tell is not sent: another gateway may do that")
    func unsure() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: clock)
        let moody = MoodyStore(store)
        let (queue, transport) = house(moody)
        let fates = FateBook()
        answer(.failure(.gone))
        await queue.owe([item("https://n.test/1", "n", fates)])
        await waitUntil { fates.all.count == 1 }
        moody.failing = [.begin]
        answer(.response(InboundResponse(status: 204)))
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
        await clock.sleepers(1)
        #expect(transport.requests.count == 1 && queue.count == 1)
        moody.failing = []
        clock.advance(by: .seconds(2))
        await waitUntil { queue.count == 0 }
        #expect(transport.requests.count == 2)
        #expect(fates.all.last == BeaconOutcome(state: .sent, status: 204, attempts: 2))
        await store.close()
    }

    @Test("what could not be forgotten or put back is told to the store with the next heartbeat")
    func repairs() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: clock)
        let moody = MoodyStore(store)
        let (queue, transport) = house(moody)
        (queue.limits.retryInitial, queue.limits.retryMax) = (.seconds(3600), .seconds(3600))
        moody.failing = [.forget, .postpone]
        await queue.owe([item("https://n.test/sent")])
        await observer.wait(.sent, 1)
        let fates = FateBook()
        answer(.failure(.gone))
        await queue.owe([item("https://n.test/waits", "n", fates)])
        await waitUntil { fates.all.count == 1 }
        moody.failing = []
        let running = Task { await queue.run() }
        // The alarm and the heartbeat.
        await clock.sleepers(2)
        running.cancel()
        await running.value
        let late = clock.wallNow.advanced(by: .seconds(60))
        let left = try await store.takeOver(by: "x", lease: late, now: late, limit: 10)
        #expect(left.waiting.map(\.beacon.url) == ["https://n.test/waits"])
        #expect(left.waiting.map(\.beacon.tries) == [1])
        #expect(left.cutOff == 0 && transport.requests.count == 2)
        await store.close()
    }

    @Test("a store that fails is told of once, and beacons are sent all the same")
    func broken() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: clock)
        await store.close()
        let (queue, transport) = house(store)
        await queue.owe([item("https://n.test/1")])
        await queue.owe([item("https://n.test/2")])
        await observer.wait(.sent, 2)
        #expect(transport.requests.count == 2)
        #expect(observer.troubles == ["The store is closed."])
    }
}

/// How the trackers' server answers now.
private final class Mood: Sendable {
    let reply = Lock(StubTransport.Reply.response(InboundResponse(status: 204)))
}

/// Keeps what one beacon's owner was told.
private final class FateBook: Sendable {
    private let fates = Lock<[BeaconOutcome]>([])

    var all: [BeaconOutcome] { fates.withLock { $0 } }
    func note(_ fate: BeaconOutcome) { fates.withLock { $0.append(fate) } }
}
