import Testing
import WeirAdapterKit
import WeirHTTP
import WeirJSON
import WeirModel
import WeirVAST

@testable import WeirAPI

/// `GET /v1/vmap`: a network's schedule becomes breaks; without one, mid-points are mediated when they are due.
@Suite("Schedules")
struct ScheduleTests {
    private static func ad(_ id: String, sequence: Int? = nil) -> String {
        let place = sequence.map { " sequence=\"\($0)\"" } ?? ""
        return """
            <Ad id="\(id)"\(place)><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>\
            <Impression>https://t.example/\(id)</Impression><Creatives><Creative id="c-\(id)"><Linear>\
            <Duration>00:00:15</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" \
            height="360">https://m.example/\(id).mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad>
            """
    }

    private static func adBreak(_ offset: String, _ id: String, _ ads: String, _ attributes: String = "") -> String {
        """
        <vmap:AdBreak timeOffset="\(offset)" breakType="linear" breakId="\(id)"\(attributes)><vmap:AdSource>\
        <vmap:VASTAdData><VAST version="3.0">\(ads)</VAST></vmap:VASTAdData></vmap:AdSource><vmap:TrackingEvents>\
        <vmap:Tracking event="breakStart">https://t.example/start/\(id)</vmap:Tracking></vmap:TrackingEvents>\
        </vmap:AdBreak>
        """
    }

    private static func schedule(_ breaks: String...) -> String {
        "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">\(breaks.joined())</vmap:VMAP>"
    }

    private static let host = [("Host", "weir.test")]

    private func vmap(_ house: House, _ query: String) async throws -> VMAPDocument {
        let reply = await house.ask("GET", "/v1/vmap", query: query, headers: Self.host)
        #expect(reply.status == 200)
        #expect(reply.header("Content-Type")?.hasPrefix("application/xml") == true)
        let reading = VASTReader.read(reply.bytes, options: .strict)
        #expect(reading.diagnostics.filter { $0.code != .missingElement } == [])
        return try #require(reading.vmap)
    }

    private func ids(_ adBreak: AdBreak) -> [String?] {
        if case .vast(let document)? = adBreak.source?.content { document.ads.map(\.id) } else { [] }
    }

    @Test("a network's schedule is kept: offsets, ids, repetition, trackers and pods")
    func kept() async throws {
        let house = await House(
            Self.schedule(
                Self.adBreak("start", "pre", Self.ad("a")),
                Self.adBreak("00:01:00.500", "mid", Self.ad("b", sequence: 1) + Self.ad("c", sequence: 2)),
                Self.adBreak("75%", "late", Self.ad("d"), " repeatAfter=\"00:00:30\""),
                Self.adBreak("end", "post", Self.ad("e"))
            ),
            change: { $0.maxAds = 4 }
        )
        let document = try await vmap(house, "placement=p&duration_ms=600000&version=4.1")
        #expect(document.adBreaks.map(\.id) == ["pre", "mid", "late", "post"])
        let offsets: [TimeOffset] = [.start, .time(.milliseconds(60_500)), .percent(75), .end]
        #expect(document.adBreaks.map(\.timeOffset) == offsets)
        #expect(document.adBreaks.map(ids) == [["a"], ["b", "c"], ["d"], ["e"]])
        #expect(document.adBreaks[2].repeatAfter == .seconds(30))
        #expect(document.adBreaks[1].trackingEvents.map(\.url) == ["https://t.example/start/mid"])
        guard case .vast(let inner)? = document.adBreaks[1].source?.content else { return }
        #expect(inner.version == "4.1")
        #expect(inner.ads.map(\.sequence) == [1, 2])
    }

    @Test("the same schedule fills ads, each with its place and its pod")
    func filled() async throws {
        let house = await House(
            Self.schedule(
                Self.adBreak("start", "pre", Self.ad("a")),
                Self.adBreak("00:01:00", "mid", Self.ad("b", sequence: 1) + Self.ad("c", sequence: 2))
            ),
            change: { $0.maxAds = 4 }
        )
        let json = try await house.ask("POST", "/v1/ads", body: #"{"placement":"p"}"#).json()
        let ads = try #require(json["ads"]?.array)
        #expect(ads.map { $0["id"]?.string } == ["a", "b", "c"])
        #expect(ads.map { $0["pod"]?["time_offset_ms"]?.int } == [0, 60_000, 60_000])
        #expect(ads.map { $0["pod"]?["position"]?.int } == [1, 1, 2])
        #expect(ads.map { $0["pod"]?["total"]?.int } == [1, 2, 2])
        #expect(json["ad"]?["id"]?.string == "a")
    }

    @Test("without a schedule the ads come first, and each mid-point is mediated when it is due")
    func midpoints() async throws {
        let house = await House("<VAST version=\"3.0\">\(Self.ad("a"))</VAST>")
        let query = "placement=p&duration_ms=600000&midpoints=300,60&targeting.k=a%26b"
        let document = try await vmap(house, query)
        #expect(document.adBreaks.map(\.timeOffset) == [.start, .time(.seconds(60)), .time(.seconds(300))])
        #expect(ids(document.adBreaks[0]) == ["a"])
        let tag = "http://weir.test/v1/vast?placement=p&duration_ms=600000&targeting.k=a%26b"
        for adBreak in document.adBreaks.dropFirst() {
            guard case .adTag(_, let uri)? = adBreak.source?.content else {
                Issue.record("The break names no tag.")
                continue
            }
            #expect(uri == tag)
        }
    }

    @Test("a mid-point at the start or behind the end of the content is left out")
    func outside() async throws {
        let house = await House("<VAST version=\"3.0\">\(Self.ad("a"))</VAST>")
        let document = try await vmap(house, "placement=p&duration_ms=600000&midpoints=0,60,600,700")
        #expect(document.adBreaks.map(\.timeOffset) == [.start, .time(.seconds(60)), .time(.seconds(600))])
        let open = try await vmap(house, "placement=p&midpoints=0,700")
        #expect(open.adBreaks.map(\.timeOffset) == [.start, .time(.seconds(700))])
    }

    @Test("no ad is a schedule without breaks, or with the mid-points alone")
    func none() async throws {
        let house = await House("")
        #expect(try await vmap(house, "placement=p").adBreaks == [])
        #expect(try await vmap(house, "placement=p&midpoints=10").adBreaks.map(\.timeOffset) == [.time(.seconds(10))])
        let reply = await house.ask("GET", "/v1/vmap", query: "placement=p", headers: Self.host)
        #expect(reply.header("X-Weir-Result") == "no_fill")
    }

    @Test("what is wrong with the tag is told as everywhere")
    func wrong() async {
        let house = await House()
        #expect(await house.ask("GET", "/v1/vmap", query: "").status == 400)
        #expect(await house.ask("GET", "/v1/vmap", query: "placement=q").status == 404)
        #expect(await house.ask("GET", "/v1/vmap", query: "placement=p&midpoints=soon").status == 400)
        #expect(await house.ask("OPTIONS", "/v1/vmap", query: "").status == 204)
    }
}
