import Testing
import WeirAdapterKit

@testable import WeirCarriers

/// Bids that stand twice in one answer.
@Suite("Repeated offers")
struct OfferRepetitionTests {
    private func offer(_ id: String?, seat: String? = nil) -> Offer {
        var offer = Offer(markup: .url("https://ads.example/\(id ?? "none")"))
        offer.id = id
        offer.seat = seat
        return offer
    }

    @Test("an id is offered once a seat; offers without an id are all taken")
    func repeated() {
        var offers: [Offer] = []
        offers.append(unrepeated: [offer("a"), offer("a", seat: "s"), offer(nil)])
        offers.append(unrepeated: [offer("a"), offer("b"), offer(nil), offer("a", seat: "s")])
        #expect(offers.map(\.id) == ["a", "a", nil, "b", nil])
    }
}
