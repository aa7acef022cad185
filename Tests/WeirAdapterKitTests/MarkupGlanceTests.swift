import Testing
import WeirAdapterKit
import WeirModel

@Suite("MarkupGlance")
struct MarkupGlanceTests {
    @Test(
        "an ad is found where one is",
        arguments: [
            "<VAST><Ad/></VAST>", "<VAST><Ad id='1'></Ad></VAST>",
            "<vast:VAST xmlns:vast='x'><vast:Ad></vast:Ad></vast:VAST>",
            "<VideoAdServingTemplate><Ad></Ad></VideoAdServingTemplate>", "<DAAST><Ad></Ad></DAAST>",
            "<!DOCTYPE VAST [<!ENTITY a '>'>]><VAST><Ad></Ad></VAST>",
            "<?xml version='1.0'?><!-- > --><VAST\n><Ad\t/></VAST> ",
            "<VAST a='>' b=\"<\"><Ad></Ad></VAST>", "<VAST><Error>x</Error><Ad></Ad></VAST>",
            "<VMAP><AdBreak><AdSource><AdTagURI>x</AdTagURI></AdSource></AdBreak></VMAP>",
            "<v:VMAP><v:AdBreak><v:VASTAdData><VAST><Ad/></VAST></v:VASTAdData></v:AdBreak></v:VMAP>",
        ]
    )
    func ads(_ text: String) throws {
        #expect(try MarkupGlance(Array(text.utf8)).hasAds)
    }

    @Test(
        "no ad is found where none is",
        arguments: [
            "<VAST/>", "<VAST />", "<VAST></VAST>", "<VAST><!-- <Ad/> --></VAST>",
            "<VAST><Error><![CDATA[<Ad/>]]></Error></VAST>",
            "<VAST><Ads/><Adx/><xAd/></VAST>", "<VAST a='<Ad/>'/>", "<VAST><?x <Ad/> ?></VAST>",
            "<VAST><AdTagURI/></VAST>",
            "<VMAP><AdBreak><AdSource><VASTAdData><VAST/></VASTAdData></AdSource></AdBreak></VMAP>",
        ]
    )
    func noAds(_ text: String) throws {
        #expect(try !MarkupGlance(Array(text.utf8)).hasAds)
    }

    @Test(
        "what is no whole document of ours is bad VAST",
        arguments: [
            "", "words", "<", "<VAST", "<VAST>", "<VAST><Ad>", "<VAST><Ad></Ad>", "<VAST><!-- </VAST>",
            "<VAST a='></VAST>",
            "<html/>", "<rss><VAST/></rss>", "<!DOCTYPE html><html></html>", "<>", "</VAST>", "<!-- --", "<?xml",
        ]
    )
    func bad(_ text: String) {
        let error = #expect(throws: AdapterError.self) { try MarkupGlance(Array(text.utf8)) }
        #expect(error?.outcome.reason == .badVAST)
    }

    @Test("the root's error addresses are read, those of ads are not, and their number is bounded")
    func errors() throws {
        let own =
            "<Error><![CDATA[ https://t.example/?a=1&b=[ERRORCODE] ]]></Error><Error>\nhttps://t.example/&amp;&lt;&x;</Error>"
        let ad = "<Ad><InLine><Error>https://ad.example/</Error></InLine></Ad>"
        let glance = try MarkupGlance(Array("<VAST>\(ad)\(own)</VAST>".utf8))
        #expect(glance.errorURLs == ["https://t.example/?a=1&b=[ERRORCODE]", "https://t.example/&<&x;"])
        let many = String(repeating: "<Error>https://t.example/</Error>", count: 100)
        #expect(try MarkupGlance(Array("<VAST>\(many)</VAST>".utf8)).errorURLs.count == MarkupGlance.errorURLCount)
    }

    @Test("UTF-16 is left to the reader")
    func wide() throws {
        let glance = try MarkupGlance([0xFF, 0xFE, 0x3C, 0x00])
        #expect(glance.hasAds)
        #expect(glance.root == .unknown)
    }

    @Test("a hostile megabyte is walked once")
    func hostile() {
        let opened = Array(String(repeating: "<a ", count: 100_000).utf8)
        #expect(throws: AdapterError.self) { try MarkupGlance(opened) }
        let nested = Array(("<VAST>" + String(repeating: "<a>", count: 100_000)).utf8)
        #expect(throws: AdapterError.self) { try MarkupGlance(nested) }
    }
}
