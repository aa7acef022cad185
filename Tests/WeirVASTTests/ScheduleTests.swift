import Testing

@testable import WeirVAST

@Suite("Break schedule")
struct ScheduleTests {
    private func schedule(_ offsets: [TimeOffset], _ duration: Duration?, repeatAfter: Duration? = nil) -> BreakSchedule
    {
        let breaks = offsets.enumerated().map {
            AdBreak(id: String($0.offset), timeOffset: $0.element, repeatAfter: repeatAfter)
        }
        return BreakSchedule(VMAPDocument(adBreaks: breaks), contentDuration: duration)
    }

    @Test("breaks come in content order; those at one point keep document order")
    func order() {
        let offsets: [TimeOffset] = [.end, .percent(50), .time(.seconds(10)), .start, .time(.seconds(50)), .percent(0)]
        let schedule = schedule(offsets, .seconds(100))
        #expect(schedule.entries.map(\.index) == [3, 5, 2, 1, 4, 0])
        #expect(schedule.cuePoints == [.preroll, .midroll(.seconds(10)), .midroll(.seconds(50)), .postroll])
        #expect(schedule.unplaced.isEmpty)
    }

    @Test("what cannot be placed is said, with the reason")
    func unplaced() {
        let offsets: [TimeOffset] = [.percent(50), .time(.seconds(500)), .position(1), .unreadable("x"), .start]
        #expect(schedule(offsets, nil).unplaced.count == 3)
        #expect(schedule(offsets, .seconds(100)).unplaced.count == 3)
        #expect(schedule(offsets, .seconds(100)).entries.map(\.index) == [4, 0])
        #expect(schedule([.position(1)], nil).unplaced.first?.reason.contains("opportunity") == true)
    }

    @Test("a break that repeats comes again until the content ends, a bounded number of times")
    func repetition() {
        let repeated = schedule([.time(.seconds(10))], .seconds(60), repeatAfter: .seconds(20))
        #expect(repeated.cuePoints == [10, 30, 50].map { .midroll(.seconds($0)) })
        #expect(repeated.entries.map(\.repetition) == [0, 1, 2])
        #expect(schedule([.time(.seconds(10))], nil, repeatAfter: .seconds(20)).entries.count == 1)
        #expect(schedule([.start], .seconds(60), repeatAfter: .seconds(20)).entries.count == 1)
        let many = schedule([.time(.milliseconds(1))], .seconds(86_400), repeatAfter: .milliseconds(1))
        #expect(many.entries.count == BreakSchedule.maxRepetitions + 1)
    }

    @Test("a schedule can be built from resolved ads and read back")
    func build() async {
        let ads = await Site().resolve(Sample.vast(Sample.inLine("a", sequence: 1), Sample.inLine("b", sequence: 2)))
            .ads
        let document = VMAPDocument(adBreaks: [
            AdBreak(id: "pre", at: .preroll, ads: ads), AdBreak(id: "mid", at: .midroll(.seconds(60)), ads: [ads[0]]),
        ])
        let resolution = await Site().resolve(VASTWriter.write(document).text)
        #expect(resolution.breaks.map { $0.ads.map(\.id) } == [["a", "b"], ["a"]])
        #expect(resolution.breaks.map(\.adBreak.timeOffset) == [.start, .time(.seconds(60))])
    }
}

@Suite("Companion selection")
struct CompanionSelectionTests {
    private func companion(_ width: Int?, _ height: Int?, slot: String? = nil) -> Companion {
        var companion = Companion()
        companion.width = width
        companion.height = height
        companion.adSlotID = slot
        companion.resources = [DisplayResource(kind: .html, value: "x")]
        return companion
    }

    @Test("a named slot, then the exact size, then the largest that fits")
    func choice() {
        let companions = [
            companion(300, 250), companion(728, 90), companion(1, 1, slot: "top"), companion(200, 200),
            companion(nil, nil),
        ]
        let selector = CompanionSelector(slots: [
            .init(width: 320, height: 260), .init(id: "top", width: 10, height: 10), .init(width: 728, height: 90),
            .init(width: 50, height: 50),
        ])
        #expect(selector.select(from: companions) == .companions([0, 2, 1, nil]))
    }

    @Test("an ad may demand that companions are shown")
    func demands() {
        let selector = CompanionSelector(slots: [.init(width: 300, height: 250)])
        let companions = [companion(300, 250), companion(728, 90)]
        #expect(selector.select(from: companions, required: .any) == .companions([0]))
        guard case .refused = selector.select(from: companions, required: .all) else {
            Issue.record("a missing companion was accepted")
            return
        }
        guard case .refused = CompanionSelector(slots: []).select(from: companions, required: .any) else {
            Issue.record("no companion was accepted")
            return
        }
        #expect(
            CompanionSelector(slots: []).select(from: companions, required: CompanionAds.Requirement.none)
                == .companions([])
        )
    }

    @Test("captions are found by language, the exact one first")
    func captions() {
        var linear = Linear()
        linear.closedCaptionFiles = [
            ClosedCaptionFile(type: "text/vtt", language: "en", url: "en"),
            ClosedCaptionFile(type: "text/vtt", language: "en-GB", url: "gb"),
            ClosedCaptionFile(type: "text/srt", language: "fr", url: "fr"),
        ]
        #expect(linear.captions(languages: ["de", "en-GB"])?.url == "gb")
        #expect(linear.captions(languages: ["en-US"])?.url == "en")
        #expect(linear.captions(languages: ["fr"], types: ["text/vtt"]) == nil)
    }
}
