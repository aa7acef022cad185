import Testing
import WeirTime

@testable import WeirVAST

@Suite("Resolver")
struct ResolverTests {
    static let target = "https://site.test/"

    @Test("trackers of all levels come together, the outermost first")
    func mergesTrackers() async throws {
        let trackers = { (name: String) in
            """
            <Creative><Linear><TrackingEvents><Tracking event="start">https://t.test/s/\(name)</Tracking>\
            </TrackingEvents><VideoClicks><ClickTracking>https://t.test/c/\(name)</ClickTracking></VideoClicks>\
            </Linear></Creative>
            """
        }
        let site = Site([
            "https://site.test/2": Sample.vast(
                Sample.wrapper("w2", to: "https://site.test/3", creatives: trackers("w2"))
            ),
            "https://site.test/3": Sample.vast(
                Sample.inLine(
                    "a",
                    linear: """
                        <TrackingEvents><Tracking event="start">https://t.test/s/a</Tracking></TrackingEvents>\
                        <VideoClicks><ClickThrough>https://brand.test/</ClickThrough></VideoClicks>
                        """
                )
            ),
        ])
        let start = Sample.vast(Sample.wrapper("w1", to: "https://site.test/2", creatives: trackers("w1")))
        let ad = try #require(await site.resolve(start).ads.first)
        #expect(ad.impressions == ["w1", "w2", "a"].map { "https://t.test/imp/" + $0 })
        #expect(ad.tracking["start"] == ["w1", "w2", "a"].map { "https://t.test/s/" + $0 })
        #expect(ad.clickTracking == ["w1", "w2"].map { "https://t.test/c/" + $0 })
        #expect(ad.clickThrough == "https://brand.test/")
        #expect(ad.errors == ["w1", "w2", "a"])
        #expect(ad.wrapperChain.map(\.adID) == ["w1", "w2"])
    }

    @Test("the element closest to the complete ad wins a conflict")
    func precedence() async throws {
        func creatives(_ name: String, _ size: Int) -> String {
            """
            <Creative><Linear><VideoClicks><ClickThrough>https://\(name).test/</ClickThrough></VideoClicks>\
            <Icons><Icon program="AdChoices"><StaticResource>https://\(name).test/i</StaticResource></Icon></Icons>\
            </Linear></Creative><Creative><CompanionAds><Companion id="\(name)" width="\(size)" height="50">\
            <StaticResource creativeType="image/png">https://\(name).test/k</StaticResource></Companion>\
            </CompanionAds></Creative>
            """
        }
        let site = Site([
            "https://site.test/2": Sample.vast(
                Sample.wrapper("w2", to: "https://site.test/3", creatives: creatives("w2", 320))
            ),
            "https://site.test/3": Sample.vast(Sample.inLine("a")),
        ])
        let start = Sample.vast(
            Sample.wrapper("w1", to: "https://site.test/2", creatives: creatives("w1", 320) + creatives("w0", 728))
        )
        let ad = try #require(await site.resolve(start).ads.first)
        #expect(ad.clickThrough == "https://w2.test/")
        #expect(ad.icons.map { $0.resources.first?.value } == ["https://w2.test/i"])
        #expect(ad.companions.map(\.id) == ["w2", "w0"])
    }

    @Test("a wrapper's companion without a resource only tracks")
    func companionTrackers() async throws {
        let tracker = """
            <Creative><CompanionAds><Companion width="1" height="1"><TrackingEvents>\
            <Tracking event="creativeView">https://t.test/w</Tracking></TrackingEvents></Companion></CompanionAds>\
            </Creative>
            """
        let companion = """
            <Ad id="a"><InLine><Creatives><Creative><Linear><MediaFiles>\(Sample.mp4)</MediaFiles></Linear>\
            <CompanionAds><Companion width="300" height="250"><HTMLResource>x</HTMLResource><TrackingEvents>\
            <Tracking event="creativeView">https://t.test/a</Tracking></TrackingEvents></Companion></CompanionAds>\
            </Creative></Creatives></InLine></Ad>
            """
        let site = Site(["https://site.test/2": Sample.vast(companion)])
        let start = Sample.vast(Sample.wrapper("w", to: "https://site.test/2", creatives: tracker))
        let ad = try #require(await site.resolve(start).ads.first)
        #expect(ad.companions.map { $0.trackingEvents.map(\.url) } == [["https://t.test/w", "https://t.test/a"]])
    }

