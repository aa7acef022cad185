import Glibc
import Testing

@testable import WeirVAST

@Suite("Packed ads")
struct PackingTests {
    private static var folder: String {
        let root = String(#filePath.dropLast("/Tests/WeirVASTTests/PackingTests.swift".count))
        return (getenv("WEIR_SHARED").map { String(cString: $0) } ?? root + "/../shared") + "/data/vast"
    }

    private func ads(_ text: String) -> [ResolvedAd] {
        guard case .vast(let document) = VASTReader.read(Array(text.utf8)).content else { return [] }
        return document.ads.compactMap { ad in
            ad.inLine.map { ResolvedAd(id: ad.id, sequence: ad.sequence, inLine: $0, version: document.version) }
        }
    }

    /// An ad that has everything there is, all values different.
    private func full() throws -> ResolvedAd {
        var ad = try #require(ads(Self.everything).first)
        ad.pod = PodPlace(position: 2, total: 3)
        ad.adType = .hybrid
        ad.wrapperChain = [
            WrapperLink(
                adID: "w",
                system: AdSystem(name: "outer", version: "1"),
                creativeIDs: ["c1", "c2"],
                url: "https://w.test/1",
                latency: .nanoseconds(1_234_567),
                result: .failed
            )
        ]
        // What a player chose is not what the document has.
        ad.mediaFiles = ad.mediaFiles.reversed()
        ad.linear?.adParameters = AdParameters(isXMLEncoded: true, text: "changed")
        ad.linear?.skipOffset = .unreadable("x")
        return ad
    }

    @Test("an ad with everything there is comes back as it was, through a second round too")
    func everything() throws {
        let ad = try full()
        let packed = PackedAd(ad)
        #expect(packed.ad == ad)
        #expect(PackedAd(packed.ad) == packed)
        #expect(PackedAd(ResolvedAd.blank).ad == ResolvedAd.blank)
    }

    @Test("numbers, texts and times come back exactly, the largest and the strangest too")
    func extremes() {
        var ad = ResolvedAd.blank
        ad.inLine.title = "e\u{301} \u{1F3B5} \0 \r\n"
        ad.inLine.description = "\u{E9}"
        var linear = Linear()
        linear.duration = .init(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
        linear.skipOffset = .percent(-0.0)
        var file = MediaFile(url: String(repeating: "https://x/", count: 1000))
        (file.width, file.height, file.bitrate) = (.max, .min, -1)
        linear.mediaFiles = [file, MediaFile(url: ""), file]
        ad.linear = linear
        let back = PackedAd(ad).ad
        #expect(back == ad)
        // Equal texts may still differ in bytes, and a URL's bytes count.
        #expect(back.inLine.title.map { Array($0.utf8) } == ad.inLine.title.map { Array($0.utf8) })
        #expect(back.inLine.description.map { Array($0.utf8) } == [0xC3, 0xA9])
    }

    @Test("bytes that no packer wrote give some ad and trap nowhere")
    func garbage() throws {
        var generator = SystemRandomNumberGenerator()
        let good = PackedAd(try full()).bytesForTests
        for round in 0..<2000 {
            var bytes = round % 2 == 0 ? good : []
            if round % 2 == 0 {
                for _ in 0..<3 { bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8.random(in: 0...255) }
                bytes.removeLast(Int(generator.next() % UInt64(bytes.count)))
            } else {
                bytes = (0..<200).map { _ in UInt8.random(in: 0...255) }
            }
            var packer = AdPacker(reading: bytes)
            var ad = ResolvedAd.blank
            ad.pass(&packer)
        }
    }

    @Test(
        "every ad of the public documents comes back as it was, in a fraction of the document's bytes",
        .enabled("the shared corpus is not beside this checkout") { access(PackingTests.folder, R_OK) == 0 }
    )
    func corpus() throws {
        let index = try #require(text(Self.folder + "/index.tsv"))
        var (count, packed, document) = (0, 0, 0)
        for line in index.split(separator: "\n").dropFirst() {
            guard let file = line.split(separator: "\t").first, let text = text(Self.folder + "/" + file) else {
                continue
            }
            let ads = ads(text)
            if !ads.isEmpty { document += text.utf8.count }
            for ad in ads {
                let small = PackedAd(ad)
                #expect(small.ad == ad, "\(file)")
                (count, packed) = (count + 1, packed + small.count)
            }
        }
        #expect(count > 100)
        #expect(packed * 2 < document, "\(count) ads: \(packed) bytes packed, \(document) as documents")
    }

    private func text(_ path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let read = fread(&piece, 1, piece.count, file), read > 0 { bytes += piece[..<read] }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let everything = """
        <VAST version="4.2"><Ad id="a" sequence="2"><InLine><AdSystem version="3">s</AdSystem><AdTitle>t</AdTitle>
        <AdServingId>serving</AdServingId><Impression id="i1">https://t.test/i1</Impression><Impression>https://t.test/i2</Impression>
        <Category authority="iab">IAB1</Category><Category>IAB2</Category><Description>d</Description>
        <Advertiser id="adv">Brand</Advertiser><Pricing model="cpm" currency="USD">1.50</Pricing>
        <Survey type="text/html">https://t.test/survey</Survey><Expires>300</Expires><Error>https://t.test/e</Error>
        <ViewableImpression id="v"><Viewable>https://t.test/v1</Viewable><NotViewable>https://t.test/v2</NotViewable>
        <ViewUndetermined>https://t.test/v3</ViewUndetermined></ViewableImpression>
        <AdVerifications><Verification vendor="ven"><JavaScriptResource apiFramework="omid" browserOptional="true">https://t.test/v.js</JavaScriptResource>
        <ExecutableResource apiFramework="x" type="y">https://t.test/v.exe</ExecutableResource>
        <TrackingEvents><Tracking event="verificationNotExecuted">https://t.test/vne</Tracking></TrackingEvents>
        <VerificationParameters>vp</VerificationParameters></Verification></AdVerifications>
        <Extensions><Extension type="uiSettings" fallback_index="0"><UiHideable>1</UiHideable></Extension></Extensions>
        <Creatives><Creative id="c" adId="ad-id" sequence="1" apiFramework="none"><UniversalAdId idRegistry="reg">uid</UniversalAdId>
        <CreativeExtensions><CreativeExtension type="ce">x</CreativeExtension></CreativeExtensions>
        <Linear skipoffset="25%"><Duration>00:00:30.250</Duration><AdParameters xmlEncoded="true">p</AdParameters>
        <MediaFiles><MediaFile id="m" delivery="streaming" type="video/mp4" width="640" height="360" codec="avc1" bitrate="500"
        minBitrate="400" maxBitrate="600" scalable="true" maintainAspectRatio="false" apiFramework="f" fileSize="9" mediaType="2D">https://m.test/1.mp4</MediaFile>
        <MediaFile delivery="progressive" type="video/webm">https://m.test/2.webm</MediaFile>
        <Mezzanine delivery="progressive" type="video/mp4" width="1920" height="1080">https://m.test/mezz.mp4</Mezzanine>
        <InteractiveCreativeFile type="text/html" apiFramework="SIMID" variableDuration="true">https://m.test/i.html</InteractiveCreativeFile>
        <ClosedCaptionFiles><ClosedCaptionFile type="text/vtt" language="en">https://m.test/c.vtt</ClosedCaptionFile></ClosedCaptionFiles></MediaFiles>
        <TrackingEvents><Tracking event="start">https://t.test/start</Tracking><Tracking event="progress" offset="00:00:05">https://t.test/p5</Tracking>
        <Tracking event="progress" offset="10%">https://t.test/p10</Tracking></TrackingEvents>
        <VideoClicks><ClickThrough id="ct">https://t.test/page</ClickThrough><ClickTracking id="x">https://t.test/click</ClickTracking>
        <CustomClick>https://t.test/custom</CustomClick></VideoClicks>
        <Icons><Icon program="AdChoices" width="20" height="21" xPosition="right" yPosition="top" duration="00:00:05" offset="00:00:01"
        apiFramework="z" pxratio="2" altText="alt" hoverText="hover"><StaticResource creativeType="image/png">https://t.test/icon.png</StaticResource>
        <IconClicks><IconClickThrough>https://t.test/icon</IconClickThrough><IconClickTracking id="it">https://t.test/icon-click</IconClickTracking>
        <IconClickFallbackImages><IconClickFallbackImage width="1" height="2"><AltText>f</AltText><StaticResource creativeType="image/png">https://t.test/f.png</StaticResource></IconClickFallbackImage></IconClickFallbackImages>
        </IconClicks><IconViewTracking>https://t.test/icon-view</IconViewTracking></Icon></Icons></Linear></Creative>
        <Creative><NonLinearAds><NonLinear id="n" width="300" height="50" expandedWidth="301" expandedHeight="51" scalable="true"
        maintainAspectRatio="true" minSuggestedDuration="00:00:03" apiFramework="nf"><IFrameResource>https://t.test/frame</IFrameResource>
        <NonLinearClickThrough>https://t.test/nl</NonLinearClickThrough><NonLinearClickTracking>https://t.test/nlc</NonLinearClickTracking>
        <AdParameters>np</AdParameters></NonLinear><TrackingEvents><Tracking event="creativeView">https://t.test/cv</Tracking></TrackingEvents></NonLinearAds></Creative>
        <Creative><CompanionAds required="any"><Companion id="co" width="300" height="250" assetWidth="299" assetHeight="249"
        expandedWidth="400" expandedHeight="350" apiFramework="cf" adSlotId="slot" pxratio="1.5" renderingMode="end-card">
        <HTMLResource>&lt;b&gt;</HTMLResource><AdParameters>cp</AdParameters><AltText>alt</AltText>
        <CompanionClickThrough>https://t.test/co</CompanionClickThrough><CompanionClickTracking id="cct">https://t.test/coc</CompanionClickTracking>
        <TrackingEvents><Tracking event="creativeView">https://t.test/ccv</Tracking></TrackingEvents></Companion></CompanionAds></Creative>
        </Creatives></InLine></Ad></VAST>
        """
}
