/// The networks that always fill, and some that never do: what `weir sandbox` and `weir demo` serve.
extension SandboxScript {
    /// A video, a rewarded and an audio network, their media and trackers, and a few networks in trouble.
    public static let standard = SandboxScript(
        networks.merging(media, uniquingKeysWith: { $1 }).merging(trouble) { $1 }
    )

    private static let networks: [String: SandboxReply] = [
        "/health/video": health(after: 40),
        "/health/rewarded": health(after: 120),
        "/health/audio": health(after: 250),
        "/video": SandboxReply(type: xml, SandboxAds.video),
        "/video/wrapper": SandboxReply(type: xml, SandboxAds.wrapper),
        "/video/vmap": SandboxReply(type: xml, SandboxAds.vmap),
        "/video/custom": SandboxReply(type: xml, SandboxAds.customVideo),
        "/video/custom/vmap": SandboxReply(type: xml, SandboxAds.customBreaks),
        "/rewarded": SandboxReply(type: json, SandboxAds.rewarded),
        "/rewarded/vast": SandboxReply(type: xml, SandboxAds.video),
        "/audio": SandboxReply(type: json, SandboxAds.sections),
        "/openrtb": SandboxReply(type: json, SandboxAds.bid(SandboxAds.video)),
        "/openrtb/audio": SandboxReply(type: json, SandboxAds.bid(SandboxAds.audio)),
        "/openrtb/nobid": SandboxReply(type: json, "{\"id\": \"sandbox\", \"seatbid\": [], \"nbr\": 8}"),
        "/audio/vast": SandboxReply(type: xml, SandboxAds.audio),
    ]

    private static let media: [String: SandboxReply] = [
        "/media/film.mp4": file(.film),
        "/media/feature.mp4": file(.feature),
        "/media/jingle.mp3": file(.jingle),
        "/media/companion.png": file(.companion),
        "/t/*": SandboxReply(status: 204),
        "/click": SandboxReply(
            type: "text/html; charset=utf-8",
            "<!DOCTYPE html><title>Weir</title><p>You clicked a test ad."
        ),
    ]

    private static let trouble: [String: SandboxReply] = [
        "/nofill": SandboxReply(status: 204),
        "/nofill/vast": SandboxReply(type: xml, SandboxAds.empty),
        "/error": SandboxReply(status: 503, type: "text/plain; charset=utf-8", "The network is down for show.\n"),
        "/broken": SandboxReply(type: xml, String(SandboxAds.video.prefix(400))),
        "/slow": slow(SandboxReply(type: xml, SandboxAds.video), otherwise: 1000),
        "/hang": slow(SandboxReply(status: 204), otherwise: SandboxReply.longestDelay),
    ]

    private static let xml = "application/xml; charset=utf-8"
    private static let json = "application/json"

    private static func health(after milliseconds: Int) -> SandboxReply {
        var reply = SandboxReply(type: "text/plain; charset=utf-8", "ok\n")
        reply.delay = .fixed(.milliseconds(milliseconds))
        return reply
    }

    private static func file(_ media: SandboxMedia) -> SandboxReply {
        var reply = SandboxReply()
        reply.body = .media(media)
        return reply
    }

    private static func slow(_ reply: SandboxReply, otherwise: Int) -> SandboxReply {
        var reply = reply
        reply.delay = .query("ms", otherwise: .milliseconds(otherwise))
        return reply
    }
}
