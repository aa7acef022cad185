import Testing
import WeirAdapterKit
import WeirGateway
import WeirModel
import WeirTime
import WeirVAST

@Suite("Audio programmes from several networks")
struct AudioProgrammeTests {
    @Test("a section of 90 s is filled from several networks; who refuses and who repeats is said")
    func section() async throws {
        let hall = await AudioHall([
            (id: "dry", offers: []),
            (id: "twice", offers: [.init(Spot(id: "x")), .init(Spot(id: "x")), .init(Spot(id: "y"))]),
            (id: "third", offers: [.init(Spot(id: "z"))]),
            (id: "late", offers: [.init(Spot(id: "w"))]),
        ]) { $0.sections = SectionLimits([.preroll: SectionLimit(maxDuration: .seconds(90))]) }
        let answer = try await hall.serve()
        #expect(answer.ids == ["x", "y", "z"])
        #expect(answer.ads.map(\.pod.position) == [1, 2, 3] && answer.ads.allSatisfy { $0.pod.total == 3 })
        #expect(
            answer.verdicts == [
                "l-dry: no_fill(no_ad)", "l-twice: fill(fill)", "l-third: fill(fill)",
                "l-late: not_attempted(filled_above)",
            ]
        )
        #expect(answer.leftOut == ["x: duplicate"])
    }

    @Test("without limits the first network's programme is the programme")
    func noLimits() async throws {
        let hall = await AudioHall([
            (id: "a", offers: [.init(Spot(id: "1")), .init(Spot(id: "2"), .preroll)]),
            (id: "b", offers: [.init(Spot(id: "3"))]),
        ])
        let answer = try await hall.serve()
        #expect(answer.ids == ["1", "2"])
        #expect(answer.verdicts == ["l-a: fill(fill)", "l-b: not_attempted(filled_above)"])
    }

    @Test("a section without limits takes what one network has; the others fill what is empty")
    func unlimitedSections() async throws {
        let hall = await AudioHall([
            (id: "a", offers: [.init(Spot(id: "1")), .init(Spot(id: "2"))]),
            (id: "b", offers: [.init(Spot(id: "3")), .init(Spot(id: "4"), .postroll)]),
        ]) { $0.sections = SectionLimits([.preroll: SectionLimit(), .postroll: SectionLimit()]) }
        let answer = try await hall.serve()
        #expect(answer.ids == ["1", "2", "4"])
        #expect(answer.leftOut == ["3: spare"])
        #expect(answer.spares.compactMap(\.ad.id) == ["3"])
    }

    @Test("a creative is known by its universal id whoever sells it, else by creative id and ad system")
    func repeats() async throws {
        let hall = await AudioHall([
            (id: "a", offers: [.init(Spot(id: "1", universal: "U1")), .init(Spot(id: "2", creative: "c2"))]),
            (
                id: "b",
                offers: [
                    .init(Spot(id: "3", universal: "U1", system: "other")), .init(Spot(id: "4", creative: "c2")),
                    .init(Spot(id: "5", creative: "c2", system: "other")),
                ]
            ),
        ]) { $0.sections = SectionLimits([.preroll: SectionLimit(maxAds: 10)]) }
        let answer = try await hall.serve()
        #expect(answer.ids == ["1", "2", "5"])
        #expect(answer.leftOut == ["3: duplicate", "4: duplicate"])
    }

    @Test("a creative stands once in the whole programme, not once in each section")
    func repeatsAcrossSections() async throws {
        let hall = await AudioHall([
            (id: "a", offers: [.init(Spot(id: "1")), .init(Spot(id: "1"), .postroll), .init(Spot(id: "2"), .postroll)])
        ])
        let answer = try await hall.serve()
        #expect(answer.ids == ["1", "2"])
        #expect(answer.ads.map { $0.slot?.section } == [.preroll, .postroll])
    }

    @Test("a pod whose ads share a creative id stays whole; the same file twice does not")
    func pods() async throws {
        let pod = Spot.offer(
            Spot(id: "1", creative: "c", sequence: 1, file: "https://n.test/1.mp3"),
            Spot(id: "2", creative: "c", sequence: 2, file: "https://n.test/2.mp3"),
            Spot(id: "3", creative: "c", sequence: 3, file: "https://n.test/1.mp3")
        )
        let hall = await AudioHall([(id: "a", offers: [pod])])
        let answer = try await hall.serve()
        #expect(answer.ids == ["1", "2"])
        #expect(answer.leftOut == ["3: duplicate"])
    }

    @Test("networks that compete do not meet in one break, unless the ad unit lets them")
    func separation() async throws {
        let networks: [(id: NetworkID, offers: [Offer])] = [
            (id: "a", offers: [.init(Spot(id: "1", category: "IAB2-1")), .init(Spot(id: "2", category: "IAB2-1"))]),
            (
                id: "b",
                offers: [
                    .init(Spot(id: "3", category: "iab1, iab2-1")), .init(Spot(id: "4", category: "IAB3")),
                    .init(Spot(id: "5", category: "IAB2-1"), .postroll),
                ]
            ),
        ]
        func limits(_ unit: inout AdUnit) {
            unit.sections = SectionLimits([.preroll: SectionLimit(maxAds: 9), .postroll: SectionLimit(maxAds: 9)])
        }
        let answer = try await AudioHall(networks, change: limits).serve()
        #expect(answer.ids == ["1", "2", "4", "5"])
        #expect(answer.leftOut == ["3: separated"])
        let open = try await AudioHall(networks) {
            limits(&$0)
            $0.separatesCategories = false
        }
        .serve()
        #expect(open.ids == ["1", "2", "3", "4", "5"])
    }

    @Test("a line of which nothing had a place is rejected with the reason, and the next is asked")
    func nothingLet() async throws {
        let hall = await AudioHall([
            (id: "a", offers: [.init(Spot(id: "1", category: "IAB2"))]),
            (id: "b", offers: [.init(Spot(id: "1"))]),
            (id: "c", offers: [.init(Spot(id: "2", category: "IAB2"))]),
            (id: "d", offers: [.init(Spot(id: "3", seconds: 90))]),
            (id: "e", offers: [.init(Spot(id: "4", seconds: nil))]),
            (id: "f", offers: [.init(Spot(id: "5"), .postroll)]),
            (id: "g", offers: [.init(Spot(id: "6"))]),
        ]) { $0.sections = SectionLimits([.preroll: SectionLimit(maxDuration: .seconds(60))]) }
        let answer = try await hall.serve()
        #expect(answer.ids == ["1", "6"])
        #expect(
            answer.verdicts == [
                "l-a: fill(fill)", "l-b: rejected(duplicate)", "l-c: rejected(blocked_category)",
                "l-d: rejected(duration)", "l-e: rejected(duration)", "l-f: rejected(no_markup)", "l-g: fill(fill)",
            ]
        )
        #expect(
            answer.leftOut == ["1: duplicate", "2: separated", "3: duration", "4: duration", "5: section"]
        )
        #expect(answer.attempts.allSatisfy { $0.leftOut.allSatisfy { !$0.message.isEmpty } })
    }

    @Test("ads beyond max_ads are spares, two at most; a substitute of the network's own is one too")
    func spares() async throws {
        let hall = await AudioHall([
            (
                id: "a",
                offers: [
                    .init(Spot(id: "1")), Spot.offer(Spot(id: "2"), Spot(id: "2b"), Spot(id: "2c")),
                    .init(Spot(id: "3")), .init(Spot(id: "4")), .init(Spot(id: "5")),
                ]
            )
        ]) { $0.sections = SectionLimits([.preroll: SectionLimit(maxAds: 2)]) }
        let answer = try await hall.serve()
        #expect(answer.ids == ["1", "2"])
        #expect(answer.spares.compactMap(\.ad.id) == ["3", "4"])
        #expect(answer.leftOut == ["3: spare", "4: spare", "5: full", "2b: full", "2c: full"])
        let buffet = await AudioHall([(id: "a", offers: [Spot.offer(Spot(id: "1"), Spot(id: "2"))])])
        #expect(try await buffet.serve().spares.compactMap(\.ad.id) == ["2"])
    }

    @Test("mid-rolls keep their distance from each other and from both ends")
    func gaps() async throws {
        let points = [10, 60, 90, 120, 290].map { second in
            Spot.offer(Spot(id: "\(second)"), at: AudioSlot(.midroll, point: .seconds(second)))
        }
        let hall = await AudioHall([(id: "a", offers: points)]) {
            $0.sections = SectionLimits([
                .preroll: SectionLimit(), .midroll: SectionLimit(minGap: .seconds(60)), .postroll: SectionLimit(),
            ])
        }
        let answer = try await hall.serve { $0.content.duration = .seconds(300) }
        #expect(answer.midpoints == [.seconds(60), .seconds(120)])
        #expect(answer.leftOut == ["10: gap", "90: gap", "290: gap"])
    }

    @Test("S4.43 S4.44 S4.46 mid-rolls stand where they were asked for and have ads, in seconds or percent")
    func midpoints() async throws {
        let hall = await AudioHall([
            (
                id: "a",
                offers: [
                    Spot.offer(Spot(id: "m1"), at: AudioSlot(.midroll, point: .seconds(1))),
                    Spot.offer(Spot(id: "m20"), at: AudioSlot(.midroll, point: .seconds(20))),
                ]
            )
        ])
        func ask(_ midpoints: AdRequest.Midpoints?) async throws -> [Duration] {
            try await hall.serve {
                $0.midpoints = midpoints
                $0.content.duration = .seconds(200)
            }
            .midpoints
        }
        #expect(try await ask(nil) == [.seconds(1), .seconds(20)])
        #expect(try await ask(.positions([.seconds(1), .seconds(5)])) == [.seconds(1)])
        #expect(try await ask(.percent([ExactDecimal(10), ExactDecimal(50)])) == [.seconds(20)])
        #expect(try await ask(.positions([])) == [])
    }

    @Test("several networks fill the mid-rolls that were asked for, until each has its ads")
    func severalMidrolls() async throws {
        func spot(_ id: String, _ second: Int) -> Offer {
            Spot.offer(Spot(id: id), at: AudioSlot(.midroll, point: .seconds(second)))
        }
        let hall = await AudioHall([
            (id: "a", offers: [spot("a60", 60)]), (id: "b", offers: [spot("b60", 60), spot("b120", 120)]),
            (id: "c", offers: [spot("c120", 120)]),
        ]) { $0.sections = SectionLimits([.midroll: SectionLimit(maxAds: 1)]) }
        let answer = try await hall.serve { $0.midpoints = .positions([.seconds(60), .seconds(120)]) }
        #expect(answer.ids == ["a60", "b120"])
        #expect(answer.verdicts.last == "l-c: not_attempted(filled_above)")
    }

    @Test("in a group the best price comes first, and what is not needed lost on price")
    func groups() async throws {
        func priced(_ id: String, _ amount: String) -> Offer {
            var offer = Spot.offer(Spot(id: id))
            offer.price = Currency("USD").flatMap { Money(amount: amount, currency: $0) }
            return offer
        }
        let hall = await AudioHall(
            [
                (id: "a", offers: [priced("1", "1")]), (id: "b", offers: [priced("3", "3")]),
                (id: "c", offers: [priced("2", "2")]),
            ],
            inGroup: true
        ) { $0.sections = SectionLimits([.preroll: SectionLimit(maxAds: 2)]) }
        let answer = try await hall.serve()
        #expect(answer.ids == ["3", "2"])
        #expect(answer.attempts.map(\.outcome.result) == [.fill, .fill, .fill])
        #expect(answer.attempts[0].outcome.message.contains("l-c"))
    }

    @Test("a video file is heard only by a player that says it plays it; other ads of the offer stay")
    func videoAsAudio() async throws {
        let hall = await AudioHall([(id: "a", offers: [.init(Spot(id: "1", type: "video/mp4"))])])
        #expect(try await hall.serve().verdicts == ["l-a: rejected(mime)"])
        let answer = try await hall.serve { $0.player.mimes = ["audio/mpeg", "video/mp4"] }
        #expect(answer.ids == ["1"])
        #expect(answer.ads.first?.ad.adType == .audio)
    }

    @Test(
        "other names of a type are the same type",
        arguments: ["audio/mp3", "audio/x-mp3", "AUDIO/MPEG; charset=x", "audio/mpeg3", "audio/mpg"]
    )
    func aliases(_ type: String) async throws {
        let hall = await AudioHall([(id: "a", offers: [.init(Spot(id: "1", type: type))])])
        #expect(try await hall.serve { $0.player.mimes = ["audio/mpeg"] }.ids == ["1"])
    }
}

extension Offer {
    /// One spot in a section.
    fileprivate init(_ spot: Spot, _ section: AudioSection = .preroll) {
        self = Spot.offer(spot, at: AudioSlot(section))
    }
}
