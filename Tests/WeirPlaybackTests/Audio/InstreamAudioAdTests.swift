import Testing
import WeirModel
import WeirTesting
import WeirTime
import WeirVAST

@testable import WeirPlayback

@Suite("InstreamAudioAd")
struct InstreamAudioAdTests {
    @Test("S4.4 a slot is needed: without one there is no ad, and nobody is asked")
    func slot() async {
        let studio = Studio()
        let ad = studio.ad(slot: "")
        await ad.load()
        #expect(studio.diary.lines == ["no ad: There is no slot id."])
        #expect(studio.source.requests.isEmpty)
    }

    @Test("S4.5 an instance is for one track: a second load is refused, and instances share nothing")
    func oneTrack() async {
        let studio = Studio()
        let (first, second) = (studio.ad(), studio.ad())
        await first.load()
        await first.load()
        #expect(studio.source.requests.count == 1)
        #expect(first.isLoaded && !second.isLoaded)
        #expect(studio.log.lines.contains { $0.contains("load was refused") })
        await second.load()
        first.volume = 0.2
        #expect(second.volume == 1)
    }

    @Test("S4.6 remarks are made only while debugging")
    func debugging() async {
        let quiet = Studio(isDebugging: false)
        let ad = quiet.ad()
        ad.startPreroll()
        #expect(quiet.log.lines.isEmpty)
        let loud = Studio()
        loud.ad().startPreroll()
        #expect(loud.log.lines == ["start_preroll was refused: The ads are not loaded."])
    }

    @Test("S4.7 S4.11 S4.17 the player gets a delegate and commands, and its word drives the ad")
    func player() async {
        let studio = Studio()
        let ad = studio.ad()
        await ad.load()
        ad.startPreroll()
        #expect(studio.diary.lines == ["load"], "no player: nothing begins")
        ad.player = studio.player
        #expect(studio.player.adPlayerDelegate != nil)
        ad.startPreroll()
        #expect(studio.player.lines == ["volume 1.0", "play https://m.test/p1.mp3"])
        #expect(studio.diary.lines == ["load", "wait"], "the command alone is no start")
        studio.player.adPlayerDelegate?.onAdAudioStart()
        #expect(studio.diary.lines.last == "start 1 of 3")
        #expect(ad.currentBanner?.allowsSkip == true)
    }

    @Test("S4.8 S4.17 a host that calls the player's delegate at odd times corrupts nothing")
    func oddCalls() async {
        let studio = Studio()
        let ad = studio.ad()
        ad.player = studio.player
        ad.onAdAudioComplete()
        await ad.load()
        ad.onAdAudioStart()
        ad.onAdAudioStop()
        ad.startPreroll()
        ad.onAdAudioPause()
        #expect(studio.diary.lines == ["load", "wait"])
    }

    @Test("S4.9 S4.10 S4.30 the position is asked for again and again; odd answers are borne")
    func positions() async {
        let studio = Studio()
        let ad = await studio.playing()
        for position in [0, 4, .nan, -3, 2, 9, .infinity, 20] {
            studio.player.position = position
            ad.tick()
        }
        let left = studio.diary.lines.filter { $0.hasPrefix("left") }
        #expect(left == ["left 20.0 of 20.0", "left 16.0 of 20.0", "left 11.0 of 20.0", "left 0.0 of 20.0"])
    }

    @Test("S4.30 time runs by itself while somebody drives")
    func driving() async {
        let studio = Studio()
        let ad = await studio.playing()
        let driving = Task { await ad.run() }
        await studio.clock.sleepers(1)
        studio.player.position = 5
        studio.clock.advance(by: InstreamAudioAd.pollInterval)
        await studio.clock.sleepers(1)
        #expect(studio.diary.lines.contains("left 15.0 of 20.0"))
        driving.cancel()
        await driving.value
    }

    @Test("S4.12 S4.63 the volume reaches the player, brought to 0 to 1")
    func volume() async {
        let studio = Studio()
        let ad = await studio.playing()
        ad.volume = 7
        ad.volume = 0.5
        ad.volume = -1
        ad.volume = .nan
        #expect(studio.player.lines.filter { $0.hasPrefix("volume") } == ["volume 1.0", "volume 0.5", "volume 0.0"])
        #expect(ad.volume == 0)
    }

