import Testing
import WeirAdapterKit
import WeirHTTP
import WeirJSON
import WeirModel
import WeirStore

@testable import WeirAPI

/// `GET /v1/vast`.
@Suite("The VAST door")
struct VASTDoorTests {
    private func document(_ answer: ServerResponse) -> String { String(decoding: answer.bytes, as: UTF8.self) }

    /// The `version` of the document's root.
    private func version(_ answer: ServerResponse) -> String? {
        let root = document(answer).split(separator: "<VAST").dropFirst().first?.prefix { $0 != ">" }
        return root?.split(separator: "version=\"").dropFirst().first.map { String($0.prefix { $0 != "\"" }) }
    }

    @Test(
        "a tag gets the version that it asks for",
        arguments: [
            ("2", "2.0"), ("2.0", "2.0"), ("3", "3.0"), ("3.0", "3.0"), ("4.0", "4.0"), ("4.1", "4.1"), ("4.2", "4.2"),
            ("4.3", "4.3"),
        ]
    )
    func version(asked: String, written: String) async {
        let answer = await House().ask("GET", "/v1/vast", query: "placement=p&version=\(asked)")
        #expect(answer.status == 200)
        #expect(answer.header("X-Weir-Result") == "fill")
        #expect(version(answer) == written)
        let text = document(answer)
        // Elements that the older versions do not know are left out.
        #expect(text.contains("<AdServingId>") == (written >= "4.1"))
        #expect(text.contains("<UniversalAdId") == (written >= "4.0"))
        #expect(text.contains("skipoffset=") == (written >= "3.0"))
        let empty = await House("").ask("GET", "/v1/vast", query: "placement=p&version=\(asked)")
        #expect(version(empty) == written)
    }

    @Test(
        "a network's clean document comes through as it was, in the answer and in the markup, unless another is asked"
    )
    func untouched() async throws {
        let own = House.inLine.replacing(
            "<VAST version=\"4.2\">",
            "<VAST version=\"4.2\" xmlns=\"http://www.iab.com/VAST\">"
        )
        .replacing("<AdTitle>", "<!-- the network's own words -->\n<AdTitle>")
        let house = await House(own)
        let answer = await house.ask("GET", "/v1/vast", query: "placement=p&version=4.2")
        #expect(document(answer) == own + "\n")
        let json = try await house.ask("POST", "/v1/ads", body: #"{"placement":"p"}"#).json()
        #expect(json["ad"]?["markup"]?["vast"]?.string == own)
        let older = await house.ask("GET", "/v1/vast", query: "placement=p&version=3.0")
        #expect(version(older) == "3.0")
        #expect(!document(older).contains("own words"))
    }

    @Test("without one it gets the ad unit's, however that is spelled", arguments: [("4.1", "4.1"), ("3", "3.0")])
    func unitVersion(configured: String, written: String) async {
        let house = await House { $0.vastVersion = configured }
        #expect(version(await house.ask("GET", "/v1/vast", query: "placement=p")) == written)
        #expect(version(await house.ask("GET", "/v1/vast", query: "placement=p&version=")) == written)
    }

    @Test("who only looks costs nothing", arguments: ["/v1/vast", "/v1/vmap", "/v1/t/forged"])
    func look(path: String) async throws {
        let house = await House()
        let answer = await house.ask("HEAD", path, query: "placement=p")
        #expect(answer.status == (path.hasPrefix("/v1/v") ? 200 : 204))
        #expect(answer.bytes.isEmpty && answer.header("Cache-Control") == "no-store")
        #expect(try await house.services.store.recent(DecisionFilter()).isEmpty)
        _ = await house.ask("GET", "/v1/vast", query: "placement=p")
        #expect(try await house.services.store.recent(DecisionFilter()).count == 1)
    }

    @Test("a version that there is not is an error that names it", arguments: ["1", "5", "4.4", "4", "x"])
    func noVersion(asked: String) async throws {
        let answer = await House().ask("GET", "/v1/vast", query: "placement=p&version=\(asked)")
        #expect(answer.status == 400)
        #expect(try answer.json()["errors"]?[0]?["path"]?.string == "version")
    }

    @Test("a pod is one document, in order")
    func pod() async throws {
        let house = await House("<VAST version=\"4.2\">\(House.podAd(2))\(House.podAd(1))</VAST>") { $0.maxAds = 3 }
        let text = document(await house.ask("GET", "/v1/vast", query: "placement=p"))
        #expect(text.split(separator: "<Ad ").count == 3)
        let first = try #require(text.firstRange(of: "pod-1"))
        let second = try #require(text.firstRange(of: "pod-2"))
        #expect(first.lowerBound < second.lowerBound)
    }

    @Test("of a programme a player gets the interruption that comes first, whole")
    func programme() async {
        let house = await House(offers: [
            House.spot("late", seconds: 5).at(.postroll), House.spot("a", seconds: 5).at(.preroll),
            House.spot("b", seconds: 5).at(.preroll),
        ]) { $0.format = .audio }
        let text = document(await house.ask("GET", "/v1/vast", query: "placement=p"))
        #expect(text.contains("spot-a") && text.contains("spot-b") && !text.contains("spot-late"))
    }

    @Test("the error address of an empty answer is the name that the client used; a stranger's headers change nothing")
    func errorURL() async throws {
        let proxies = TrustedProxies([try AddressRange("10.0.0.0/8")])
        let house = await House("", proxies: proxies)
        func origin(_ peer: String, _ headers: [(name: String, value: String)]) async -> String? {
            let answer = await house.ask("GET", "/v1/vast", query: "placement=p", headers: headers, peer: peer)
            let error = document(answer).split(separator: "<Error>").dropFirst().first
            let url = error?.split(separator: "CDATA[").dropFirst().first
            return url?.split(separator: "/v1/t/").first.map(String.init)
        }
        let forwarded = [(name: "X-Forwarded-Proto", value: "https"), (name: "X-Forwarded-Host", value: "evil.test")]
        let host = [(name: "Host", value: "weir.test:8080")]
        #expect(await origin("198.51.100.1", host) == "http://weir.test:8080")
        #expect(await origin("198.51.100.1", host + forwarded) == "http://weir.test:8080")
        #expect(await origin("", host + forwarded) == "http://weir.test:8080")
        #expect(await origin("10.0.0.1", host + forwarded) == "https://evil.test")
        #expect(await origin("10.0.0.1", host) == "http://weir.test:8080")
        // What cannot stand in a URL is not believed from anybody.
        #expect(await origin("10.0.0.1", host + [("X-Forwarded-Host", "a b/<x>")]) == "http://weir.test:8080")
        #expect(await origin("10.0.0.1", host + [("X-Forwarded-Host", "u@evil.test")]) == "http://weir.test:8080")
        #expect(await origin("10.0.0.1", []) == nil)
    }

    @Test("without an error address the empty document is still one")
    func noHost() async {
        let answer = await House("").ask("GET", "/v1/vast", query: "placement=p")
        #expect(answer.status == 200)
        #expect(!document(answer).contains("<Error"))
    }
}

extension String {
    fileprivate func replacing(_ old: String, _ new: String) -> String {
        guard let range = firstRange(of: old) else { return self }
        return String(self[..<range.lowerBound]) + new + self[range.upperBound...]
    }
}
