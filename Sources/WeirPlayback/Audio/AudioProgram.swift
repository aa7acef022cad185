public import WeirModel
public import WeirVAST

/// A place in an audio programme: a section, and for mid-rolls the content position.
public struct AudioPlace: Hashable, Sendable {
    /// The section.
    public var section: AudioSection
    /// The content position of a mid-roll; `nil` for the others.
    public var point: Duration?

    /// A place.
    public init(_ section: AudioSection, point: Duration? = nil) {
        self.section = section
        self.point = section == .midroll ? point ?? .zero : nil
    }

    /// As outputs show it: `section` and `point_ms`.
    var details: [PlaybackDetail] {
        [PlaybackDetail("section", section.rawValue), PlaybackDetail("point_ms", milliseconds: point)]
    }
}

/// An audio ad, where it stands, and what the listener may do while it plays (S4.49–S4.55).
public struct AudioAd: Hashable, Sendable {
    private var held: HeldAd
    /// Where it stands.
    public var place: AudioPlace
    /// Whether the listener may seek in it.
    public var allowsSeek = false
    /// Whether the listener may skip it, once its skip offset has been heard.
    public var allowsSkip: Bool
    /// Whether the listener may pause it.
    public var allowsPause = true
    /// Whether the listener may go to another track while it plays.
    public var allowsTrackChange = false
    /// A text to show while it plays.
    public var adText: String?
    /// Whether it plays only in the place of one that fails.
    public var isSpare = false

    /// An ad at a place; the listener may pause it, and skip it when its document says so.
    public init(_ ad: ResolvedAd, at place: AudioPlace) {
        self.init(holding: HeldAd(ad), at: place)
    }

    /// The same, of an ad as somebody else holds it; a packed one stays packed.
    package init(holding held: HeldAd, at place: AudioPlace) {
        self.held = held
        self.place = place
        allowsSkip = held.ad.isSkippable
    }

    /// The ad.
    public var ad: ResolvedAd {
        get { held.ad }
        set { held = HeldAd(newValue) }
    }

    /// The same, quick to look at.
    var unpacked: AudioAd {
        var copy = self
        copy.held.unpack()
        return copy
    }

    /// The media file to play: the best of those that fit the player.
    public var mediaFile: MediaFile? { ad.mediaFiles.first }
}

/// The ads of one content item, as they were loaded.
public struct AudioProgram: Hashable, Sendable {
    /// The most ads of one programme that are looked at.
    public static let adLimit = 500

    /// In play order, spare ones among them; an ad's key is its place in this list.
    public let ads: [AudioAd]

    /// A programme; what goes beyond ``adLimit`` is dropped.
    public init(_ ads: [AudioAd]) {
        self.ads = Array(ads.prefix(Self.adLimit))
    }

    /// Content positions that have mid-rolls, rising.
    public var midpoints: [Duration] {
        Set(ads.lazy.filter { $0.place.section == .midroll && !$0.isSpare }.compactMap(\.place.point)).sorted()
    }

    /// The keys of the ads at a place, in play order.
    func keys(at place: AudioPlace, spare: Bool = false) -> [AdKey] {
        ads.indices.filter { ads[$0].place == place && ads[$0].isSpare == spare }.map(AdKey.init)
    }
}