    @Test("five wrappers are followed, a sixth gives 302 to all", arguments: [5, 6])
    func depth(count: Int) async {
        var pages: [String: String] = [:]
        for index in 1..<count {
            pages["https://site.test/\(index)"] = Sample.vast(
                Sample.wrapper("w\(index)", to: "https://site.test/\(index + 1)")
            )
        }
        pages["https://site.test/\(count)"] = Sample.vast(Sample.inLine("a"))
        let site = Site(pages)
        let resolution = await site.resolve(Sample.vast(Sample.wrapper("w0", to: "https://site.test/1")))
        #expect(resolution.ids == (count == 5 ? ["a"] : []))
        #expect(resolution.pinged == (count == 5 ? [] : (0..<count).map { "w\($0)=302" }))
        #expect(resolution.chain.count == 5)
        if count == 6 { #expect(resolution.refusal?.reason == .wrapperLimit) }
    }

    @Test("wrappers that lead round in a circle are cut, whatever their macros")
    func loop() async {
        let site = Site([
            "https://site.test/b": Sample.vast(Sample.wrapper("b", to: "https://site.test/a?x=[CACHEBUSTING]")),
            "https://site.test/a": Sample.vast(Sample.wrapper("a", to: "https://site.test/b")),
        ])
        let resolution = await site.resolve(Sample.vast(Sample.wrapper("s", to: "https://site.test/b")))
        #expect(resolution.pinged == ["a=302", "b=302", "s=302"])
        #expect(site.asked.count == 2)
    }

    @Test("a fan of wrappers is bounded by the number of fetches")
    func fan() async {
        var pages: [String: String] = [:]
        for level in 0..<4 {
            let ads = (0..<10).map {
                Sample.wrapper(
                    "w",
                    to: "https://site.test/\(level + 1)?n=\($0)",
                    sequence: $0 + 1,
                    "allowMultipleAds=\"true\""
                )
            }
            pages["https://site.test/\(level)"] = Sample.vast(ads.joined())
        }
        let site = Site(pages)
        let start = Sample.vast(Sample.wrapper("s", to: "https://site.test/0", "allowMultipleAds=\"true\""))
        let resolution = await site.resolve(start) { $0.maxFetches = 30 }
        #expect(resolution.ads.isEmpty)
        #expect(site.asked.count == 30)
    }

    @Test("relative addresses are taken against the document they stand in")
    func relative() async {
        let site = Site([
            "https://other.test/dir/two": Sample.vast(Sample.wrapper("w2", to: "../three?q=1")),
            "https://other.test/three": Sample.vast(Sample.inLine("a")),
        ])
        let resolution = await site.resolve(Sample.vast(Sample.wrapper("w1", to: "//other.test/dir/two")))
        #expect(resolution.ids == ["a"])
        #expect(site.asked == ["https://other.test/dir/two", "https://other.test/three?q=1"])
    }

    @Test("an address that cannot be asked is not asked", arguments: ["", "undefined/x", "ftp://a.test/x", "data:,x"])
    func noAddress(url: String) async {
        let site = Site()
        let resolution = await site.resolve(Sample.vast(Sample.wrapper("w", to: url))) { $0.baseURL = nil }
        #expect(site.asked.isEmpty)
        #expect(resolution.pinged == [url.contains(":") ? "w=301" : "w=300"])
        #expect(resolution.refusal?.reason == .wrapperFailed)
    }

    @Test(
        "what is behind a wrapper decides the code",
        arguments: [
            ("", "303"), ("<VAST version=\"4.2\"/>", "303"), ("<VAST version=\"4.2\"><Ad>", "100"), ("hello", "100"),
            ("<html/>", "101"), ("<VideoAdServingTemplate/>", "102"),
            ("<!DOCTYPE x [<!ENTITY a \"b\">]><VAST/>", "100"),
            ("<VAST version=\"4.2\"><Ad id=\"e\"/></VAST>", "101"), ("   ", "303"),
            ("<VMAP xmlns=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\"/>", "101"),
        ]
    )
    func codes(body: String, code: String) async {
        let site = Site(["https://site.test/2": body])
        let resolution = await site.resolve(Sample.vast(Sample.wrapper("w", to: "https://site.test/2")))
        #expect(resolution.pinged == ["w=\(code)"])
        #expect(resolution.refusal != nil)
    }

    @Test("an error of a complete ad is told to it and to every wrapper above")
    func ownError() async {
        let site = Site(["https://site.test/2": Sample.vast(Sample.hollow("h"))])
        let resolution = await site.resolve(Sample.vast(Sample.wrapper("w", to: "https://site.test/2")))
        #expect(resolution.pinged == ["h=101", "w=101"])
        #expect(resolution.refusal?.reason == .noMarkup)
    }

    @Test("an outer wrapper can forbid more wrappers")
    func followsNot() async {
        let site = Site(["https://site.test/2": Sample.vast(Sample.wrapper("w2", to: "https://site.test/3"))])
        let resolution = await site.resolve(
            Sample.vast(Sample.wrapper("w1", to: "https://site.test/2", "followAdditionalWrappers=\"false\""))
        )
        #expect(site.asked == ["https://site.test/2"])
        #expect(resolution.pinged == ["w1=303"])
    }

    @Test("a pod plays by sequence, and its ads are asked side by side")
    func pod() async {
        let site = Site([
            "https://site.test/x": Sample.vast(Sample.inLine("x")),
            "https://site.test/y": Sample.vast(Sample.inLine("y")),
        ])
        let resolution = await site.resolve(
            Sample.vast(
                Sample.wrapper("w2", to: "https://site.test/y", sequence: 7),
                Sample.inLine("solo"),
                Sample.wrapper("w1", to: "https://site.test/x", sequence: 2)
            )
        )
        #expect(resolution.ids == ["x", "y"])
        #expect(resolution.ads.map(\.pod) == [PodPlace(position: 1, total: 2), PodPlace(position: 2, total: 2)])
        #expect(resolution.buffet.map(\.id) == ["solo"])
    }

    @Test("stand-alone wrappers are asked only when they are needed")
    func lazyBuffet() async {
        let site = Site(["https://site.test/x": Sample.vast(Sample.inLine("x"))])
        let resolution = await site.resolve(
            Sample.vast(
                Sample.wrapper("w1", to: "https://site.test/x"),
                Sample.wrapper("w2", to: "https://site.test/y")
            )
        )
        #expect(resolution.ids == ["x"])
        #expect(site.asked == ["https://site.test/x"])
    }

    @Test("blocked categories come from options and wrappers, under their authority")
    func blocked() async {
        let category = "<Category authority=\"iab\">IAB1-6</Category>"
        let site = Site(["https://site.test/2": Sample.vast(Sample.inLine("a", extra: category))])
        func run(_ authority: String, _ codes: String) async -> [String] {
            let blocked = "<BlockedAdCategories authority=\"\(authority)\">\(codes)</BlockedAdCategories>"
            return await site.resolve(
                Sample.vast(Sample.wrapper("w", to: "https://site.test/2", extra: blocked))
            ).pinged
        }
        #expect(await run("iab", "IAB1-5, IAB1-6") == ["a=205", "w=205"])
        #expect(await run("other", "IAB1-6") == [])
        #expect(await run("iab", "IAB1") == [])
        let direct = await site.resolve(Sample.vast(Sample.inLine("a", extra: category))) {
            $0.blockedCategories = [Category(code: "iab1-6")]
        }
        #expect(direct.refusal?.reason == .blockedCategory)
    }

    @Test("an ad must have a category when one is required")
    func category() async {
        let resolution = await Site().resolve(Sample.vast(Sample.inLine("a"))) { $0.requiresCategory = true }
        #expect(resolution.pinged == ["a=204"])
        #expect(resolution.refusal?.reason == .missingCategory)
    }

    @Test("an ad that fits no player is refused with what was offered and accepted")
    func mime() async {
        let resolution = await Site().resolve(Sample.vast(Sample.inLine("a"))) {
            $0.selector = MediaSelector(mimeTypes: ["audio/mpeg"])
        }
        #expect(resolution.pinged == ["a=403"])
        #expect(resolution.refusal?.reason == .mime)
        #expect(resolution.refusal?.message.contains("offered video/mp4 progressive") == true)
        #expect(resolution.refusal?.message.contains("accepted audio/mpeg") == true)
    }

    @Test("a duration that does not fit is 202")
    func duration() async {
        let resolution = await Site().resolve(Sample.vast(Sample.inLine("a"))) { $0.durations = .zero ... .seconds(15) }
        #expect(resolution.pinged == ["a=202"])
    }

    @Test("a tag that answers with nothing is told apart from one that says no")
    func emptyAnswers() async {
        #expect(await Site().resolve("<VAST version=\"4.2\"/>").refusal?.reason == .emptyVAST)
        let no = await Site().resolve("<VAST version=\"4.2\"><Error>e</Error></VAST>")
        #expect(no.refusal?.reason == .noAd)
        #expect(no.pinged == ["e=303"])
        #expect(await Site().resolve("").refusal?.reason == .emptyBody)
        #expect(await Site().resolve("<VAST").refusal?.reason == .badVAST)
    }

    @Test("a fetch that never answers is left behind when the time is up")
    func deadline() async {
        let reading = VASTReader().read(Sample.vast(Sample.wrapper("w", to: "https://site.test/x")))
        var options = ResolveOptions()
        options.hopTimeout = .milliseconds(20)
        let resolution = await VASTResolver().resolve(reading, options: options, clock: SystemClock()) { _ in
            // Ignores cancellation, as a foreign transport might.
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                Task.detached {
                    try? await Task.sleep(for: .milliseconds(300))
                    continuation.resume()
                }
            }
            return .empty
        }
        #expect(resolution.pinged == ["w=301"])
    }

