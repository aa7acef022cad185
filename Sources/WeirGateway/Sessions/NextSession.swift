internal import WeirPlayback

/// Tells a client which session holds the next rewarded ad, on its way already (S2.22).
struct NextSession: PlaybackOutput {
    let id: SessionID

    var kind: OutputKind { .event }
    var type: String { "next_session" }
    var details: [PlaybackDetail] { [PlaybackDetail("session", id.text)] }
}
