import Testing

@testable import WeirVAST

@Suite("Tracking")
struct TrackingTests {
    private func ad(_ events: String, duration: Duration? = .seconds(100)) -> ResolvedAd {
        let text = Sample.vast(
            Sample.inLine(
                "a",
                extra: """
                    <ViewableImpression><Viewable>view</Viewable><NotViewable>not</NotViewable></ViewableImpression>\
                    <AdVerifications><Verification vendor="v"><TrackingEvents><Tracking event="verificationNotExecuted">\
                    vne?[REASON]</Tracking></TrackingEvents></Verification></AdVerifications>
                    """,
                linear: """
                    <TrackingEvents>\(events)</TrackingEvents><VideoClicks><ClickTracking>click</ClickTracking>\
                    </VideoClicks>
                    """
            )
        )
        var inLine = VASTReader().read(text).vast?.ads.first?.inLine ?? InLine()
        inLine.creatives[0].linear?.duration = duration
        return ResolvedAd(id: "a", inLine: inLine)
    }

    private static let all = [
        "loaded", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "creativeView", "mute", "skip",
        "pause", "rewind", "notUsed", "fullscreen", "first-quartile",
    ].map { "<Tracking event=\"\($0)\">\($0)</Tracking>" }.joined()

    private func run(_ ad: ResolvedAd, _ inputs: [PlaybackInput]) -> [String] {
        var tracking = AdTracking(ad: ad)
        return inputs.flatMap { tracking.take($0).map(\.url) }
    }

    @Test("a play from start to end gives each event once, in order")
    func fullPlay() {
        let positions = (0...100).map { PlaybackInput.position(.seconds($0)) }
        let due = run(ad(Self.all), [.loaded, .loaded, .started, .started] + positions + [.completed, .completed])
        #expect(
            due == [
                "loaded", "https://t.test/imp/a", "creativeView", "start", "firstQuartile", "midpoint", "thirdQuartile",
                "complete",
            ]
        )
    }

    @Test("coarse positions and a repeated play lose and double nothing")
    func coarse() {
        let due = run(ad(Self.all), [.started, .position(.seconds(60)), .position(.seconds(10)), .completed])
        #expect(due.dropFirst(3) == ["firstQuartile", "midpoint", "thirdQuartile", "complete"])
    }

    @Test("what is jumped over was not played: no quartiles of it, no complete")
    func seek() {
        let due = run(
            ad(Self.all),
            [.started, .position(.seconds(30)), .seeked(.seconds(80)), .position(.seconds(99)), .completed]
        )
        #expect(due.dropFirst(3) == ["firstQuartile"])
        let back = run(
            ad(Self.all),
            [.started, .position(.seconds(30)), .seeked(.seconds(10)), .position(.seconds(55))]
        )
        #expect(back.dropFirst(3) == ["firstQuartile", "rewind", "midpoint"])
    }

    @Test("who jumps ahead and comes back hears no earlier quartile after a later one")
    func quartilesInOrder() {
        let due = run(
            ad(Self.all),
            [.started, .position(.seconds(10)), .seeked(.seconds(60)), .position(.seconds(80)), .seeked(.seconds(5))]
                + [.position(.seconds(99)), .completed]
        )
        #expect(due.filter { $0.hasSuffix("Quartile") || $0 == "midpoint" } == ["thirdQuartile"])
    }

    @Test("progress comes by time and by percentage, once each, and percentages need a duration")
    func progress() {
        let events = [
            ("00:00:15.333", "p15333"), ("00:00:15.000", "p15"), ("60%", "p60"), ("01:30:15.000", "never"),
            ("x", "bad"),
            ("00:00:00", "p0"),
        ].map { "<Tracking event=\"progress\" offset=\"\($0.0)\">\($0.1)</Tracking>" }.joined()
        let positions = [15.1, 15.4, 70, 20, 70, 100].map { PlaybackInput.position(.milliseconds(Int64($0 * 1000))) }
        #expect(run(ad(events), [.started] + positions).dropFirst() == ["p0", "p15", "p15333", "p60"])
        #expect(run(ad(events, duration: nil), [.started] + positions).dropFirst() == ["p0", "p15", "p15333"])
    }

    @Test("nothing comes before the start or after the end")
    func bounds() {
        #expect(run(ad(Self.all), [.paused, .position(.seconds(50)), .completed, .skipped]) == [])
        #expect(run(ad(Self.all), [.started, .skipped, .completed, .paused, .failed(.linear)]).last == "skip")
        #expect(run(ad(Self.all), [.loaded, .discarded, .started]) == ["loaded", "notUsed"])
        #expect(run(ad(Self.all), [.started, .discarded]).contains("notUsed") == false)
    }

    @Test("old names are today's events, unknown names never come")
    func names() {
        #expect(run(ad(Self.all), [.started, .expanded]).last == "fullscreen")
        #expect(
            !run(ad(Self.all), [.started, .event(EventName(rawValue: "first-quartile"))]).contains("first-quartile")
        )
    }

    @Test("a failure tells every error URL its code")
    func failure() {
        var tracking = AdTracking(ad: ad(Self.all))
        let due = tracking.take(.failed(.mediaNotFound))
        #expect(due.map(\.url) == ["a"])
        #expect(due.first?.macros["ERRORCODE"] == .number(401))
        #expect(due.first?.use == .error)
        #expect(tracking.take(.failed(.mediaNotFound)).isEmpty)
    }

    @Test("clicks repeat; verdicts on viewability exclude each other; verification says why not")
    func others() {
        #expect(run(ad(Self.all), [.started, .clicked, .clicked]).suffix(2) == ["click", "click"])
        #expect(run(ad(Self.all), [.viewable, .notViewable, .viewable]) == ["view"])
        var tracking = AdTracking(ad: ad(Self.all))
        let due = tracking.take(.verificationNotExecuted(0, .notSupported))
        #expect(due.first?.macros["REASON"] == .number(2))
        #expect(tracking.take(.verificationNotExecuted(7, .rejected)).isEmpty)
        #expect(tracking.take(.companionShown(3)).isEmpty && tracking.take(.iconClicked(-1)).isEmpty)
    }

    @Test("each beacon knows its moment")
    func moment() {
        var tracking = AdTracking(ad: ad(Self.all))
        _ = tracking.take(.started)
        let due = tracking.take(.position(.milliseconds(25_500)))
        #expect(due.first?.macros["ADPLAYHEAD"] == .text("00:00:25.500"))
        #expect(due.first?.macros["ASSETURI"] == .text("https://cdn.test/a.mp4"))
    }
}