    @Test("S4.14 S4.15 S4.16 pause, resume and stop reach the player; S4.21 its answer to stop is no news")
    func commands() async {
        let studio = Studio()
        let ad = await studio.playing()
        ad.pause()
        ad.onAdAudioPause()
        ad.resume()
        ad.onAdAudioResume()
        ad.stop()
        ad.onAdAudioStop()
        #expect(studio.player.lines.suffix(3) == ["pause", "resume", "stop"])
        #expect(studio.diary.lines.suffix(2) == ["complete preroll", "go on"])
    }

    @Test("S4.22 S4.27 S4.37 an error is told and the section completes all the same")
    func errors() async {
        let studio = Studio()
        let ad = await studio.playing()
        ad.onAdAudioError(reason: "no codec")
        ad.onAdAudioStart()
        ad.onAdAudioComplete()
        ad.onAdAudioError(reason: "again")
        #expect(
            studio.diary.lines == [
                "load", "wait", "start 1 of 3", "error no codec", "start 2 of 3", "left 0.0 of 20.0", "done 2 of 3",
                "error again", "complete preroll", "go on",
            ]
        )
    }

    @Test("S4.24 a load without a delegate works; what came of it can be read")
    func noDelegate() async {
        let studio = Studio()
        let ad = InstreamAudioAd(slotID: "s", in: studio.environment)
        ad.configureMidpoints(seconds: [1, 9], contentDuration: 100)
        await ad.load()
        #expect(ad.isLoaded && ad.midpoints == [1])
    }

    @Test("S4.26 no ad: the reason, once")
    func noAd() async {
        let studio = Studio()
        studio.source.answer = .failure(InstreamAudioLoadError(code: "no_fill", reason: "Nobody has one."))
        await studio.ad().load()
        #expect(studio.diary.lines == ["no ad: Nobody has one."])
    }

    @Test(
        "S4.64 S4.65 SX.3 a network that says nothing: no ad after 10 s of the clock, once; its late answer is dropped"
    )
    func timeout() async {
        let studio = Studio()
        studio.source.hangs = true
        let ad = studio.ad()
        #expect(ad.loadingTimeout == 10)
        let loading = Task { await ad.load() }
        await studio.clock.sleepers(2)
        studio.clock.advance(by: .milliseconds(9999))
        #expect(studio.diary.lines.isEmpty)
        studio.clock.advance(by: .milliseconds(1))
        await loading.value
        #expect(studio.diary.lines == ["no ad: No ad came within 10000 ms."])
        studio.clock.advance(by: .seconds(3600))
        ad.tick()
        #expect(!ad.isLoaded && studio.diary.lines.count == 1)
    }

    @Test("S4.65 less than 5 s is 5 s")
    func leastTimeout() {
        var settings = AudioSettings()
        settings.loadingTimeout = .seconds(3)
        let ad = InstreamAudioAd(slotID: "s", settings: settings, in: Studio().environment)
        #expect(ad.loadingTimeout == 5)
    }

    @Test("S4.40 S4.41 S4.42 S4.47 S4.48 mid-points in percent come back in seconds, and are named by their value")
    func midpoints() async {
        let studio = Studio()
        let ad = studio.ad()
        ad.player = studio.player
        ad.configureMidpoints(percent: [0.5, 2.5, 150], contentDuration: 200)
        #expect(studio.log.lines.count == 1)
        await ad.load()
        #expect(studio.source.requests.first?.midpoints == [.seconds(1), .seconds(5)])
        #expect(ad.midpoints == [1, 5])
        ad.startMidroll(point: 2)
        ad.startMidroll(point: .nan)
        #expect(studio.diary.lines == ["load"])
        ad.startMidroll(point: ad.midpoints[1])
        #expect(studio.player.lines.last == "play https://m.test/m5.mp3")
        ad.stop()
        ad.startMidroll(point: 5)
        #expect(studio.log.lines.last?.contains("has been played") == true)
    }

    @Test("S4.32 S4.33 S4.56 S4.57 companions and pages: shown, clicked, opened, and the ad waits under the page")
    func companions() async throws {
        let studio = Studio()
        studio.source.answer = .success(
            AudioProgram([AudioAd(Jingle.ad("a", companions: Jingle.companions()), at: AudioPlace(.preroll))])
        )
        let ad = await studio.playing()
        let companion = try #require(ad.currentBanner?.companions.first)
        #expect(studio.beacons.lines == ["impression", "start"])
        ad.handleCompanionShow(companion)
        ad.handleCompanionShow(companion)
        ad.handleCompanionClick(companion)
        #expect(studio.beacons.lines == ["impression", "start", "creativeView", "companionClick"])
        ad.modal(isShown: true)
        ad.modal(isShown: false)
        #expect(studio.diary.lines.suffix(3) == ["leave https://brand.test/k1", "modal", "modal gone"])
        #expect(studio.player.lines.suffix(2) == ["pause", "resume"])
    }

    @Test("a delegate that acts at once is heard: skipping from within the start")
    func reentrant() async {
        let studio = Studio()
        let ad = studio.ad()
        ad.player = studio.player
        await ad.load()
        studio.diary.onStart.withLock { $0 = { ad in ad.stop() } }
        ad.startPreroll()
        ad.onAdAudioStart()
        #expect(studio.diary.lines == ["load", "wait", "start 1 of 3", "complete preroll", "go on"])
        studio.diary.onStart.withLock { $0 = nil }
    }

    @Test("taking the player away ends the section")
    func noMorePlayer() async {
        let studio = Studio()
        let ad = await studio.playing()
        ad.player = nil
        #expect(studio.player.lines.last == "stop")
        #expect(studio.diary.lines.suffix(2) == ["complete preroll", "go on"])
    }

    @Test("S4.66 S4.68 age and gender reach the request; what is no age is refused")
    func params() async throws {
        let studio = Studio()
        let ad = studio.ad()
        var params = InstreamAudioAdParams()
        try params.set(age: 25)
        params.gender = .male
        try params.set(language: "ru")
        ad.params = params
        await ad.load()
        let sent = try #require(studio.source.requests.first?.params)
        #expect(sent.age == 25 && sent.gender == .male && sent.language == "ru")
        for age in [-1, 131] { #expect(throws: PlaybackRefusal.self) { try params.set(age: age) } }
        #expect(params.age == 25)
    }

    @Test("S4.67 a language is a code of ISO 639-1", arguments: ["", "e", "eng", "EN", "xx", "zz", "e1", "русский"])
    func language(_ wrong: String) throws {
        var params = InstreamAudioAdParams()
        for right in ["ru", "en", "fr", "zh", "he"] { try params.set(language: right) }
        #expect(throws: PlaybackRefusal.self) { try params.set(language: wrong) }
        #expect(params.language == "he")
    }
}

