import Testing
import WeirAdapterKit
import WeirModel
import WeirPlayback
import WeirStore
import WeirTesting
import WeirTime

@testable import WeirGateway

@Suite("Bid notices")
struct NoticeTests {
    private static let ad =
        "<Ad id=\"1\"><InLine><AdSystem>S</AdSystem><AdTitle>T</AdTitle><Impression>https://i.example/1</Impression>"
        + "<Creatives><Creative id=\"c\"><Linear><Duration>00:00:15</Duration><MediaFiles>"
        + "<MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"640\" height=\"360\">https://m.example/1.mp4"
        + "</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad>"

    private static func bid(_ who: String, _ amount: String, markup: String = ad) -> Offer {
        var offer = Offer.ads(markup)
        offer.price = Money(amount: amount, currency: .usDollar)
        offer.notices = BidNotices(
            win: ["https://\(who).example/win?m=${AUCTION_MIN_TO_WIN}"],
            billing: ["https://\(who).example/bill?t=${AUCTION_IMP_TS}"],
            loss: ["https://\(who).example/loss?r=${AUCTION_LOSS}"]
        )
        return offer
    }

    private static func hall(
        _ networks: KeyValuePairs<NetworkID, [Offer]>,
        maxAds: Int = 1,
        floor: String? = nil,
        store: (any BeaconStore)? = nil
    ) async -> Hall {
        await Hall(networks, pages: Pages { _ in .response(InboundResponse(status: 204)) }, store: store) { unit in
            unit.maxAds = maxAds
            unit.floor = floor.flatMap { Money(amount: $0, currency: .usDollar) }
            unit.waterfall = unit.waterfall.map { rung in
                .line(
                    rung.lineItems.map { item in
                        var item = item
                        item.isBidding = true
                        return item
                    }[0]
                )
            }
        }
    }

    private func called(_ hall: Hall, _ count: Int) async -> [String] {
        await waitUntil { hall.transport.requests.count >= count }
        // What is owed beyond that would come in the same breath.
        await waitUntil { hall.gateway.beacons.count == 0 }
        return hall.transport.requests.map(\.url).sorted()
    }

    @Test("the winner hears that it won, the loser that it was outbid; nobody is billed before the ad is shown")
    func winAndLoss() async throws {
        let hall = await Self.hall(["a": [Self.bid("a", "2")], "b": [Self.bid("b", "3")]])
        let response = try await hall.serve()
        #expect(response.ads.map(\.network) == ["b"])
        #expect(await called(hall, 2) == ["https://a.example/loss?r=102", "https://b.example/win?m="])
        #expect(hall.gateway.notices.pendingCount == 1)
    }

