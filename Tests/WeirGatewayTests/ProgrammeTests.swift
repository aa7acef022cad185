import Testing
import WeirAdapterKit
import WeirModel
import WeirTesting
import WeirTime
import WeirVAST

@testable import WeirGateway

@Suite("Programme", .timeLimit(.minutes(10)))
struct ProgrammeTests {
    private func served(
        _ offers: Offer...,
        format: AdFormat = .video,
        maxAds: Int = 5,
        sections: SectionLimits? = nil,
        asking change: (inout AdRequest) -> Void = { _ in }
    ) async throws -> AdResponse {
        try await Hall(["a": offers], format: format) {
            $0.maxAds = maxAds
            $0.sections = sections
        }.serve(change)
    }

    private func spot(_ id: String, seconds: Int = 10) -> Offer {
        .ads(inLine(id, type: "audio/mpeg", seconds: seconds))
    }

    @Test("a pod has no more ads than max_ads, and totals count what is served")
    func maxAds() async throws {
        let pod = Offer.ads(inLine("1", sequence: 1), inLine("2", sequence: 2), inLine("3", sequence: 3))
        let response = try await served(pod, maxAds: 2)
        #expect(response.ads.map(\.ad.id) == ["1", "2"])
        #expect(response.ads.map(\.pod.position) == [1, 2])
        #expect(response.ads.map(\.pod.total) == [2, 2])
    }

