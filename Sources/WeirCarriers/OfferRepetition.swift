internal import WeirAdapterKit

extension [Offer] {
    /// Appends offers, but none whose id another of the same seat has: a bid that stands twice in an answer is one bid.
    ///
    /// Offers without an id are all taken.
    mutating func append(unrepeated offers: [Offer]) {
        for offer in offers where !contains(where: { $0.id != nil && $0.id == offer.id && $0.seat == offer.seat }) {
            append(offer)
        }
    }
}
