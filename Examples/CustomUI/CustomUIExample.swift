// Controls of the host's own over an ad: disable the ad's, show three elements, fill them from the ad.
// Run it: swift run CustomUI
import WeirPlayback
import WeirVAST

/// Draws the picture that the manager gives, as text.
final class CustomUIHost: AdsManagerDelegate {
    func adsManager(_ manager: AdsManager, didReceive event: AdEvent) {
        if event.type == .loaded { manager.start() }
        if event.type == .refused || event.type == .log { print("  (\(event.payload))") }
    }

    func adsManager(_ manager: AdsManager, didReceive error: AdFailure) { print("error: \(error.message)") }
    func adsManagerDidRequestContentPause(_ manager: AdsManager) { print("content pauses") }
    func adsManagerDidRequestContentResume(_ manager: AdsManager) { print("content plays") }

    func adsManager(_ manager: AdsManager, show ui: CustomUI) {
        guard ui.isCustomUIVisible else { return print(ui.isAdUIVisible ? "[the ad's own controls]" : "[no controls]") }
        let skip = ui.isSkipVisible ? (ui.isSkipEnabled ? "[\(ui.skipText)]" : "(\(ui.skipText))") : ""
        print("\(ui.countdownText)  [Learn more]  \(skip)")
    }
}

/// A player that only takes commands; the example reports for it.
final class QuietPlayer: AdPlayer {
    func load(_ ad: AdInfo, _ file: MediaFile) {}
    func play(_ ad: AdKey) {}
    func pause(_ ad: AdKey) {}
    func resume(_ ad: AdKey) {}
    func stop(_ ad: AdKey) {}
    func setVolume(_ volume: Double) {}
    func open(_ url: String) { print("opens \(url)") }
}

@main
enum CustomUIExample {
    static func main() async {
        let host = CustomUIHost()
        let loader = AdsLoader(transport: AdsTransport(fetch: { _ in .empty }, call: { _ in }))
        let container = AdDisplayContainer(player: QuietPlayer(), width: 640, height: 360)
        let request = AdsRequest(.document(pod), adDisplayContainer: container)
        guard case .success(let data) = await loader.load(request) else { return }
        let manager = data.adsManager
        manager.delegate = host
        var rendering = AdsRenderingSettings()
        rendering.disableUI = true
        manager.initialize(with: rendering)
        for ad in 0...1 {
            manager.report(.adStarted(nil))
            for second in 0...5 {
                manager.report(.adProgress(nil, position: .seconds(second), duration: .seconds(8)))
                if ad == 0, second == 1 { manager.skip() }
            }
            // The first ad can be skipped by now; the second one allows no controls but its own.
            if ad == 0 { manager.skip() } else { manager.report(.adCompleted(nil)) }
        }
        withExtendedLifetime(host) {}
    }

    private static let pod = #"<VAST version="4.2">\#(ad(1, hideable: true))\#(ad(2, hideable: false))</VAST>"#

    private static func ad(_ place: Int, hideable: Bool) -> String {
        """
        <Ad id="\(place)" sequence="\(place)"><InLine><AdSystem>example</AdSystem>
        <Extensions><Extension type="uiSettings"><UiHideable>\(hideable ? 1 : 0)</UiHideable></Extension></Extensions>
        <Impression>https://ads.example/i</Impression><AdTitle>Example</AdTitle><Creatives><Creative>
        <Linear skipoffset="00:00:05"><Duration>00:00:08</Duration><MediaFiles><MediaFile delivery="progressive"
        type="video/mp4" width="640" height="360">https://ads.example/film.mp4</MediaFile></MediaFiles></Linear>
        </Creative></Creatives></InLine></Ad>
        """
    }
}
