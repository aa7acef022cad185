internal import WeirVAST

extension AudioOutput {
    /// What it says besides.
    public var details: [PlaybackDetail] {
        switch self {
        case .adsLoaded(let midpoints, let context):
            [
                PlaybackDetail("cue_points_ms", .list(midpoints.map { .integer($0.playbackMilliseconds) })),
                PlaybackDetail("user_context", context),
            ]
        case .loadFailed(let code, let message, let context):
            [
                PlaybackDetail("code", code), PlaybackDetail("message", message),
                PlaybackDetail("user_context", context),
            ]
        case .noAd(let reason): [PlaybackDetail("reason", reason)]
        case .contentPauseRequested(let place), .contentResumeRequested(let place): place.details
        case .bannerStart(let key, let banner), .bannerComplete(let key, let banner):
            [PlaybackDetail("ad", .ad(key)), PlaybackDetail("banner", .object(banner.details))]
        case .bannerTimeLeft(_, let left, let duration):
            [
                PlaybackDetail("time_left_ms", milliseconds: left),
                PlaybackDetail("duration_ms", milliseconds: duration),
            ]
        case .sectionComplete(let place, let played): place.details + [PlaybackDetail("ads_played", played)]
        case .error(let key, let reason): [PlaybackDetail("ad", .ad(key)), PlaybackDetail("reason", reason)]
        case .midpointReached(let point): [PlaybackDetail("point_ms", milliseconds: point)]
        case .log(let message): [PlaybackDetail("message", message)]
        case .refused(let refusal): refusal.details
        case .loadAd(let key, let file), .playAd(let key, let file):
            [PlaybackDetail("ad", .ad(key)), PlaybackDetail("media_file", file.url), PlaybackDetail("mime", file.type)]
        case .seekAd(let key, let position):
            [PlaybackDetail("ad", .ad(key)), PlaybackDetail("to_ms", milliseconds: position)]
        case .loaded(let key), .skipped(let key), .paused(let key), .resumed(let key), .clicked(let key),
            .pauseAd(let key), .resumeAd(let key), .stopAd(let key):
            [PlaybackDetail("ad", .ad(key))]
        case .setVolume(let value): [PlaybackDetail("value", .number(value))]
        case .openURL(let url): [PlaybackDetail("url", url)]
        case .track(let beacon): beacon.details
        case .load, .showModal, .dismissModal, .leaveApplication: []
        }
    }
}
