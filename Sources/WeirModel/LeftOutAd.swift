/// An ad that a network offered for an audio programme and that did not get a place in it.
public struct LeftOutAd: Sendable, Hashable {
    /// Why an ad has no place.
    public enum Why: String, CaseIterable, Sendable {
        /// The creative stands in the programme already.
        case duplicate
        /// Another network's ad of the same category stands in the same break.
        case separated
        /// It is longer than what is left of the section, or does not say how long it is.
        case duration
        /// The section has all its ads; this one may stand in for one that fails.
        case spare
        /// The section has all its ads.
        case full
        /// Another break is too near.
        case gap
        /// The mid-roll's point was not asked for.
        case point
        /// The ad unit does not serve the section.
        case section
    }

    /// The network's id of the ad.
    public var ad: String?
    /// The section it was offered for.
    public var section: AudioSection
    /// The content position of a mid-roll.
    public var point: Duration?
    /// Why it was left out.
    public var why: Why
    /// One sentence.
    public var message: String

    /// An ad that was left out.
    public init(ad: String?, section: AudioSection, point: Duration?, why: Why, message: String) {
        self.ad = ad
        self.section = section
        self.point = point
        self.why = why
        self.message = message
    }
}