@Suite("Audio programmes of a gateway")
struct GatewayAudioSourceTests {
    private static func spot(_ id: String, _ more: String = "") -> String {
        """
        <Ad id="\(id)"\(more) adType="audio"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
        <Impression>https://t.test/i</Impression><Extensions><Extension type="weir.audio"><AllowSeek>1</AllowSeek>
        <AllowSkip>1</AllowSkip><AllowPause>0</AllowPause><AllowTrackChange>1</AllowTrackChange>
        <AdText><![CDATA[Buy & be.]]></AdText></Extension></Extensions><Creatives><Creative><Linear>
        <Duration>00:00:10</Duration><MediaFiles><MediaFile delivery="progressive" type="audio/mpeg">
        https://m.test/\(id).mp3</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad>
        """
    }

    private static func adBreak(_ offset: String, _ ads: String) -> String {
        "<vmap:AdBreak timeOffset=\"\(offset)\" breakType=\"linear\"><vmap:AdSource allowMultipleAds=\"true\">"
            + "<vmap:VASTAdData><VAST version=\"4.2\">\(ads)</VAST></vmap:VASTAdData></vmap:AdSource></vmap:AdBreak>"
    }

    private func source(
        _ answer: FetchResult,
        asked: RewardedDiary = RewardedDiary()
    ) -> GatewayAudioSource {
        GatewayAudioSource(gateway: "https://g.test", clock: ManualClock()) { request in
            asked.note(request.url)
            return answer
        }
    }

