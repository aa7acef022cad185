/// An ad that is kept: whole while it is looked at, packed while it waits.
package enum HeldAd: Hashable, Sendable {
    /// The ad.
    case whole(ResolvedAd)
    /// The ad in few bytes.
    case packed(PackedAd)

    /// The ad, whole.
    package init(_ ad: ResolvedAd) { self = .whole(ad) }

    /// The ad; one that is packed is read each time.
    package var ad: ResolvedAd {
        switch self {
        case .whole(let ad): ad
        case .packed(let packed): packed.ad
        }
    }

    /// Makes it small.
    package mutating func pack() {
        if case .whole(let ad) = self { self = .packed(PackedAd(ad)) }
    }

    /// Makes it quick to look at.
    package mutating func unpack() {
        if case .packed(let packed) = self { self = .whole(packed.ad) }
    }

    /// Whether they hold the same ad, in whatever form.
    package static func == (left: HeldAd, right: HeldAd) -> Bool {
        if case .packed(let first) = left, case .packed(let second) = right { return first == second }
        return left.ad == right.ad
    }

    /// Feeds the ad, in whatever form it is held.
    package func hash(into hasher: inout Hasher) { ad.hash(into: &hasher) }
}
