import Testing
import WeirPlayback
import WeirTime
import WeirVAST

@Suite("Ads manager in Swift")
struct AdsManagerTests {
    private let outside = Outside()
    private let player = ScriptedPlayer()

    private func manager(
        _ document: String,
        _ settings: PlaybackSettings? = nil,
        _ change: (inout AdsRequest) -> Void = { _ in }
    ) async throws -> AdsManager {
        let container = AdDisplayContainer(player: player, width: 640, height: 360)
        var request = AdsRequest(.document(document), adDisplayContainer: container)
        change(&request)
        return try await AdsLoader(settings: settings, transport: outside.transport).load(request).get().adsManager
    }

    @Test("S0.13 S0.14 S0.16 S0.17 a ready-made playhead and one of the host's own both make mid-rolls due")
    func playheads() async throws {
        final class OwnPlayhead: ContentPlayhead {
            let currentTime = Duration.seconds(31)
        }
        let ready = ReportedPlayhead()
        let own = OwnPlayhead()
        for playhead in [ready, own] as [any ContentPlayhead] {
            let manager = try await manager(Documents.vmap("00:00:30")) { $0.contentPlayhead = playhead }
            let host = BasicHost()
            manager.delegate = host
            manager.initialize()
            ready.report(.seconds(10))
            if playhead === ready { manager.tick() }
            #expect(!host.calls.contains("loaded"))
            ready.report(.seconds(30))
            manager.tick()
            #expect(host.calls.contains("loaded"))
        }
    }

