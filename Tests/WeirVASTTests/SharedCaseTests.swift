import Testing
import WeirTime

@testable import WeirVAST

/// Reported faults of VAST tools, as inputs with the right result.
@Suite("Reported faults", .enabled(if: Corpus.root != nil, "The shared documents are not here; set WEIR_SHARED."))
struct SharedCaseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var ads: [String]
        var pings: [String] = []
        var isStrict = false
        var testDescription: String { name + (isStrict ? " strict" : "") }
    }

    static let cases: [Case] = [
        Case(name: "B01", ads: ["ok"], pings: ["w1 303", "w2 301"]),
        Case(name: "B03", ads: [], pings: ["w1 102"]),
        Case(name: "B04", ads: ["only"]),
        Case(name: "B04", ads: [], pings: ["w1 303"], isStrict: true),
        Case(name: "B05", ads: ["solo"]),
        Case(name: "B05-true", ads: ["p1", "p2"]),
        Case(name: "B07", ads: ["a"]),
        Case(name: "B08", ads: ["a"]),
        Case(name: "B09", ads: ["a"]),
        Case(name: "B11", ads: ["a"]),
        Case(name: "B12", ads: ["n"]),
        Case(name: "B13", ads: ["a"]),
        Case(name: "B14", ads: ["a"]),
        Case(name: "B16", ads: ["p1", "p2", "in"]),
        Case(name: "B18", ads: [], pings: ["a 101", "root 303"]),
        Case(name: "B19", ads: ["a"]),
        Case(name: "B20", ads: ["a"]),
        Case(name: "B21", ads: [""]),
        Case(name: "B25", ads: [""]),
        Case(name: "B30", ads: ["68"]),
        Case(name: "B34", ads: [], pings: ["e1 303", "e2 303"]),
        Case(name: "B36", ads: [], pings: ["a 205"]),
        Case(name: "B37", ads: ["a"]),
        Case(name: "B38", ads: ["pre"]),
        Case(name: "B40", ads: ["1"]),
        Case(name: "B41", ads: ["a"]),
        Case(name: "B42", ads: ["a"]),
        Case(name: "B42-six", ads: [], pings: ["w0 302", "w1 302", "w2 302", "w3 302", "w4 302", "w5 302"]),
        Case(name: "B44", ads: []),
        Case(name: "B44-lol", ads: []),
        Case(name: "B46", ads: [], pings: ["noad 303"]),
        Case(name: "B49", ads: ["hide"]),
        Case(name: "own-audio-pod", ads: ["a1", "a2"]),
        Case(name: "own-audio-aac-minimal", ads: ["p"]),
        Case(name: "own-daast10", ads: ["d1"]),
    ]

    @Test("resolves to the right ads and pings", arguments: cases)
    func resolves(_ example: Case) async {
        let resolution = await Self.resolve(example.name, isStrict: example.isStrict)
        #expect(resolution.ads.map { $0.id ?? "" } == example.ads, "\(resolution.verdicts) \(resolution.chain)")
        #expect(resolution.pings.map(Self.short) == example.pings)
    }

    static func short(_ ping: ErrorPing) -> String {
        let name = ping.template.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? ""
        return "\(name) \(ping.code.rawValue)"
    }

    static func resolve(_ name: String, isStrict: Bool = false) async -> Resolution {
        let folder = (Corpus.root ?? "") + "/data/vast-cases/"
        var options = ResolveOptions()
        options.reading = isStrict ? .strict : .lenient
        options.baseURL = "https://weir.test/\(name).xml"
        let reading = VASTReader.read(read(folder + name + ".xml") ?? [], options: options.reading)
        return await VASTResolver().resolve(reading, options: options, clock: FixedClock()) { request in
            let path = request.url.prefix { $0 != "?" }
            guard path.hasPrefix("https://weir.test/"), let bytes = read(folder + path.dropFirst(18)) else {
                return .failed(.status(404), message: "404 Not Found")
            }
            return .document(bytes)
        }
    }

    @Test("a bad offset spoils one break, not the schedule")
    func badOffset() async {
        let resolution = await Self.resolve("B26")
        #expect(resolution.breaks.count == 3)
        #expect(resolution.pings.map(\.url).contains { $0.hasPrefix("https://t.test/verr?c=1000&m=The%20break") })
        #expect(resolution.pings.map(\.url).contains { $0.hasSuffix("&d=1000") })
    }

    @Test("offsets keep their milliseconds")
    func milliseconds() async {
        let resolution = await Self.resolve("B28")
        #expect(resolution.breaks.map(\.adBreak.timeOffset) == [.time(.milliseconds(20500)), .time(.seconds(60))])
    }

    @Test("request macros are filled, tracking macros are not sent")
    func requestMacros() async throws {
        let hop = try #require(await Self.resolve("B36").chain.first)
        #expect(hop.url.contains("ts=2026-01-01T00%3A00%3A00.000Z"))
        #expect(hop.url.contains("&b=IAB1-6,IAB1-7&v=-1"))
        #expect(hop.url.firstMatch(of: /cb=\d{8}&/) != nil)
    }

    @Test("only an ad that says so lets its interface be hidden")
    func hideable() async {
        let resolution = await Self.resolve("B49")
        #expect((resolution.ads + resolution.buffet).map(\.isUIHideable) == [true, false, false])
    }

    @Test("an empty break is told 303 and the next one plays")
    func emptyBreak() async {
        let resolution = await Self.resolve("B32")
        #expect(resolution.breaks.map { $0.ads.map { $0.id ?? "" } } == [[], ["ok"]])
        #expect(resolution.pings.map(\.url) == ["https://t.test/verr/a?c=303"])
    }
}
