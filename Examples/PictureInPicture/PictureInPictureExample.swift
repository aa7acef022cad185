// Picture-in-picture: the proxy between the platform's controller and the host, and a mid-roll that waits.
// Run it: swift run PictureInPicture
import Synchronization
import WeirPlayback
import WeirVAST

/// The platform's controller, simulated: its delegate is the proxy, not the host.
final class SimulatedController: PictureInPictureController {
    private let active = Atomic(false)
    private let delegate: PictureInPictureProxy

    init(delegate: PictureInPictureProxy) { self.delegate = delegate }

    var isPictureInPictureActive: Bool { active.load(ordering: .relaxed) }

    func startPictureInPicture() {
        delegate.pictureInPicture(.willStart)
        active.store(true, ordering: .relaxed)
        delegate.pictureInPicture(.didStart)
    }

    func stopPictureInPicture() {
        delegate.pictureInPicture(.willStop)
        active.store(false, ordering: .relaxed)
        delegate.pictureInPicture(.didStop)
    }
}

/// The host hears every message of the controller, and so does the manager.
final class PictureHost: PictureInPictureDelegate, AdsManagerDelegate {
    func pictureInPicture(_ message: PictureInPictureMessage) { print("host hears: \(message.rawValue)") }

    func adsManager(_ manager: AdsManager, didReceive event: AdEvent) {
        print("event: \(event.type.rawValue)")
        // In picture-in-picture this is refused; a break that came due there starts by itself when it ends.
        if event.type == .loaded { manager.start() }
    }

    func adsManager(_ manager: AdsManager, didReceive error: AdFailure) {}
    func adsManagerDidRequestContentPause(_ manager: AdsManager) { print("  content player: pauses and hides") }
    func adsManagerDidRequestContentResume(_ manager: AdsManager) { print("  content player: shows and plays") }
}

/// What shows the content; ads can be put into its window.
final class ContentDisplay: VideoDisplay {
    let supportsPictureInPicture = true
    let supportsBackgroundPlayback = true
}

/// A player that only takes commands; the example reports for it.
final class QuietPlayer: AdPlayer {
    func load(_ ad: AdInfo, _ file: MediaFile) {}
    func play(_ ad: AdKey) { print("  ad player: plays") }
    func pause(_ ad: AdKey) {}
    func resume(_ ad: AdKey) {}
    func stop(_ ad: AdKey) {}
    func setVolume(_ volume: Double) {}
    func open(_ url: String) {}
}

@main
enum PictureInPictureExample {
    static func main() async {
        var settings = PlaybackSettings()
        settings.enableBackgroundPlayback = true
        let host = PictureHost()
        let proxy = PictureInPictureProxy(delegate: host)
        let controller = SimulatedController(delegate: proxy)
        let playhead = ReportedPlayhead()
        let loader = AdsLoader(settings: settings, transport: AdsTransport(fetch: { _ in .empty }, call: { _ in }))
        let request = AdsRequest(
            .document(midroll),
            adDisplayContainer: AdDisplayContainer(player: QuietPlayer(), width: 640, height: 360),
            contentPlayhead: playhead,
            videoDisplay: ContentDisplay(),
            pictureInPictureProxy: proxy
        )
        guard case .success(let data) = await loader.load(request) else { return }
        let manager = data.adsManager
        manager.delegate = host
        manager.initialize()
        print("the viewer presses the button")
        controller.togglePictureInPicture()
        playhead.report(.seconds(11))
        manager.tick()
        print("the viewer presses the button again")
        controller.togglePictureInPicture()
        manager.report(.adStarted(nil))
        print("the ad that runs goes on in picture-in-picture")
        controller.togglePictureInPicture()
        manager.report(.adProgress(nil, position: .seconds(3), duration: .seconds(5)))
        manager.report(.adCompleted(nil))
        withExtendedLifetime(host) {}
    }

    private static let midroll = """
        <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
        <vmap:AdBreak timeOffset="00:00:10" breakType="linear"><vmap:AdSource><vmap:VASTAdData>
        <VAST version="4.2"><Ad id="mid"><InLine><AdSystem>example</AdSystem><AdTitle>Example</AdTitle>
        <Impression>https://ads.example/i</Impression><Creatives><Creative><Linear><Duration>00:00:05</Duration>
        <MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360"
        >https://ads.example/film.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
        </vmap:VASTAdData></vmap:AdSource></vmap:AdBreak></vmap:VMAP>
        """
}