    @Test("S0.33 S0.34 S0.37 what happens before there is a delegate is kept for it, and each kind has its own call")
    func buffering() async throws {
        let manager = try await manager(Documents.vast("a"))
        manager.initialize()
        let host = BasicHost()
        #expect(host.calls.isEmpty)
        manager.delegate = host
        #expect(host.calls == ["ad_break_ready", "loaded", "pause content", "ad_break_started"])
        manager.report(.adStarted(nil))
        manager.report(.adError(nil, reason: "decode", code: nil))
        #expect(
            host.calls.suffix(5) == [
                "impression", "error 405", "ad_break_ended", "resume content", "all_ads_completed",
            ]
        )
        #expect(player.commands == ["load 0", "play 0", "stop 0"])
    }

    @Test("S1.4 S1.30 the host is asked to draw when the picture has changed, once, and at no other time")
    func drawing() async throws {
        final class Painter: AdsManagerDelegate {
            let pictures = Lock<[CustomUI]>([])
            func adsManager(_ manager: AdsManager, didReceive event: AdEvent) {}
            func adsManager(_ manager: AdsManager, didReceive error: AdFailure) {}
            func adsManagerDidRequestContentPause(_ manager: AdsManager) {}
            func adsManagerDidRequestContentResume(_ manager: AdsManager) {}
            func adsManager(_ manager: AdsManager, show ui: CustomUI) { pictures.withLock { $0.append(ui) } }
        }
        let manager = try await manager(Documents.vast("a"))
        let painter = Painter()
        manager.delegate = painter
        manager.initialize()
        manager.start()
        manager.report(.adStarted(nil))
        for tenth in 1...99 {
            manager.report(.adProgress(nil, position: .milliseconds(tenth * 100), duration: .seconds(10)))
        }
        let pictures = painter.pictures.withLock { $0 }
        #expect(!pictures.isEmpty)
        #expect(zip(pictures, pictures.dropFirst()).allSatisfy { $0 != $1 })
        #expect(pictures.last == manager.customUI)
        // An ad with controls of its own changes nothing from second to second.
        #expect(pictures.count <= 2)
        manager.report(.adCompleted(nil))
        #expect(painter.pictures.withLock { $0.last } == .hidden)
    }

    @Test("S0.15 S0.20 while an ad shows no wish of the viewer's reaches the content player")
    func transport() async throws {
        let manager = try await manager(Documents.vast("a"))
        let host = BasicHost()
        manager.delegate = host
        #expect(manager.allows(.seek(.seconds(5))))
        manager.initialize()
        #expect(!manager.allows(.play))
        manager.report(.adStarted(nil))
        manager.report(.adCompleted(nil))
        #expect(manager.allows(.play))
    }

    @Test(
        "S3.7 S3.8 S3.10 S3.18 the proxy hears the controller first and passes every message to application and manager"
    )
    func proxy() async throws {
        final class Application: PictureInPictureDelegate {
            let heard = Lock<[PictureInPictureMessage]>([])
            func pictureInPicture(_ message: PictureInPictureMessage) { heard.withLock { $0.append(message) } }
        }
        let application = Application()
        let proxy = PictureInPictureProxy(delegate: application)
        let manager = try await manager(Documents.vast("a")) {
            $0.pictureInPictureProxy = proxy
            $0.videoDisplay = FullDisplay()
        }
        let host = BasicHost(starts: false)
        manager.delegate = host
        manager.initialize()
        for message in PictureInPictureMessage.allCases where message != .didStop { proxy.pictureInPicture(message) }
        #expect(host.calls.count { $0 == "log" } == 1)
        proxy.pictureInPicture(.didStart)
        #expect(proxy.isActive)
        manager.start()
        #expect(host.calls.last == "refused")
        proxy.pictureInPicture(.didStop)
        manager.start()
        #expect(host.calls.suffix(2) == ["pause content", "ad_break_started"])
        #expect(
            application.heard.withLock { $0 } == [
                .willStart, .didStart, .failedToStart, .willStop, .restoreUserInterface, .didStart, .didStop,
            ]
        )
    }

    @Test("S3.9 S3.11 picture-in-picture needs the video display as well; without it the messages are refused")
    func display() async throws {
        let application = BasicApplication()
        let proxy = PictureInPictureProxy(delegate: application)
        let manager = try await manager(Documents.vast("a")) { $0.pictureInPictureProxy = proxy }
        let host = BasicHost(starts: false)
        manager.delegate = host
        manager.initialize()
        proxy.pictureInPicture(.didStart)
        #expect(host.calls.last == "refused")
    }

    @Test("S3.16 the host's button toggles picture-in-picture by the controller's state")
    func toggle() {
        final class Controller: PictureInPictureController {
            let active = Lock(false)
            var isPictureInPictureActive: Bool { active.withLock { $0 } }
            func startPictureInPicture() { active.withLock { $0 = true } }
            func stopPictureInPicture() { active.withLock { $0 = false } }
        }
        let controller = Controller()
        controller.togglePictureInPicture()
        #expect(controller.isPictureInPictureActive)
        controller.togglePictureInPicture()
        #expect(!controller.isPictureInPictureActive)
    }

    @Test("S3.19 the manager keeps proxy and display although the host drops them")
    func strong() async throws {
        let application = BasicApplication()
        weak var proxy: PictureInPictureProxy?
        weak var display: FullDisplay?
        let manager = try await {
            let freshProxy = PictureInPictureProxy(delegate: application)
            let freshDisplay = FullDisplay()
            proxy = freshProxy
            display = freshDisplay
            return try await self.manager(Documents.vast("a")) {
                $0.pictureInPictureProxy = freshProxy
                $0.videoDisplay = freshDisplay
            }
        }()
        #expect(proxy != nil && display != nil)
        proxy?.pictureInPicture(.didStart)
        #expect(proxy?.isActive == true)
        withExtendedLifetime(manager) {}
    }

    @Test("S3.6 background playback is read from the loader's settings when the loader is made")
    func background() async throws {
        var settings = PlaybackSettings()
        settings.enableBackgroundPlayback = true
        for (given, pauses) in [(settings, false), (nil, true)] as [(PlaybackSettings?, Bool)] {
            let manager = try await manager(Documents.vast("a"), given) { $0.videoDisplay = FullDisplay() }
            let host = BasicHost()
            manager.delegate = host
            manager.initialize()
            manager.report(.adStarted(nil))
            manager.report(.appBackground)
            #expect(host.calls.contains("paused") == pauses)
        }
    }

    @Test("the async stream gives every output from the beginning, numbered without gaps, and ends with the session")
    func stream() async throws {
        let manager = try await manager(Documents.vast("a"))
        manager.initialize()
        let outputs = manager.outputs
        manager.start()
        manager.report(.adStarted(nil))
        manager.report(.adCompleted(nil))
        manager.destroy()
        var seqs: [Int] = []
        var types: [String] = []
        for await output in outputs {
            seqs.append(output.seq)
            types.append(output.type)
        }
        #expect(seqs == Array(1...seqs.count))
        #expect(types.first == "ads_loaded" && types.contains("complete"))
        for await _ in manager.outputs { break }
    }

    @Test("the interface is shown as one picture, only when it has changed")
    func pictures() async throws {
        final class Host: AdsManagerDelegate {
            let pictures = Lock<[CustomUI]>([])
            func adsManager(_ manager: AdsManager, didReceive event: AdEvent) {
                if event.type == .loaded { manager.start() }
            }
            func adsManager(_ manager: AdsManager, didReceive error: AdFailure) {}
            func adsManagerDidRequestContentPause(_ manager: AdsManager) {}
            func adsManagerDidRequestContentResume(_ manager: AdsManager) {}
            func adsManager(_ manager: AdsManager, show ui: CustomUI) { pictures.withLock { $0.append(ui) } }
        }
        let hideable = #"<Extensions><Extension type="uiSettings"><UiHideable>1</UiHideable></Extension></Extensions>"#
        let manager = try await manager(Documents.vast("a", extra: hideable))
        let host = Host()
        manager.delegate = host
        var rendering = AdsRenderingSettings()
        rendering.disableUI = true
        manager.initialize(with: rendering)
        manager.report(.adStarted(nil))
        for tenth in 1...20 {
            manager.report(.adProgress(nil, position: .milliseconds(tenth * 100), duration: .seconds(10)))
        }
        manager.report(.adCompleted(nil))
        let texts = host.pictures.withLock { $0.map(\.countdownText) }
        #expect(texts == ["", "Ad (10s)", "Ad (9s)", "Ad (8s)", ""])
    }

    @Test("beacons are called once each with the moment's macros filled")
    func beacons() async throws {
        let document = Documents.vast("a").replacing(
            "/impression",
            with: "/impression?at=[ADPLAYHEAD]&r=[CACHEBUSTING]"
        )
        let manager = try await manager(document)
        let host = BasicHost()
        manager.delegate = host
        manager.initialize()
        manager.report(.adStarted(nil))
        manager.report(.adStarted(nil))
        #expect(outside.called.count == 1)
        let url = try #require(outside.called.first)
        #expect(url.hasPrefix("https://t.test/a/impression?at=00%3A00%3A00.000&r="))
        #expect(!url.contains("["))
    }
}

/// An application that listens and does nothing.
private final class BasicApplication: PictureInPictureDelegate {
    func pictureInPicture(_ message: PictureInPictureMessage) {}
}
