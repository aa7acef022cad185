public import WeirVAST

/// What a host may know about an ad while it plays, after IMA's `IMAAd`.
public struct AdInfo: Hashable, Sendable {
    /// Which ad of the schedule it is.
    public var key: AdKey
    /// The ad server's id.
    public var id: String?
    /// The ad's name.
    public var title: String?
    /// The ad server.
    public var system: String?
    /// The creative's id.
    public var creativeID: String?
    /// How long it plays, as the document says or the player found.
    public var duration: Duration?
    /// Whether the viewer may skip it.
    public var isSkippable: Bool
    /// When, counted from its start; `nil`: never, or not known yet.
    public var skipTimeOffset: Duration?
    /// Whether its own controls are hidden: asked for, entitled and allowed by the ad (S1.32).
    public var isUIDisabled: Bool
    /// Its place in the pod.
    public var pod: AdPodInfo
    /// The landing page, macros not filled.
    public var clickThrough: String?

    /// What a host may know.
    public init(key: AdKey, ad: ResolvedAd, pod: AdPodInfo, isUIDisabled: Bool) {
        self.key = key
        id = ad.id
        title = ad.title
        system = ad.system?.name
        creativeID = ad.creativeID
        duration = ad.duration
        skipTimeOffset = ad.skipOffset
        // An offset that cannot be read will never come; a percentage may once the duration is known.
        isSkippable =
            switch ad.linear?.skipOffset {
            case .time, .percent: true
            case .unreadable, nil: false
            }
        self.isUIDisabled = isUIDisabled
        self.pod = pod
        clickThrough = ad.clickThrough
    }

    /// As events show it; the whole ad comes with `load_ad`.
    var details: [PlaybackDetail] {
        [
            PlaybackDetail("key", key.index), PlaybackDetail("id", id), PlaybackDetail("title", title),
            PlaybackDetail("creative_id", creativeID), PlaybackDetail("duration_ms", milliseconds: duration),
            PlaybackDetail("skippable", isSkippable),
            PlaybackDetail("skip_offset_ms", milliseconds: skipTimeOffset),
            PlaybackDetail("ui_disabled", isUIDisabled), PlaybackDetail("pod", .object(pod.details)),
        ]
    }
}

/// An ad's place in its pod, after IMA's `IMAAdPodInfo`.
public struct AdPodInfo: Hashable, Sendable {
    /// The position in the pod, from 1 (S1.25).
    public var adPosition: Int
    /// How many ads the pod has.
    public var totalAds: Int
    /// 0 before the content, 1, 2, … within it in content order, -1 after it.
    public var podIndex: Int
    /// The content position: 0 before the content, -1 ms after it.
    public var timeOffset: BreakSchedule.CuePoint

    var details: [PlaybackDetail] {
        [
            PlaybackDetail("position", adPosition), PlaybackDetail("total", totalAds),
            PlaybackDetail("pod_index", podIndex), PlaybackDetail("time_offset_ms", .integer(timeOffset.sentinel)),
        ]
    }
}

/// A break as events name it.
public struct BreakInfo: Hashable, Sendable {
    /// The sender's id.
    public var id: String?
    /// Where it stands in the content.
    public var cuePoint: BreakSchedule.CuePoint
    /// 0 for the first time, more for repetitions.
    public var repetition: Int
    /// How many ads it has.
    public var totalAds: Int

    var details: [PlaybackDetail] {
        [
            PlaybackDetail("id", id), PlaybackDetail("time_offset_ms", .integer(cuePoint.sentinel)),
            PlaybackDetail("repetition", repetition), PlaybackDetail("total_ads", totalAds),
        ]
    }
}
