import WeirPlayback
import WeirTime
import WeirVAST

/// A network for tests: documents by URL, and what was asked and called.
final class Outside: Sendable {
    private let state = Lock(State())

    private struct State {
        var answers: [(String, FetchResult)] = []
        var asked: [String] = []
        var called: [String] = []
    }

    /// Answers URLs that begin with `prefix`; the last rule that fits counts.
    func answer(_ prefix: String, _ result: FetchResult) {
        state.withLock { $0.answers.append((prefix, result)) }
    }

    func answer(_ prefix: String, _ text: String) { answer(prefix, .document(Array(text.utf8))) }

    var asked: [String] { state.withLock { $0.asked } }
    var called: [String] { state.withLock { $0.called } }

    var transport: AdsTransport {
        AdsTransport(
            gateway: "https://weir.test",
            fetch: { [self] request in
                state.withLock { state in
                    state.asked.append(request.url)
                    return state.answers.last { request.url.hasPrefix($0.0) }?.1
                        ?? .failed(.status(404), message: "The server answered 404.")
                }
            },
            call: { [self] url in state.withLock { $0.called.append(url) } }
        )
    }
}

/// An ad player that remembers its commands, and plays at once when it is told to be quick.
final class ScriptedPlayer: AdPlayer {
    private let log = Lock<[String]>([])
    var commands: [String] { log.withLock { $0 } }

    private func note(_ text: String) { log.withLock { $0.append(text) } }
    func load(_ ad: AdInfo, _ file: MediaFile) { note("load \(ad.key.index)") }
    func play(_ ad: AdKey) { note("play \(ad.index)") }
    func pause(_ ad: AdKey) { note("pause \(ad.index)") }
    func resume(_ ad: AdKey) { note("resume \(ad.index)") }
    func stop(_ ad: AdKey) { note("stop \(ad.index)") }
    func setVolume(_ volume: Double) { note("volume \(volume)") }
    func open(_ url: String) { note("open \(url)") }
}

/// A host after the basic sample: starts on loaded, follows pause and resume.
final class BasicHost: AdsLoaderDelegate, AdsManagerDelegate {
    private let log = Lock<[String]>([])
    private let starts: Bool

    init(starts: Bool = true) { self.starts = starts }

    var calls: [String] { log.withLock { $0 } }
    private func note(_ text: String) { log.withLock { $0.append(text) } }

    func adsLoader(_ loader: AdsLoader, adsLoadedWith data: AdsLoadedData) { note("loaded \(data.requestID)") }
    func adsLoader(_ loader: AdsLoader, failedWith data: AdLoadingErrorData) {
        note("failed \(data.requestID) \(data.adError.code)")
    }
    func adsManager(_ manager: AdsManager, didReceive event: AdEvent) {
        note(event.type.rawValue)
        if starts, event.type == .loaded { manager.start() }
    }
    func adsManager(_ manager: AdsManager, didReceive error: AdFailure) { note("error \(error.code)") }
    func adsManagerDidRequestContentPause(_ manager: AdsManager) { note("pause content") }
    func adsManagerDidRequestContentResume(_ manager: AdsManager) { note("resume content") }
}

/// A picture of the content player that can do everything.
final class FullDisplay: VideoDisplay {
    let supportsPictureInPicture = true
    let supportsBackgroundPlayback = true
}

enum Documents {
    static func vast(_ id: String, version: String = "3.0", extra: String = "") -> String {
        """
        <VAST version="\(version)"><Ad id="\(id)"><InLine><AdSystem>x</AdSystem><AdTitle>t</AdTitle>
        <Impression>https://t.test/\(id)/impression</Impression><Creatives><Creative><Linear>
        <Duration>00:00:10</Duration><MediaFiles>
        <MediaFile delivery="progressive" type="video/mp4" width="1" height="1">https://m.test/\(id).mp4</MediaFile>
        </MediaFiles></Linear></Creative></Creatives>\(extra)</InLine></Ad></VAST>
        """
    }

    static func vmap(_ offsets: String...) -> String {
        let breaks = offsets.enumerated().map { place, offset in
            """
            <vmap:AdBreak timeOffset="\(offset)" breakType="linear"><vmap:AdSource><vmap:VASTAdData>\(vast("v\(place)"))
            </vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>
            """
        }
        return
            #"<vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">\#(breaks.joined())</vmap:VMAP>"#
    }
}