    @Test("an ad is billed once, with the time of its impression, however often it is said to be shown")
    func billing() async throws {
        let hall = await Self.hall(["b": [Self.bid("b", "3")]])
        let notice = try #require(try await hall.serve().ads.first?.billing)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { await hall.gateway.notices.bill(notice) } }
        }
        await hall.gateway.notices.bill(RequestID("unknown"))
        let time = hall.clock.wallNow.milliseconds
        #expect(await called(hall, 2) == ["https://b.example/bill?t=\(time)", "https://b.example/win?m="])
        #expect(hall.gateway.notices.pendingCount == 0)
    }

    @Test("with a store an ad is billed by whichever gateway hears that it is shown, once")
    func billedElsewhere() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: SystemClock())
        let first = await Self.hall(["b": [Self.bid("b", "3")]], store: store)
        let second = await Self.hall(["b": [Self.bid("b", "3")]], store: store)
        let notice = try #require(try await first.serve().ads.first?.billing)
        await waitUntil { first.gateway.notices.pendingCount == 0 }
        for hall in [second, first, second] { await hall.gateway.notices.bill(notice) }
        await waitUntil { (first.transport.requests + second.transport.requests).count >= 2 }
        _ = await called(first, 0)
        _ = await called(second, 0)
        let urls = (first.transport.requests + second.transport.requests).map { $0.url.prefix(22) }.sorted()
        #expect(urls == ["https://b.example/bill", "https://b.example/win?"])
        await store.close()
    }

    @Test("while the store fails an ad is billed from memory, once, and nobody waits")
    func failingStore() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: SystemClock())
        await store.close()
        let hall = await Self.hall(["b": [Self.bid("b", "3")]], store: store)
        let notice = try #require(try await hall.serve().ads.first?.billing)
        #expect(hall.gateway.notices.pendingCount == 1)
        for _ in 0..<3 { await hall.gateway.notices.bill(notice) }
        #expect(await called(hall, 2).count == 2)
        #expect(hall.gateway.notices.pendingCount == 0)
        #expect(hall.observer.troubles == ["The store is closed."])
    }

    /// Lets time pass until the task is done.
    private static func patiently<Value: Sendable>(_ task: Task<Value, any Error>, _ hall: Hall) async throws -> Value {
        let time = Task {
            while !Task.isCancelled {
                hall.clock.advance(by: .milliseconds(10))
                try await Task.sleep(for: .milliseconds(1))
            }
        }
        defer { time.cancel() }
        return try await task.value
    }

    @Test("an ad that is shown at two gateways while its promise is being written is billed once")
    func writtenMeanwhile() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: SystemClock())
        let moody = MoodyStore(store)
        moody.holding = [.promise]
        let first = await Self.hall(["b": [Self.bid("b", "3")]], store: moody)
        let second = await Self.hall(["b": [Self.bid("b", "3")]], store: store)
        let serving = Task { try await first.serve() }
        await waitUntil { moody.held == 1 }
        let notice = try #require(try await Self.patiently(serving, first).ads.first?.billing)
        // Written, and the first gateway does not know it yet.
        await first.gateway.notices.bill(notice)
        await second.gateway.notices.bill(notice)
        await waitUntil { second.transport.requests.count == 1 }
        moody.holding = []
        await waitUntil { first.gateway.notices.pendingCount == 0 }
        await first.gateway.notices.bill(notice)
        _ = await called(first, 1)
        let urls = (first.transport.requests + second.transport.requests).map { $0.url.prefix(22) }.sorted()
        #expect(urls == ["https://b.example/bill", "https://b.example/win?"])
        await store.close()
    }

    @Test("an ad that is shown at its gateway alone while its promise is being written is billed when it is written")
    func writtenLate() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: SystemClock())
        let moody = MoodyStore(store)
        moody.holding = [.promise]
        let hall = await Self.hall(["b": [Self.bid("b", "3")]], store: moody)
        let serving = Task { try await hall.serve() }
        await waitUntil { moody.held == 1 }
        let notice = try #require(try await Self.patiently(serving, hall).ads.first?.billing)
        await hall.gateway.notices.bill(notice)
        #expect(await called(hall, 1) == ["https://b.example/win?m="])
        moody.holding = []
        #expect(await called(hall, 2).first?.hasPrefix("https://b.example/bill?t=") == true)
        await store.close()
    }

    /// An ad that is served and kept in `store`, which then gives nothing away.
    private static func unredeemable(_ store: SQLiteStore) async throws -> (Hall, MoodyStore, RequestID) {
        let moody = MoodyStore(store)
        let hall = await hall(["b": [bid("b", "3")]], store: moody)
        let notice = try #require(try await hall.serve().ads.first?.billing)
        await waitUntil { hall.gateway.notices.pendingCount == 0 }
        moody.failing = [.redeem]
        return (hall, moody, notice)
    }

    @Test("an ad that is shown while the store fails is billed when it works again, with the time of its impression")
    func billedWithDelay() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: SystemClock())
        let (hall, moody, notice) = try await Self.unredeemable(store)
        let time = hall.clock.wallNow.milliseconds
        for _ in 0..<2 { await hall.gateway.notices.bill(notice) }
        #expect(hall.gateway.notices.unbilledCount == 1)
        #expect(await called(hall, 1).count == 1)
        for _ in 0..<2 {
            await hall.clock.sleepers(1)
            hall.clock.advance(by: NoticeDesk.retryPause)
        }
        #expect(hall.gateway.notices.unbilledCount == 1)
        await hall.clock.sleepers(1)
        moody.failing = []
        hall.clock.advance(by: NoticeDesk.retryPause)
        #expect(await called(hall, 2) == ["https://b.example/bill?t=\(time)", "https://b.example/win?m="])
        await waitUntil { hall.gateway.notices.unbilledCount == 0 }
        await store.close()
    }

    @Test("what the store has not given by the end is counted as dropped")
    func givenUp() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: SystemClock())
        let (hall, _, notice) = try await Self.unredeemable(store)
        await hall.gateway.notices.bill(notice)
        await hall.gateway.notices.settle(by: .after(.seconds(2), clock: hall.clock))
        #expect(hall.gateway.notices.unbilledCount == 0)
        #expect(hall.observer.notices.contains("billing dropped unknown"))
        await store.close()
    }

    @Test("a billing notice is committed as owed before its beacon is answered")
    func owedBeforeAnswer() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: SystemClock())
        var bid = Self.bid("b", "3")
        bid.notices.win = []
        let hall = await Hall(
            ["b": [bid]],
            pages: Pages { $0.url.contains("bill") ? .hang : .response(InboundResponse(status: 204)) },
            store: store
        )
        let notice = try #require(try await hall.serve().ads.first?.billing)
        await waitUntil { hall.gateway.beacons.count == 0 }
        await hall.gateway.notices.bill(notice)
        let late = hall.clock.wallNow.advanced(by: .seconds(60))
        let left = try await store.takeOver(by: "x", lease: late, now: late, limit: 10)
        #expect(left.waiting.count + left.cutOff == 1)
        await store.close()
    }

    @Test("an offer of several ads is billed once, whichever of them is shown")
    func severalAds() async throws {
        let two = ["1", "2"].map { inLine($0, sequence: Int($0)) }.joined()
        let hall = await Self.hall(["b": [Self.bid("b", "3", markup: two)]], maxAds: 2)
        let ads = try await hall.serve().ads
        #expect(ads.count == 2)
        let notice = try #require(ads.last?.billing)
        #expect(ads.first?.billing == notice)
        for ad in ads.reversed() { await hall.gateway.notices.bill(try #require(ad.billing)) }
        #expect(await called(hall, 2).map { $0.prefix(22) } == ["https://b.example/bill", "https://b.example/win?"])
        #expect(hall.gateway.notices.pendingCount == 0)
    }

    @Test("a spare hears that it won, and is billed, when it is shown; before that it has neither won nor lost")
    func spare() async throws {
        func offer(_ id: String, _ amount: String) -> Offer {
            Self.bid("b\(id)", amount, markup: inLine(id, type: "audio/mpeg")).at(.preroll)
        }
        let offers = [offer("1", "3"), offer("2", "2")]
        let hall = await Hall(
            ["b": offers],
            format: .audio,
            pages: Pages { _ in .response(InboundResponse(status: 204)) }
        ) { $0.sections = SectionLimits([.preroll: SectionLimit(maxAds: 1)]) }
        let response = try await hall.serve()
        #expect(response.ads.count == 1 && response.spares.count == 1)
        #expect(await called(hall, 1) == ["https://b1.example/win?m="])
        await hall.gateway.notices.bill(try #require(response.spares.first?.billing))
        let time = hall.clock.wallNow.milliseconds
        #expect(
            await called(hall, 3) == [
                "https://b1.example/win?m=", "https://b2.example/bill?t=\(time)", "https://b2.example/win?m=",
            ]
        )
    }

    // MARK: Sessions

    private static func open(_ hall: Hall, isClientSide: Bool) async throws -> SessionView {
        let opening = SessionOpening(
            request: AdRequest(placement: "p"),
            autoload: true,
            clientSideTracking: isClientSide,
            message: PlaybackMessage("open")
        )
        return try await hall.gateway.sessions.open(opening) { _ in
            do throws(GatewayError) { return FetchedAds(.success(try await hall.serve()), requestID: "r") } catch {
                return FetchedAds(
                    .failure(AdFailure(stage: .load, code: 900, message: error.reason)),
                    requestID: nil
                )
            }
        }
    }

    private static func play(_ hall: Hall, _ id: String) async throws {
        for type in ["initialize", "start", "ad_started"] {
            let input = SessionInput(seq: nil, message: PlaybackMessage(type))
            _ = try await hall.gateway.sessions.take([input], of: id, after: nil) { _ in
                FetchedAds(.failure(AdFailure(stage: .load, code: 900, message: "No more.")), requestID: nil)
            }
        }
    }

    private static func states(_ hall: Hall, _ id: String) throws -> [String] {
        try hall.gateway.sessions.view(id).beacons.filter { $0.url == "weir:billing" }.map(\.state.rawValue)
    }

    @Test("a session bills its ad where nobody knows this gateway's name, too", arguments: [false, true])
    func sessionBills(isClientSide: Bool) async throws {
        let hall = await Self.hall(["b": [Self.bid("b", "3")]])
        let id = try await Self.open(hall, isClientSide: isClientSide).answer.id.text
        try await Self.play(hall, id)
        // The ad's own impression is called beside them, unless that is the client's.
        let urls = await called(hall, isClientSide ? 2 : 3)
        #expect(urls.filter { $0.contains("b.example/bill") }.count == 1)
        #expect(try Self.states(hall, id) == ["sent"])
    }

    @Test("a session says that a notice is queued until it is owed, and waits for a slow store 100 ms")
    func sessionWaits() async throws {
        let store = try SQLiteStore(path: ":memory:", clock: SystemClock())
        let moody = MoodyStore(store)
        let hall = await Self.hall(["b": [Self.bid("b", "3")]], store: moody)
        let id = try await Self.open(hall, isClientSide: true).answer.id.text
        await waitUntil { hall.gateway.notices.pendingCount == 0 }
        moody.holding = [.redeem]
        let playing = Task { try await Self.play(hall, id) }
        await waitUntil { moody.held == 1 }
        try await Self.patiently(playing, hall)
        #expect(try Self.states(hall, id) == ["queued"])
        moody.holding = []
        await waitUntil { (try? Self.states(hall, id)) == ["sent"] }
        await store.close()
    }

    @Test("below the floor, hollow or blocked: each loser hears its own reason")
    func reasons() async throws {
        var blocked = Self.bid("blocked", "5")
        blocked.categories = ["IAB7"]
        var refused = Self.bid("refused", "6")
        refused.refusal = AttemptOutcome(.badResponse, .badPrice, "No price.")
        let networks: KeyValuePairs<NetworkID, [Offer]> = [
            "low": [Self.bid("low", "0.5")], "hollow": [Self.bid("hollow", "9", markup: "")],
            "good": [refused, Self.bid("good", "2")], "blocked": [blocked],
        ]
        let hall = await Hall(networks, pages: Pages { _ in .response(InboundResponse(status: 204)) }) { unit in
            unit.floor = Money(amount: "1", currency: .usDollar)
            unit.blockedCategories = ["iab7"]
            unit.waterfall = unit.lineItems.map { item in
                var item = item
                item.isBidding = true
                return .line(item)
            }
        }
        let response = try await hall.serve()
        #expect(response.ads.map(\.network) == ["good"])
        #expect(
            await called(hall, 5) == [
                "https://blocked.example/loss?r=209", "https://good.example/win?m=",
                "https://hollow.example/loss?r=7", "https://low.example/loss?r=100",
                "https://refused.example/loss?r=3",
            ]
        )
    }

    @Test("of a pod's bids each that is served wins, each that has no place loses")
    func pod() async throws {
        func ad(_ number: Int) -> String {
            Self.ad.replacing("id=\"1\"", with: "id=\"\(number)\"").replacing("id=\"c\"", with: "id=\"c\(number)\"")
                .replacing("1.mp4", with: "\(number).mp4")
        }
        let offers = (1...3).map { Self.bid("p\($0)", "\(9 - $0)", markup: ad($0)) }
        let hall = await Self.hall(["p": offers], maxAds: 2)
        let response = try await hall.serve()
        #expect(response.ads.map(\.offer) == [0, 1])
        #expect(Set(response.ads.compactMap(\.billing)).count == 2)
        #expect(
            await called(hall, 3) == [
                "https://p1.example/win?m=", "https://p2.example/win?m=", "https://p3.example/loss?r=102",
            ]
        )
    }

    @Test("a rated line whose network names notices gets them as well")
    func rated() async throws {
        let hall = await Hall(
            ["r": [Self.bid("r", "3")]],
            pages: Pages { _ in .response(InboundResponse(status: 204)) }
        )
        _ = try await hall.serve()
        #expect(await called(hall, 1) == ["https://r.example/win?m="])
    }

    @Test("when the caller has gone nobody has won")
    func gone() async throws {
        let hall = await Self.hall(["a": [Self.bid("a", "2")]])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try? await hall.serve()
        }
        #expect(await task.value == nil)
        // Not asked at all, so nobody is owed anything.
        #expect(hall.transport.requests.isEmpty)
    }
}
