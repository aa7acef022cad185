import Testing

@testable import WeirVAST

@Suite("Writer")
struct WriterTests {
    static let hostile = [
        "https://a.test/]]>", "]]]]>>", "]]>]]>", "<![CDATA[x]]>", "a\"b'c<d>&amp;&", "x\u{0}\u{1}\u{8}\u{B}y",
        "a\rb\r\nc",
        "\u{FFFE}\u{FFFF}z", "]]", "]]>\u{0}", "é漢🎬", "</Impression><Script>", "-->", "<!--", "?>", "]", "]]>]",
    ]

    @Test("no value can break out of its place", arguments: hostile)
    func breakOut(value: String) throws {
        var inLine = InLine()
        inLine.title = value
        inLine.system = AdSystem(name: value, version: value)
        inLine.impressions = [TrackedURL(id: value, url: value)]
        inLine.errors = [value]
        var creative = Creative()
        creative.id = value
        var linear = Linear()
        linear.mediaFiles = [MediaFile(url: value, type: value)]
        linear.trackingEvents = [TrackingEvent(event: .start, url: value)]
        linear.adParameters = AdParameters(text: value)
        creative.linear = linear
        inLine.creatives = [creative]
        let document = VASTDocument(version: "4.2", ads: [VASTAd(id: value, content: .inLine(inLine))])
        let reading = VASTReader(options: .strict).read(VASTWriter.write(document).text)
        #expect(reading.failure == nil)
        let again = try #require(reading.vast?.ads.first?.inLine)
        let expected = Self.printable(value)
        #expect(again.title == expected)
        #expect(again.impressions.map(\.url) == [expected])
        #expect(again.errors == [expected])
        #expect(again.creatives.first?.linear?.mediaFiles.first?.url == expected)
        #expect(again.creatives.first?.linear?.adParameters?.text == expected)
    }

    /// What XML can hold of a text.
    private static func printable(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(
            contentsOf: text.unicodeScalars.filter {
                ($0.value >= 0x20 || [9, 10, 13].contains($0.value)) && $0.value < 0xFFFE || $0.value > 0xFFFF
            }
        )
        return String(scalars)
    }

    @Test("an answer without an ad is a document with its error URLs", arguments: VASTVersion.allCases)
    func empty(version: VASTVersion) {
        let reading = VASTReader().read(VASTWriter.writeEmpty(errors: ["https://e.test/?a&b"], version: version).text)
        #expect(reading.vast?.ads == [])
        #expect(reading.vast?.errors == ["https://e.test/?a&b"])
        #expect(reading.vast?.version == version.rawValue)
    }

    @Test("a version given as text is understood, and an unknown one is 4.2")
    func versionText() {
        for (text, version) in [("2", "2.0"), ("3.0", "3.0"), ("4", "4.0"), ("4.3", "4.3"), ("", "4.2"), ("x", "4.2")] {
            #expect(VASTReader().read(VASTWriter.writeEmpty(version: text).text).vast?.version == version)
        }
    }

    @Test("resolved ads become a pod in play order")
    func pod() async throws {
        let resolution = await Site().resolve(
            Sample.vast(Sample.inLine("b", sequence: 5), Sample.inLine("a", sequence: 3))
        )
        let document = try #require(VASTReader().read(VASTWriter.write(resolution.ads).text).vast)
        #expect(document.ads.map(\.id) == ["a", "b"])
        #expect(document.ads.map(\.sequence) == [1, 2])
    }

    @Test("what a version cannot express is left out and reported")
    func conversion() throws {
        let text = Sample.vast(
            Sample.inLine(
                "a",
                sequence: 1,
                extra: "<AdServingId>s</AdServingId><Category authority=\"x\">c</Category><Expires>5</Expires>",
                linear: """
                    <TrackingEvents><Tracking event="progress" offset="00:00:05">p</Tracking>\
                    <Tracking event="playerExpand">e</Tracking><Tracking event="start">s</Tracking></TrackingEvents>
                    """
            )
        )
        let document = try #require(VASTReader().read(text).vast)
        let output = VASTWriter.convert(document, to: .v2)
        let again = try #require(VASTReader().read(output.bytes).vast?.ads.first)
        #expect(again.sequence == nil)
        #expect(again.inLine?.adServingID == nil)
        #expect(again.inLine?.creatives.first?.linear?.trackingEvents.map(\.event.rawValue) == ["fullscreen", "start"])
        let names = ["sequence", "AdServingId", "Category", "Expires", "the event progress"]
        for name in names { #expect(output.remarks.contains { $0.message.contains("express \(name);") }, "\(name)") }
        #expect(VASTWriter.convert(document, to: .v42).remarks.isEmpty)
    }

    @Test("measurement code moves into an extension before 4.1 and is found there again")
    func verifications() async throws {
        let extra = """
            <AdVerifications><Verification vendor="v"><JavaScriptResource apiFramework="omid">https://v.test/js\
            </JavaScriptResource><VerificationParameters>p</VerificationParameters></Verification></AdVerifications>
            """
        let ads = await Site().resolve(Sample.vast(Sample.inLine("a", extra: extra))).ads
        #expect(ads.first?.verifications.count == 1)
        let old = await Site().resolve(VASTWriter.write(ads, version: .v3).text).ads
        #expect(old.first?.inLine.verifications == [])
        #expect(old.first?.verifications == ads.first?.verifications)
    }

    @Test("trackers of a gateway are added behind those of the ad")
    func additions() async throws {
        let ad = try #require(await Site().resolve(Sample.vast(Sample.inLine("a"))).ads.first)
        let added = ad.adding(
            Additions(
                impressions: [TrackedURL(id: "weir", url: "https://w.test/i?a=1&b=]]>")],
                trackingEvents: [TrackingEvent(event: .complete, url: "https://w.test/c")],
                clickTracking: [TrackedURL(url: "https://w.test/k")],
                errors: ["https://w.test/e?[ERRORCODE]"]
            )
        )
        let again = try #require(await Site().resolve(VASTWriter.write([added]).text).ads.first)
        #expect(again.impressions == ["https://t.test/imp/a", "https://w.test/i?a=1&b=]]>"])
        #expect(again.tracking["complete"] == ["https://w.test/c"])
        #expect(again.clickTracking == ["https://w.test/k"])
        #expect(again.errors == ["a", "https://w.test/e?[ERRORCODE]"])
    }

    @Test("a schedule is written and read back as it was")
    func schedule() throws {
        let inner = try #require(VASTReader().read(Sample.vast(Sample.inLine("a"))).vast)
        let document = VMAPDocument(
            namespace: "http://www.iab.net/videosuite/vmap",
            adBreaks: [
                AdBreak(id: "pre", timeOffset: .start, source: AdSource(id: "1", content: .vast(inner))),
                AdBreak(
                    timeOffset: .time(.milliseconds(60500)),
                    breakTypes: ["linear", "nonlinear"],
                    repeatAfter: .seconds(600),
                    source: AdSource(
                        allowsMultipleAds: false,
                        followsRedirects: true,
                        content: .adTag(templateType: "vast3", uri: "https://a.test/?x&y")
                    ),
                    trackingEvents: [TrackingEvent(event: EventName(rawValue: "breakStart"), url: "https://t.test/bs")]
                ),
                AdBreak(timeOffset: .percent(12.5)), AdBreak(timeOffset: .position(2)), AdBreak(timeOffset: .end),
            ]
        )
        #expect(VASTReader().read(VASTWriter.write(document).text).vmap == document)
    }
}
