import Testing
import WeirHTTP
import WeirJSON
import WeirModel
import WeirTime

@testable import WeirAPI

@Suite("Reading requests")
struct ReadingTests {
    private func paths(_ body: String) -> [String] {
        do {
            _ = try AdRequestReader.read(Array(body.utf8))
            return []
        } catch { return error.problems.map(\.path) }
    }

    private func tagPaths(_ query: String) -> [String] {
        do {
            _ = try TagReader.read(QueryParameters(query))
            return []
        } catch { return error.problems.map(\.path) }
    }

    /// The request that both forms below describe.
    private var whole: AdRequest {
        var request = AdRequest(placement: "p")
        request.app.bundle = "com.example"
        request.app.version = "3.2"
        request.device.userAgent = "UA/1"
        request.device.ip = "203.0.113.7"
        request.device.os = "ios"
        request.device.osVersion = "17.4"
        request.device.language = "en"
        request.device.advertisingID = "ifa"
        request.device.limitsTracking = true
        request.device.country = "DE"
        request.user.id = "u-1"
        request.user.age = 25
        request.user.gender = "male"
        request.user.customData = "level=7"
        var consent = AdRequest.Consent()
        consent.gdpr = true
        consent.tcf = "tcf"
        consent.gpp = "gpp"
        consent.gppSections = [7, 8]
        consent.usPrivacy = "1YNN"
        consent.coppa = false
        request.consent = consent
        request.content.url = "https://example.com/a"
        request.content.duration = .seconds(600)
        request.content.language = "de"
        request.player.width = 640
        request.player.height = 360
        request.player.isMuted = false
        request.player.mimes = ["video/mp4", "video/webm"]
        request.player.maxBitrate = 2500
        request.midpoints = .positions([.milliseconds(60_500), .seconds(300)])
        request.targeting = ["genre": ["drama"]]
        request.isTest = true
        request.timeout = .milliseconds(1500)
        return request
    }

    @Test("every member of the body is read")
    func body() throws {
        let body = """
            {"placement":"p","app":{"bundle":"com.example","version":"3.2"},
             "device":{"ua":"UA/1","ip":"203.0.113.7","os":"ios","os_version":"17.4","language":"en","ifa":"ifa",
               "lmt":true,"country":"DE"},
             "user":{"id":"u-1","age":25,"gender":"male","custom_data":"level=7"},
             "consent":{"gdpr":true,"tcf":"tcf","gpp":"gpp","gpp_sid":[7,8],"us_privacy":"1YNN","coppa":false},
             "content":{"url":"https://example.com/a","duration_ms":600000,"language":"de"},
             "player":{"width":640,"height":360,"muted":false,"mimes":["video/mp4","video/webm"],
               "max_bitrate_kbps":2500},
             "midpoints":{"seconds":[60.5,300]},"targeting":{"genre":"drama"},"test":true,"timeout_ms":1500,
             "unknown":{"member":[1]}}
            """
        #expect(try AdRequestReader.read(Array(body.utf8)) == whole)
    }

    @Test("every parameter of a tag is read, decoded")
    func tag() throws {
        let query =
            "placement=p&bundle=com.example&app_version=3.2&ua=UA%2F1&ip=203.0.113.7&os=ios&os_version=17.4&lang=en"
            + "&ifa=ifa&lmt=1&country=DE&user_id=u-1&age=25&gender=male&custom_data=level%3D7&gdpr=1&gdpr_consent=tcf"
            + "&gpp=gpp&gpp_sid=7,8&us_privacy=1YNN&coppa=0&url=https%3A%2F%2Fexample.com%2Fa&duration_ms=600000"
            + "&content_lang=de&w=640&h=360&muted=0&mimes=video/mp4,video/webm&max_bitrate_kbps=2500"
            + "&midpoints=60.5,300&targeting.genre=drama&test=true&timeout_ms=1500&version=3&cb=1&cb=2"
        let (request, version) = try TagReader.read(QueryParameters(query))
        #expect(request == whole)
        #expect(version == "3.0")
    }

