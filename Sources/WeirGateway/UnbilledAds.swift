internal import WeirModel

/// Ads that are shown while the store cannot say what they owe: they wait for it, in order.
///
/// A pure value.
struct UnbilledAds {
    private let limit: Int
    private var ads: [RequestID: ShownAd] = [:]
    /// In the order in which they came; those that are gone stand there until they are passed.
    private var order: [RequestID] = []
    private var head = 0

    /// None; at most `limit` wait.
    init(limit: Int) {
        self.limit = limit
    }

    /// How many wait.
    var count: Int { ads.count }

    /// The first that waits.
    var first: ShownAd? {
        mutating get {
            while head < order.count {
                if let ad = ads[order[head]] { return ad }
                head += 1
            }
            (order, head) = ([], 0)
            return nil
        }
    }

    /// Takes one more; answers the oldest one where there was no more room.
    mutating func add(_ ad: ShownAd) -> ShownAd? {
        if let known = ads[ad.name] {
            ads[ad.name] = known.joined(by: ad)
            return nil
        }
        ads[ad.name] = ad
        order.append(ad.name)
        if head > limit {
            order.removeFirst(head)
            head = 0
        }
        guard ads.count > limit, let oldest = first else { return nil }
        return remove(oldest.name)
    }

    /// One of them waits no longer.
    @discardableResult
    mutating func remove(_ name: RequestID) -> ShownAd? { ads.removeValue(forKey: name) }
}
