/// How the user interface over an ad should look now: one consistent picture (S1.4).
public struct CustomUI: Hashable, Sendable {
    /// Whether the ad's own controls are to be drawn.
    public var isAdUIVisible = false
    /// Whether the host's own controls are to be drawn; hidden unless an ad plays that allows it (S1.8, S1.11).
    public var isCustomUIVisible = false
    /// Whether the host shows "Learn more" (S1.17).
    public var isLearnMoreVisible = false
    /// Whether the host shows the skip button (S1.18).
    public var isSkipVisible = false
    /// Whether the skip button does something (S1.26).
    public var isSkipEnabled = false
    /// The skip button's text; empty before the first tick (S1.19).
    public var skipText = ""
    /// The countdown's text; empty before the first tick (S1.19).
    public var countdownText = ""
    /// How long until the viewer may skip; `nil` stands for infinity (S1.9).
    public var timeTillSkip: Duration?

    /// Everything hidden.
    public static let hidden = CustomUI()

    var details: [PlaybackDetail] {
        [
            PlaybackDetail("ad_ui_visible", isAdUIVisible), PlaybackDetail("custom_ui_visible", isCustomUIVisible),
            PlaybackDetail("learn_more_visible", isLearnMoreVisible), PlaybackDetail("skip_visible", isSkipVisible),
            PlaybackDetail("skip_enabled", isSkipEnabled), PlaybackDetail("skip_text", skipText),
            PlaybackDetail("countdown_text", countdownText),
            PlaybackDetail("time_till_skip_ms", milliseconds: timeTillSkip.map { max(.zero, $0) }),
            // The controls lie over everything else (S1.10).
            PlaybackDetail("z_order", "top"),
        ]
    }
}

extension CustomUI {
    /// The picture over an ad that plays; hidden for any other.
    init(_ play: AdPlay?, usesExactIMAText: Bool) {
        guard let play, play.hasStarted else { return }
        timeTillSkip = play.timeTillSkip
        guard play.info.isUIDisabled else {
            isAdUIVisible = true
            return
        }
        isCustomUIVisible = true
        isLearnMoreVisible = true
        isSkipVisible = play.info.isSkippable
        isSkipEnabled = isSkipVisible && play.isSkippableNow
        guard play.hasTicked else { return }
        if isSkipVisible { skipText = Self.skipText(timeTillSkip: play.timeTillSkip) }
        countdownText = Self.countdownText(
            remaining: play.remaining,
            position: play.info.pod.adPosition,
            total: play.info.pod.totalAds,
            usesExactIMAText: usesExactIMAText
        )
    }

    /// `Skip this ad in 5...` while there is time left, `Skip ad` from then on (S1.28); nothing when there is no offset.
    public static func skipText(timeTillSkip: Duration?) -> String {
        guard let timeTillSkip else { return "" }
        guard timeTillSkip > .zero else { return "Skip ad" }
        return "Skip this ad in \(wholeSeconds(timeTillSkip))..."
    }

    /// `Ad 2 of 3 (12s)` or, alone, `Ad (12s)` (S1.22); without a known remainder, `Ad 2 of 3` or `Ad`.
    ///
    /// With `usesExactIMAText` the text of a single ad has the two blanks of IMA's sample, `Ad  (12s)` (S1.23).
    public static func countdownText(
        remaining: Duration?,
        position: Int,
        total: Int,
        usesExactIMAText: Bool = false
    ) -> String {
        let rest = remaining.map { " (\(wholeSeconds(max(.zero, $0)))s)" } ?? ""
        if total > 1 { return "Ad \(position) of \(total)" + rest }
        return (usesExactIMAText ? "Ad " : "Ad") + rest
    }

    /// Seconds as C's `%.f` writes them: halves go to the even number (S1.24).
    static func wholeSeconds(_ duration: Duration) -> String {
        let rounded = duration.playbackSeconds.rounded(.toNearestOrEven)
        return String(Int64(max(-9e15, min(9e15, rounded))))
    }
}