    @Test("a targeting key that stands several times is a list of all its values, as in the body")
    func repeatedTargeting() throws {
        let query = "placement=p&targeting.genre=drama&targeting.a=1&targeting.genre=crime&targeting.genre="
        let body = #"{"placement":"p","targeting":{"genre":["drama","crime"],"a":"1"}}"#
        let request = try TagReader.read(QueryParameters(query)).request
        #expect(request.targeting == ["genre": ["drama", "crime"], "a": ["1"]])
        #expect(request == (try AdRequestReader.read(Array(body.utf8))))
        let many = "placement=p" + String(repeating: "&targeting.k=1", count: AdRequestReader.Limit.list + 1)
        #expect(tagPaths(many) == ["targeting.k"])
    }

    @Test("a tag of more parameters than are read is refused: what is left out might be a word on consent")
    func tooMany() {
        func tag(_ count: Int) -> String { "placement=p" + String(repeating: "&cb=1", count: count - 1) }
        #expect(tagPaths(tag(QueryParameters.limit)).isEmpty)
        #expect(tagPaths(tag(QueryParameters.limit) + "&").isEmpty)
        #expect(tagPaths(tag(QueryParameters.limit) + "&coppa=1") == [""])
    }

    @Test("a parameter that stands again without a value does not stand twice")
    func emptyAgain() throws {
        #expect(try TagReader.read(QueryParameters("placement=p&w=&w=640&w=")).request.player.width == 640)
    }

    @Test("only the placement is required")
    func least() throws {
        #expect(try AdRequestReader.read(Array(#"{"placement":"p"}"#.utf8)) == AdRequest(placement: "p"))
        #expect(try TagReader.read(QueryParameters("placement=p")).request == AdRequest(placement: "p"))
        #expect(try TagReader.read(QueryParameters("placement=p")).version == nil)
    }

