public import WeirVAST

/// What the host may know about the ad that is heard (S4.49–S4.55).
public struct AudioBanner: Hashable, Sendable {
    /// How long it is (S4.50); `nil` until the document or the player says so.
    public var duration: Duration?
    /// Whether the listener may seek in it (S4.51).
    public var allowsSeek: Bool
    /// Whether the listener may skip it (S4.52), from ``skipOffset`` on.
    public var allowsSkip: Bool
    /// After how much of it the listener may skip.
    public var skipOffset: Duration
    /// Whether the listener may pause it.
    public var allowsPause: Bool
    /// Whether the listener may go to another track (S4.53).
    public var allowsTrackChange: Bool
    /// Images and the like to show beside it (S4.54).
    public var companions: [Companion]
    /// A text to show while it plays (S4.55).
    public var adText: String?
    /// Its position in the section, from 1, and how many ads the section has.
    public var position: Int, total: Int
    /// Where a click on the ad itself leads.
    public var clickThrough: String?

    /// The banner of an ad.
    init(_ audio: AudioAd, duration: Duration?, position: Int, total: Int) {
        self.duration = duration ?? audio.ad.duration
        allowsSeek = audio.allowsSeek
        allowsSkip = audio.allowsSkip
        skipOffset = audio.ad.skipOffset ?? .zero
        allowsPause = audio.allowsPause
        allowsTrackChange = audio.allowsTrackChange
        companions = audio.ad.companions
        adText = audio.adText
        self.position = position
        self.total = total
        clickThrough = audio.ad.clickThrough
    }

    /// As an output shows it; companions by id and place, the ad itself has their contents.
    var details: [PlaybackDetail] {
        [
            PlaybackDetail("duration_ms", milliseconds: duration), PlaybackDetail("allow_seek", allowsSeek),
            PlaybackDetail("allow_skip", allowsSkip), PlaybackDetail("skip_offset_ms", milliseconds: skipOffset),
            PlaybackDetail("allow_pause", allowsPause), PlaybackDetail("allow_track_change", allowsTrackChange),
            PlaybackDetail("ad_text", adText), PlaybackDetail("position", position), PlaybackDetail("total", total),
            PlaybackDetail(
                "companions",
                .list(
                    companions.enumerated().map { index, companion in
                        .object([
                            PlaybackDetail("id", companion.id ?? String(index)),
                            PlaybackDetail("width", companion.width), PlaybackDetail("height", companion.height),
                            PlaybackDetail("rendering_mode", companion.renderingMode),
                            PlaybackDetail("static_resource", companion.resource(.static)),
                            PlaybackDetail("iframe_resource", companion.resource(.iFrame)),
                            PlaybackDetail("html_resource", companion.resource(.html)),
                            PlaybackDetail("clickable", companion.clickThrough != nil),
                        ])
                    }
                )
            ),
        ]
    }
}

extension Companion {
    /// The resource of a kind, if the companion has one.
    fileprivate func resource(_ kind: DisplayResource.Kind) -> String? { resources.first { $0.kind == kind }?.value }
}