    @Test("a pod whose ads share a creative id stays whole, with ids of their own or media of their own")
    func sharedCreative() async throws {
        let named = Offer.ads(inLine("1", creative: "c", sequence: 1), inLine("2", creative: "c", sequence: 2))
        #expect(try await served(named).ads.map(\.ad.id) == ["1", "2"])
        let nameless = Offer.ads(
            inLine("1", creative: "c", sequence: 1, isNamed: false),
            inLine("2", creative: "c", sequence: 2, isNamed: false)
        )
        #expect(
            try await served(nameless).ads.map(\.ad.mediaFiles.first?.url) == [
                "https://n.test/1.mp4", "https://n.test/2.mp4",
            ]
        )
        let apart = try await served(
            .ads(inLine("1", creative: "c", isNamed: false)),
            .ads(inLine("2", creative: "c", isNamed: false))
        )
        #expect(apart.ads.count == 2)
    }

    @Test("a true repeat goes: the same ad again, named or not")
    func repeats() async throws {
        let repeated = try await served(.ads(inLine("1")), .ads(inLine("1")))
        #expect(repeated.ads.count == 1)
        #expect(repeated.ads.first?.pod.total == 1)
        #expect(try await served(.ads(inLine("1", creative: "c")), .ads(inLine("2", creative: "c"))).ads.count == 1)
        let nameless = Offer.ads(
            inLine("1", creative: "c", sequence: 1, media: "m", isNamed: false),
            inLine("2", creative: "c", sequence: 2, media: "m", isNamed: false)
        )
        #expect(try await served(nameless).ads.count == 1)
    }

    @Test("a VMAP on a video unit gives each ad its time offset, and max_ads counts for each break")
    func vmap() async throws {
        let offer = Offer.vmap(
            ("start", inLine("1", sequence: 1) + inLine("5", sequence: 2)),
            ("00:01:00", inLine("2")),
            ("50%", inLine("3")),
            ("end", inLine("4"))
        )
        let response = try await served(offer, maxAds: 1) { $0.content.duration = .seconds(600) }
        #expect(response.ads.map(\.ad.id) == ["1", "2", "3", "4"])
        #expect(
            response.ads.map(\.breakOffset) == [.start, .position(.seconds(60)), .position(.seconds(300)), .end]
        )
    }

    @Test("breaks come in the order of the content, whatever the schedule's order")
    func playOrder() async throws {
        let offer = Offer.vmap(
            ("end", inLine("4")),
            ("00:02:00", inLine("3")),
            ("start", inLine("1", sequence: 1) + inLine("5", sequence: 2)),
            ("00:01:00", inLine("2"))
        )
        let response = try await served(offer)
        #expect(response.ads.map(\.ad.id) == ["1", "5", "2", "3", "4"])
        #expect(response.ads.map(\.pod.total) == [2, 2, 1, 1, 1])
    }

    @Test("one creative in two breaks of a video's VMAP stands in both, but in each only once; in audio it stands once")
    func sameCreativeInTwoBreaks() async throws {
        func offer(_ type: String) -> Offer {
            let ad = inLine("1", type: type)
            return .vmap(("start", ad), ("00:01:00", ad), ("00:01:00", ad))
        }
        let response = try await served(offer("video/mp4"))
        #expect(response.ads.map(\.breakOffset) == [.start, .position(.seconds(60))])
        #expect(response.ads.map(\.pod.total) == [1, 1])
        let audio = try await served(offer("audio/mpeg"), format: .audio)
        #expect(audio.ads.map(\.breakOffset) == [.start])
    }

    @Test("S4.43 mid-rolls of a VMAP stand only where they were asked for", arguments: [AdFormat.video, .audio])
    func midpoints(format: AdFormat) async throws {
        let type = format == .audio ? "audio/mpeg" : "video/mp4"
        let offer = Offer.vmap(
            ("start", inLine("1", type: type)),
            ("00:01:00", inLine("2", type: type)),
            ("00:02:00", inLine("3", type: type)),
            ("33.3%", inLine("4", type: type)),
            ("end", inLine("5", type: type))
        )
        func ids(_ midpoints: AdRequest.Midpoints?) async throws -> [String?] {
            try await served(offer, format: format) { request in
                request.content.duration = .milliseconds(600_001)
                request.midpoints = midpoints
            }.ads.map(\.ad.id)
        }
        #expect(try await ids(nil).count == 5)
        #expect(try await ids(.positions([.seconds(60), .seconds(300)])) == ["1", "2", "5"])
        #expect(try await ids(.positions([])) == ["1", "5"])
        // A percentage meets the same percentage, however it is rounded.
        #expect(try await ids(.percent([try #require(ExactDecimal("33.3"))])) == ["1", "4", "5"])
    }

    @Test("S4.42 a mid-roll behind the end of the content is left out, asked for or not")
    func behindTheEnd() async throws {
        let offer = Offer.vmap(("00:01:00", inLine("1")), ("00:10:00", inLine("2")))
        for midpoints in [nil, AdRequest.Midpoints.positions([.seconds(60), .seconds(600)])] {
            let response = try await served(offer) { request in
                request.content.duration = .seconds(100)
                request.midpoints = midpoints
            }
            #expect(response.ads.map(\.ad.id) == ["1"])
        }
        let none = try await served(.vmap(("00:10:00", inLine("2")))) { $0.content.duration = .seconds(100) }
        #expect(none.attempts.map(\.outcome.reason) == [.noMarkup])
        #expect(none.attempts.first?.outcome.message.contains("600000 ms") == true)
    }

    @Test("an audio programme keeps to its sections' limits and to the mid-points asked for")
    func audio() async throws {
        let limits = SectionLimits([
            .preroll: SectionLimit(maxAds: 1), .midroll: SectionLimit(),
            .postroll: SectionLimit(maxDuration: .seconds(5)),
        ])
        let response = try await served(
            spot("1").at(.preroll),
            spot("2").at(.preroll),
            spot("3").at(.midroll, .seconds(60)),
            spot("4").at(.midroll, .seconds(90)),
            spot("5").at(.pauseroll),
            spot("6").at(.postroll),
            format: .audio,
            sections: limits
        ) { $0.midpoints = .positions([.seconds(60), .seconds(300)]) }
        #expect(response.ads.map(\.ad.id) == ["1", "3"])
        #expect(response.midpoints == [.seconds(60)])
    }

    @Test("a spot that does not fit is passed over for one that does")
    func fits() async throws {
        let limits = SectionLimits([.preroll: SectionLimit(maxDuration: .seconds(25))])
        let response = try await served(
            spot("1", seconds: 20),
            spot("2", seconds: 10),
            spot("3", seconds: 5),
            format: .audio,
            sections: limits
        )
        #expect(response.ads.map(\.ad.id) == ["1", "3"])
    }

    @Test("a programme of which nothing may stand says why")
    func refusals() async throws {
        func reason(_ offer: Offer, _ limit: SectionLimit, _ midpoints: [Duration]? = nil) async throws -> Reason? {
            let response = try await served(
                offer,
                format: .audio,
                sections: SectionLimits([.midroll: limit])
            ) { $0.midpoints = midpoints.map { .positions($0) } }
            return response.attempts.first?.outcome.reason
        }
        let midroll = spot("1").at(.midroll, .seconds(60))
        #expect(try await reason(midroll, SectionLimit()) == .fill)
        #expect(try await reason(midroll, SectionLimit(maxDuration: .seconds(5))) == .duration)
        #expect(try await reason(midroll, SectionLimit(), [.seconds(61)]) == .noMarkup)
        #expect(try await reason(spot("1"), SectionLimit()) == .noMarkup)
    }

    @Test("an audio unit without sections takes all of them, and mid-points rise")
    func noSections() async throws {
        let response = try await served(
            spot("1").at(.postroll),
            spot("2").at(.midroll, .seconds(90)),
            spot("3").at(.midroll, .seconds(60)),
            spot("4"),
            format: .audio
        )
        #expect(response.ads.map(\.ad.id) == ["4", "3", "2", "1"])
        #expect(response.midpoints == [.seconds(60), .seconds(90)])
        #expect(response.ads.first?.slot == AudioSlot(.preroll))
    }
}