    private var request: InstreamAudioAdRequest {
        InstreamAudioAdRequest(
            slotID: "morning show",
            midpoints: [.seconds(60), .milliseconds(300_050)],
            contentDuration: .seconds(600),
            params: InstreamAudioAdParams(),
            timeout: .seconds(10)
        )
    }

    @Test("asks for breaks by placement, duration and mid-points, and tells what is known of the listener")
    func asking() throws {
        var request = request
        try request.params.set(age: 25)
        request.params.gender = .female
        try request.params.set(language: "en")
        request.params.custom = ["genre": "jazz & co"]
        #expect(
            source(.empty).url(for: request)
                == "https://g.test/v1/vmap?placement=morning%20show&duration_ms=600000&midpoints=60%2C300.050&age=25"
                + "&gender=female&lang=en&targeting.genre=jazz%20%26%20co"
        )
    }

    @Test("breaks become places, ads beside a pod spares, and what the listener may do comes along")
    func reading() async throws {
        let pause = "<VAST version=\"4.2\">\(Self.spot("pause"))</VAST>"
        let document =
            "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">"
            + Self.adBreak("start", Self.spot("one", " sequence=\"1\"") + Self.spot("spare"))
            + Self.adBreak("00:01:00", Self.spot("sixty")) + Self.adBreak("50%", Self.spot("half"))
            + Self.adBreak("end", Self.spot("end"))
            + "<vmap:Extensions><vmap:Extension type=\"weir.pauseroll\">\(pause)</vmap:Extension></vmap:Extensions></vmap:VMAP>"
        let program = try await source(.document(Array(document.utf8))).load(request)
        #expect(program.ads.compactMap(\.ad.id) == ["one", "spare", "sixty", "half", "end", "pause"])
        #expect(program.ads.map(\.place.section) == [.preroll, .preroll, .midroll, .midroll, .postroll, .pauseroll])
        #expect(program.midpoints == [.seconds(60), .seconds(300)])
        #expect(program.ads.map(\.isSpare) == [false, true, false, false, false, false])
        let ad = program.ads[0]
        #expect(ad.allowsSeek && ad.allowsSkip && !ad.allowsPause && ad.allowsTrackChange && ad.adText == "Buy & be.")
    }

    @Test("no ad, no gateway and nonsense are errors that say so")
    func failures() async {
        let none = "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\"/>"
        let cases: [(FetchResult, String)] = [
            (.empty, "no_ad"), (.document(Array(none.utf8)), "no_ad"), (.document(Array("<html>".utf8)), "bad_answer"),
            (.failed(.timeout, message: "Too slow."), "unreachable"),
        ]
        for (answer, code) in cases {
            let error = await #expect(throws: InstreamAudioLoadError.self) { try await source(answer).load(request) }
            #expect(error?.code == code && error?.reason.isEmpty == false)
        }
    }
}

/// What an audio ad stands on in a test.
struct Studio: Sendable {
    let clock = ManualClock()
    let source: StubAudioSource
    let player = StubAudioPlayer()
    let diary = AudioDiary()
    let beacons = RewardedDiary()
    let log = RewardedDiary()
    var isDebugging = true

    init(isDebugging: Bool = true) {
        self.isDebugging = isDebugging
        source = StubAudioSource(clock: clock)
    }

    var environment: InstreamAudioAdEnvironment {
        InstreamAudioAdEnvironment(
            source: source,
            clock: clock,
            isDebugging: isDebugging,
            beacons: { [beacons] in beacons.note($0.beacon.name) },
            log: { [log] in log.note($0) }
        )
    }

    func ad(slot: String = "radio") -> InstreamAudioAd {
        let ad = InstreamAudioAd(slotID: slot, in: environment)
        ad.delegate = diary
        return ad
    }

