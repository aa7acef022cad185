// The flow of IMA's "get started": content player, loader, request, manager, start on loaded, pause and resume.
// Run it: swift run BasicPlayer
import WeirPlayback
import WeirVAST

/// The host: its content player is a number that grows.
final class BasicHost: AdsLoaderDelegate, AdsManagerDelegate {
    func adsLoader(_ loader: AdsLoader, adsLoadedWith data: AdsLoadedData) {
        print("loaded: cue points \(data.adsManager.cuePoints)")
        // The delegate first, then initialize: nothing is missed.
        data.adsManager.delegate = self
        data.adsManager.initialize()
    }

    func adsLoader(_ loader: AdsLoader, failedWith data: AdLoadingErrorData) {
        print("no ads: \(data.adError.message)")
        print("  content player: plays")
    }

    func adsManager(_ manager: AdsManager, didReceive event: AdEvent) {
        print("event: \(event.type.rawValue)")
        // Play each ad once it has loaded.
        if event.type == .loaded { manager.start() }
    }

    func adsManager(_ manager: AdsManager, didReceive error: AdFailure) {
        print("ad error \(error.code): \(error.message)")
    }

    func adsManagerDidRequestContentPause(_ manager: AdsManager) { print("  content player: pauses and hides") }
    func adsManagerDidRequestContentResume(_ manager: AdsManager) { print("  content player: shows and plays") }
}

@main
enum BasicPlayer {
    static func main() async {
        let player = SimulatedPlayer()
        let playhead = ReportedPlayhead()
        let host = BasicHost()
        // One loader for the life of the application. A real host fetches with its HTTP client here.
        let loader = AdsLoader(
            transport: AdsTransport(
                fetch: { _ in .empty },
                call: { print("    beacon: \($0)") }
            )
        )
        loader.delegate = host
        let request = AdsRequest(
            .document(Schedule.text),
            adDisplayContainer: AdDisplayContainer(player: player, width: 640, height: 360),
            contentPlayhead: playhead
        )
        guard case .success(let data) = await loader.load(request) else { return }
        let manager = data.adsManager
        // The content stands still while the ad player has something to do.
        func playAds() {
            while let report = player.nextReport() { manager.report(report) }
        }
        playAds()
        for second in 0...20 {
            playhead.report(.seconds(second))
            manager.tick()
            playAds()
            if second % 10 == 0 { print("content at \(second) s") }
        }
        print("content ends")
        loader.contentComplete()
        playAds()
        manager.destroy()
        withExtendedLifetime(host) {}
    }
}

/// A schedule with a pre-roll, a mid-roll at ten seconds and a post-roll.
enum Schedule {
    static let text = """
        <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
        \(adBreak("start"))\(adBreak("00:00:10"))\(adBreak("end"))
        </vmap:VMAP>
        """

    private static func adBreak(_ offset: String) -> String {
        """
        <vmap:AdBreak timeOffset="\(offset)" breakType="linear"><vmap:AdSource><vmap:VASTAdData>
        <VAST version="4.2"><Ad id="\(offset)"><InLine><AdSystem>example</AdSystem><AdTitle>Example</AdTitle>
        <Impression>https://ads.example/impression?at=\(offset)</Impression><Creatives><Creative><Linear>
        <Duration>00:00:05</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640"
        height="360">https://ads.example/film.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine>
        </Ad></VAST></vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>
        """
    }
}