    @Test("nothing is asked when the deadline has passed")
    func passed() async {
        let site = Site()
        let resolution = await site.resolve(Sample.vast(Sample.wrapper("w", to: "https://site.test/x"))) {
            $0.deadline = Deadline(FixedClock().now)
        }
        #expect(site.asked.isEmpty)
        #expect(resolution.refusal?.reason == .deadline)
    }

    @Test("the nearest document that speaks of the interface decides about hiding it")
    func hideable() async {
        func settings(_ value: String) -> String {
            "<Extensions><Extension type=\"uiSettings\"><UiHideable>\(value)</UiHideable></Extension></Extensions>"
        }
        for (value, expected) in [("1", true), (" <![CDATA[ 1 ]]> ", true), ("0", false), ("", false), ("true", false)]
        {
            let resolution = await Site().resolve(Sample.vast(Sample.inLine("a", extra: settings(value))))
            #expect(resolution.ads.first?.isUIHideable == expected, "\(value)")
        }
        let site = Site(["https://site.test/2": Sample.vast(Sample.inLine("a", extra: settings("0")))])
        let wrapped = await site.resolve(
            Sample.vast(Sample.wrapper("w", to: "https://site.test/2", extra: settings("1")))
        )
        #expect(wrapped.ads.first?.isUIHideable == false)
    }
}