    /// An ad whose first pre-roll is heard.
    func playing() async -> InstreamAudioAd {
        let ad = ad()
        ad.player = player
        await ad.load()
        ad.startPreroll()
        ad.onAdAudioStart()
        return ad
    }
}

final class StubAudioSource: InstreamAudioAdSource {
    private struct State {
        var requests: [InstreamAudioAdRequest] = []
        var answer: Result<AudioProgram, InstreamAudioLoadError> = .success(AudioProgram(Radio.usual))
        var hangs = false
    }

    private let clock: ManualClock
    private let state = Lock(State())

    init(clock: ManualClock) { self.clock = clock }

    var requests: [InstreamAudioAdRequest] { state.withLock { $0.requests } }
    var answer: Result<AudioProgram, InstreamAudioLoadError> {
        get { state.withLock { $0.answer } }
        set { state.withLock { $0.answer = newValue } }
    }
    var hangs: Bool {
        get { state.withLock { $0.hangs } }
        set { state.withLock { $0.hangs = newValue } }
    }

    func load(_ request: InstreamAudioAdRequest) async throws(InstreamAudioLoadError) -> AudioProgram {
        state.withLock { $0.requests.append(request) }
        // A source that takes no notice of being cancelled.
        if hangs { try? await clock.sleep(for: .seconds(1000)) }
        return try answer.get()
    }
}

final class StubAudioPlayer: InstreamAudioAdPlayer {
    private struct State {
        var lines: [String] = []
        var position = 0.0
        weak var delegate: (any InstreamAudioAdPlayerDelegate)?
    }

    private let state = Lock(State())

    var lines: [String] { state.withLock { $0.lines } }
    var position: Double {
        get { state.withLock { $0.position } }
        set { state.withLock { $0.position = newValue } }
    }
    private func note(_ line: String) { state.withLock { $0.lines.append(line) } }

    var adAudioDuration: Double { 20 }
    var adAudioTimeElapsed: Double { position }
    var adPlayerDelegate: (any InstreamAudioAdPlayerDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }
    var volume: Double {
        get { 1 }
        set { note("volume \(newValue)") }
    }
    func playAdAudio(url: String) { note("play \(url)") }
    func pauseAdAudio() { note("pause") }
    func resumeAdAudio() { note("resume") }
    func stopAdAudio() { note("stop") }
}

final class AudioDiary: InstreamAudioAdDelegate {
    private let entries = Lock<[String]>([])
    let onStart = Lock<(@Sendable (InstreamAudioAd) -> Void)?>(nil)
    var lines: [String] { entries.withLock { $0 } }
    private func note(_ line: String) { entries.withLock { $0.append(line) } }

    func onLoad(_ ad: InstreamAudioAd) { note("load") }
    func onNoAd(_ reason: String, _ ad: InstreamAudioAd) { note("no ad: \(reason)") }
    func onError(_ reason: String, _ ad: InstreamAudioAd) { note("error \(reason)") }
    func onBannerStart(_ banner: AudioBanner, _ ad: InstreamAudioAd) {
        note("start \(banner.position) of \(banner.total)")
        onStart.withLock { $0 }?(ad)
    }
    func onBannerComplete(_ banner: AudioBanner, _ ad: InstreamAudioAd) {
        note("done \(banner.position) of \(banner.total)")
    }
    func onBannerTimeLeftChange(_ timeLeft: Double, duration: Double, _ ad: InstreamAudioAd) {
        note("left \(timeLeft) of \(duration)")
    }
    func onComplete(_ section: AudioSection, _ ad: InstreamAudioAd) { note("complete \(section.rawValue)") }
    func onShowModal(_ ad: InstreamAudioAd) { note("modal") }
    func onDismissModal(_ ad: InstreamAudioAd) { note("modal gone") }
    func onLeaveApplication(_ url: String, _ ad: InstreamAudioAd) { note("leave \(url)") }
    func onContentPauseRequested(_ ad: InstreamAudioAd) { note("wait") }
    func onContentResumeRequested(_ ad: InstreamAudioAd) { note("go on") }
}