    @Test(
        "a wrong member is complained about by its path",
        arguments: [
            (#"{}"#, "placement"), (#"{"placement":""}"#, "placement"), (#"{"placement":7}"#, "placement"),
            (#"{"placement":"p","device":{"ip":"here"}}"#, "device.ip"),
            (#"{"placement":"p","device":7}"#, "device"),
            (#"{"placement":"p","device":{"lmt":"yes"}}"#, "device.lmt"),
            (#"{"placement":"p","user":{"age":-1}}"#, "user.age"),
            (#"{"placement":"p","consent":{"gpp_sid":["x"]}}"#, "consent.gpp_sid[0]"),
            (#"{"placement":"p","content":{"duration_ms":1e300}}"#, "content.duration_ms"),
            (#"{"placement":"p","player":{"mimes":[1]}}"#, "player.mimes[0]"),
            (#"{"placement":"p","midpoints":{"seconds":[-1]}}"#, "midpoints.seconds[0]"),
            (#"{"placement":"p","midpoints":{"percent":[101]}}"#, "midpoints.percent[0]"),
            (#"{"placement":"p","midpoints":{"percent":[1],"seconds":[1]}}"#, "midpoints"),
            (#"{"placement":"p","midpoints":{"seconds":["60"]}}"#, "midpoints.seconds[0]"),
            (#"{"placement":"p","midpoints":{"percent":["60"]},"content":{"duration_ms":1}}"#, "midpoints.percent[0]"),
            (#"{"placement":"p","midpoints":{"seconds":60}}"#, "midpoints.seconds"),
            (#"{"placement":"p","midpoints":{}}"#, "midpoints"),
            (#"{"placement":"p","midpoints":{"seconds":null}}"#, "midpoints"),
            (#"{"placement":"p","midpoints":{"second":[60]}}"#, "midpoints.second"),
            (#"{"placement":"p","midpoints":{"seconds":[60],"at":[7]}}"#, "midpoints.at"),
            (#"{"placement":"p","midpoints":{"percent":[50]}}"#, "content.duration_ms"),
            (#"{"placement":"p","midpoints":{"percent":[50]},"content":{"url":"u"}}"#, "content.duration_ms"),
            (#"{"placement":"p","midpoints":{"percent":[50]},"content":7}"#, "content"),
            (#"{"placement":"p","targeting":{"a":{}}}"#, "targeting.a"),
            (#"{"placement":"p","timeout_ms":0}"#, "timeout_ms"), (#"{"placement":"p","test":1}"#, "test"),
            ("not JSON", ""), ("", ""),
        ]
    )
    func complaints(body: String, path: String) {
        #expect(paths(body) == [path])
    }

    @Test("the bytes of a body are the server's to count: what it has let in is read")
    func large() async throws {
        let filling = String(repeating: "x", count: 5 << 20)
        let body = "{\"placement\":\"p\",\"unknown\":\"\(filling)\"}"
        let house = await House()
        #expect(await house.ask("POST", "/v1/ads", body: body).status == 200)
        let events = await house.ask("POST", "/v1/events", body: body)
        #expect(events.status == 400)
        #expect(
            try events.json()["errors"]?.array?.compactMap { $0["path"]?.string } == ["type", "presentation_token"]
        )
    }

    @Test("what is not JSON is told in one sentence", arguments: ["/v1/ads", "/v1/sessions", "/v1/events"])
    func sentence(path: String) async throws {
        let answer = try await House().ask("POST", path, body: "{").json()
        let detail = try #require(answer["detail"]?.string)
        #expect(detail.hasPrefix("The body is not JSON: line 1, column 2: "))
        #expect(detail.hasSuffix(".") && !detail.hasSuffix(".."), "\(detail)")
    }

    @Test("all complaints come at once")
    func together() {
        let body = #"{"placement":"p","user":{"age":999},"timeout_ms":"x","device":{"ip":"x"}}"#
        #expect(Set(paths(body)) == ["user.age", "timeout_ms", "device.ip"])
        #expect(paths(#"{"user":{"age":999},"test":1}"#) == ["placement", "user.age", "test"])
        #expect(Set(tagPaths("age=999&gdpr=maybe")) == ["placement", "age", "gdpr"])
        #expect(Set(tagPaths("placement=p&age=999&gdpr=maybe&ip=x&version=5")) == ["age", "gdpr", "ip", "version"])
    }

    @Test(
        "a wrong parameter is complained about by its name",
        arguments: [
            ("", "placement"), ("placement=p&placement=q", "placement"), ("placement=p&w=wide", "w"),
            ("placement=p&gpp_sid=7,,8", "gpp_sid"), ("placement=p&midpoints=60,-1", "midpoints"),
            ("placement=p&lmt=2", "lmt"), ("placement=p&version=1", "version"),
            ("placement=p&version=3&version=3", "version"),
        ]
    )
    func tagComplaints(query: String, name: String) {
        #expect(tagPaths(query) == [name])
    }

    @Test(
        "form encoding is undone, and what is no escape stands for itself",
        arguments: [
            ("a+b", "a b"), ("%%41", "%A"), ("%4%41", "%4A"), ("%C3%bc", "ü"), ("%2B%26", "+&"), ("100%", "100%"),
            ("%zz", "%zz"), ("%4", "%4"),
        ]
    )
    func decoding(text: String, decoded: String) {
        #expect(QueryParameters.decode(text.utf8) == decoded)
    }

    @Test("a query is bounded, empty values count as absent, and doubled names stand once")
    func query() {
        let query = QueryParameters("a=&a=1&b&a=2&=3&c=x=y")
        #expect(query["a"] == "1")
        #expect(query["b"] == nil)
        #expect(query["c"] == "x=y")
        #expect(query.doubledNames == ["a"])
        #expect(QueryParameters(nil).pairs.isEmpty)
        #expect(QueryParameters(String(repeating: "a=1&", count: 1000)).pairs.count == QueryParameters.limit)
    }
}
