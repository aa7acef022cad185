import Testing
import WeirAdapterKit
import WeirModel
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
            for _ in 0..<50 { group.addTask { hall.gateway.notices.bill(notice) } }
        }
        hall.gateway.notices.bill(RequestID("unknown"))
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
        for hall in [second, first, second] { hall.gateway.notices.bill(notice) }
        await waitUntil { (first.transport.requests + second.transport.requests).count >= 2 }
        // Both ask the store: an ask behind theirs finds nothing to take.
        #expect(try await store.redeem(notice.text) == nil)
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
        for _ in 0..<3 { hall.gateway.notices.bill(notice) }
        #expect(await called(hall, 2).count == 2)
        #expect(hall.gateway.notices.pendingCount == 0)
        #expect(hall.observer.troubles == ["The store is closed."])
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
