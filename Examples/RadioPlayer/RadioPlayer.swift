// A radio in the terminal: a song with a pre-roll, mid-rolls and a post-roll, a companion, and a log of sections.
//
//   swift run RadioPlayer                                     a programme that is built in, in real time
//   swift run RadioPlayer --fast                              the same, twenty times as fast
//   swift run RadioPlayer --gateway http://127.0.0.1:8080 --placement morning_radio     of a gateway (needs curl)
//   … --play 'mpg123 -q'                                      heard: the command gets each ad's address
//
// While it runs: s and Enter skips the ad, x the section, p pauses and goes on, c clicks the companion, q ends.
import Synchronization
import WeirModel
import WeirPlayback
import WeirTime
import WeirVAST

@main
enum RadioPlayer {
    static func main() async {
        let options = Options(Array(CommandLine.arguments.dropFirst()))
        let clock = SystemClock()
        let host = RadioHost(clock: clock, speed: options.speed)
        let source: any InstreamAudioAdSource =
            options.gateway.map { GatewayAudioSource(gateway: $0, fetch: Curl.fetch) } ?? BuiltInSource()
        let ad = InstreamAudioAd(
            slotID: options.placement,
            in: InstreamAudioAdEnvironment(
                source: source,
                isDebugging: true,
                beacons: { host.beacon($0, calls: options.gateway != nil) },
                log: { host.say("  note: \($0)") }
            )
        )
        let player: any InstreamAudioAdPlayer =
            options.command.map { CommandPlayer(command: $0) } ?? TerminalPlayer(clock: clock, speed: options.speed)
        ad.delegate = host
        ad.player = player
        // One point beyond the song and one without ads: the first is dropped, the second never offered.
        ad.configureMidpoints(seconds: [10, 15, 20, 999], contentDuration: RadioHost.songLength)
        let driving = Task { await ad.run() }
        let keys = Task.detached {
            while let line = readLine() { host.key(line, ad) }
        }
        await ad.load()
        await host.play(ad)
        driving.cancel()
        keys.cancel()
        withExtendedLifetime(player) {}
    }
}

/// What the command line says.
struct Options {
    var speed = 1.0
    var gateway: String?
    var placement = "morning_radio"
    var command: [String]?

    init(_ arguments: [String]) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--fast": speed = 20
            case "--gateway": gateway = rest.popFirst()
            case "--placement": placement = rest.popFirst() ?? placement
            case "--play": command = rest.popFirst()?.split(separator: " ").map(String.init)
            default: print("unknown: \(argument)")
            }
        }
    }
}

/// The application: plays the song, hears of ads, draws the companion.
final class RadioHost: InstreamAudioAdDelegate {
    static let songLength = 30.0

    private let clock: any GatewayClock
    private let speed: Double
    private let start: ContinuousClock.Instant
    private let state = Mutex(State())

    private struct State {
        var isWaiting = false
        var isPaused = false
        var isOver = false
        var banner: AudioBanner?
    }

    init(clock: any GatewayClock, speed: Double) {
        self.clock = clock
        self.speed = speed
        start = clock.now
    }

    func say(_ text: String) { print(text) }

    func beacon(_ due: DueBeacon, calls: Bool) {
        say("  beacon: \(due.beacon.name)")
        if calls { Curl.call(MacroExpander(clock: clock).expand(due.beacon.url, use: due.beacon.use)) }
    }

    /// Plays the song from its beginning, and the sections where they are due.
    func play(_ ad: InstreamAudioAd) async {
        await section { ad.startPreroll() }
        var points = ad.midpoints
        say("song: begins; mid-rolls at \(points)")
        var position = 0.0
        while position < Self.songLength, !state.withLock({ $0.isOver }) {
            try? await clock.sleep(for: .milliseconds(Int(1000 / speed)))
            position += 1
            ad.take(.playhead(.milliseconds(Int(position * 1000))))
            guard let point = points.first, point <= position else { continue }
            points.removeFirst()
            say("song: at \(Int(position)) s")
            await section { ad.startMidroll(point: point) }
        }
        say("song: ends")
        ad.take(.contentComplete)
        if !state.withLock({ $0.isOver }) { await section { ad.startPostroll() } }
    }

    private func section(_ begin: () -> Void) async {
        begin()
        while state.withLock({ $0.isWaiting }) { try? await clock.sleep(for: .milliseconds(20)) }
    }

    func key(_ key: String, _ ad: InstreamAudioAd) {
        switch key {
        case "s": ad.skipBanner()
        case "x": ad.skip()
        case "c": state.withLock { $0.banner?.companions.first }.map { ad.handleCompanionClick($0) }
        case "p":
            let isPaused = state.withLock { state in
                state.isPaused.toggle()
                return state.isPaused
            }
            if isPaused { ad.pause() } else { ad.resume() }
        case "q":
            state.withLock { $0.isOver = true }
            ad.take(.destroy)
        default: break
        }
    }

    // MARK: What it hears

    func onLoad(_ ad: InstreamAudioAd) { say("ads: loaded") }
    func onNoAd(_ reason: String, _ ad: InstreamAudioAd) { say("ads: none (\(reason))") }
    func onError(_ reason: String, _ ad: InstreamAudioAd) { say("ad failed: \(reason)") }
    func onContentPauseRequested(_ ad: InstreamAudioAd) {
        state.withLock { $0.isWaiting = true }
        say("song: waits")
    }
    func onContentResumeRequested(_ ad: InstreamAudioAd) {
        state.withLock { $0.isWaiting = false }
        say("song: goes on")
    }
    func onBannerStart(_ banner: AudioBanner, _ ad: InstreamAudioAd) {
        state.withLock { $0.banner = banner }
        say(
            "ad \(banner.position) of \(banner.total), \(banner.duration.map { "\($0)" } ?? "?"): \(banner.adText ?? "")"
        )
        guard let companion = banner.companions.first else { return }
        say("  ┌" + String(repeating: "─", count: 40))
        say("  │ \(companion.resources.first?.value ?? "") (\(companion.width ?? 0) × \(companion.height ?? 0))")
        say("  └" + String(repeating: "─", count: 40))
        // Only now that it is on the screen.
        ad.handleCompanionShow(companion)
    }
    func onBannerTimeLeftChange(_ timeLeft: Double, duration: Double, _ ad: InstreamAudioAd) {
        if timeLeft == timeLeft.rounded() { say("  \(Int(timeLeft)) s left") }
    }
    func onBannerComplete(_ banner: AudioBanner, _ ad: InstreamAudioAd) { say("ad \(banner.position): complete") }
    func onComplete(_ section: AudioSection, _ ad: InstreamAudioAd) { say("section \(section.rawValue): complete") }
    func onLeaveApplication(_ url: String, _ ad: InstreamAudioAd) { say("  opens \(url)") }
}
