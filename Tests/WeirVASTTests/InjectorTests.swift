import Testing

@testable import WeirVAST

@Suite("Injector")
struct InjectorTests {
    private let additions = Additions(
        impressions: [TrackedURL(url: "https://w.test/i?]]>")],
        trackingEvents: [TrackingEvent(event: .start, url: "https://w.test/s")],
        clickTracking: [TrackedURL(url: "https://w.test/c")],
        errors: ["https://w.test/e"]
    )

    @Test(
        "additions are read back and every other byte stays",
        arguments: [
            Sample.vast(Sample.inLine("a")), Sample.vast(Sample.inLine("a", linear: "<TrackingEvents/><VideoClicks/>")),
            Sample.vast(Sample.inLine("a", linear: "<TrackingEvents></TrackingEvents>"), Sample.inLine("b")),
            "<?xml version=\"1.0\"?>\n<!-- c -->\n"
                + Sample.vast(Sample.inLine("a", extra: "<X:q xmlns:X='u'> é </X:q>")) + "\n",
            Sample.vast(
                Sample.wrapper("w", to: "https://x.test", creatives: "<Creative><Linear><Icons/></Linear></Creative>")
            ),
            Sample.vast("<Ad id='bare'><InLine><Impression/><Creatives/></InLine></Ad>"),
        ]
    )
    func keepsBytes(text: String) throws {
        let output = VASTInjector.inject(additions, into: Array(text.utf8))
        #expect(output.failure == nil)
        let before = try #require(VASTReader().read(text).vast)
        let after = try #require(VASTReader.read(output.bytes).vast)
        #expect(output.adCount == before.ads.count)
        for (old, new) in zip(before.ads, after.ads) {
            let (olds, news) = (body(old), body(new))
            #expect(news.impressions == olds.impressions + ["https://w.test/i?]]>"])
            #expect(news.errors == olds.errors + ["https://w.test/e"])
            #expect(
                news.linears.map(\.trackingEvents) == olds.linears.map { $0.trackingEvents + additions.trackingEvents }
            )
            #expect(
                news.linears.map { $0.clicks.clickTracking.count }
                    == olds.linears.map { $0.clicks.clickTracking.count + 1 }
            )
        }
        // What was there is there still, in its order.
        var rest = output.bytes[...]
        for byte in text.utf8 {
            let index = try #require(rest.firstIndex(of: byte))
            rest = rest[(index + 1)...]
        }
    }

    private func body(_ ad: VASTAd) -> (impressions: [String], errors: [String], linears: [Linear]) {
        if let inLine = ad.inLine {
            return (inLine.impressions.map(\.url), inLine.errors, inLine.creatives.compactMap(\.linear))
        }
        let wrapper = ad.wrapper ?? Wrapper()
        return (wrapper.impressions.map(\.url), wrapper.errors, wrapper.creatives.compactMap(\.linear))
    }

    @Test("elements with a prefix get additions with the same prefix")
    func prefix() {
        let text = """
            <v:VAST xmlns:v="http://www.iab.com/VAST" version="4.2"><v:Ad><v:InLine><v:Impression>a</v:Impression></v:InLine>\
            </v:Ad></v:VAST>
            """
        let output = VASTInjector.inject(additions, into: Array(text.utf8))
        #expect(VASTReader.read(output.bytes).vast?.ads.first?.inLine?.impressions.count == 2)
        #expect(String(decoding: output.bytes, as: UTF8.self).contains("<v:Impression><![CDATA[https://w.test/i?]]]]>"))
    }

    @Test("what cannot be added to stays as it was, with the reason", arguments: ["<VAST><Ad>", "", "hello"])
    func unreadable(text: String) {
        let output = VASTInjector.inject(additions, into: Array(text.utf8))
        #expect(output.bytes == Array(text.utf8))
        #expect(output.failure != nil)
    }

    @Test("a document in another encoding is left alone")
    func encoding() {
        let bytes = Array("<?xml version='1.0' encoding='iso-8859-1'?><VAST>".utf8) + [0xE9] + Array("</VAST>".utf8)
        let output = VASTInjector.inject(additions, into: bytes)
        #expect(output.bytes == bytes)
        #expect(output.failure?.reason == .encoding)
    }
}
