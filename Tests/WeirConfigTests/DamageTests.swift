import Testing
import WeirConfig
import WeirJSON

@Suite("Damaged files")
struct DamageTests {
    private let bytes: [UInt8]

    init() throws {
        bytes = try Fixtures.bytes("config/weir.json")
    }

    /// Every complaint has a place inside the text and is one line long.
    private func check(_ result: ConfigurationReader.Result, _ bytes: [UInt8], _ what: String) {
        let lines = bytes.count { $0 == 0x0A } + 1
        for diagnostic in result.diagnostics {
            #expect((1...lines).contains(diagnostic.line), "\(what): \(diagnostic.text)")
            #expect(diagnostic.column >= 1, "\(what): \(diagnostic.text)")
            #expect(!diagnostic.text.contains("\n"), "\(what)")
            #expect(!diagnostic.message.isEmpty, "\(what)")
        }
        #expect(result.configuration != nil || !result.report.isValid, "\(what): refused without an error")
        #expect(result.configuration == nil || result.report.isValid, "\(what): read with an error")
    }

    @Test("cut off at any fiftieth byte, are refused with a place")
    func cutOff() throws {
        // What follows the last brace is a line end: cutting there changes nothing.
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
        for length in stride(from: 0, through: end, by: 50) {
            let cut = Array(bytes[..<length])
            let result = Fixtures.reader().read(cut, file: "w.json", lenient: length % 100 == 0)
            check(result, cut, "cut at \(length)")
            #expect(result.configuration == nil)
        }
    }

    @Test("with one bit or byte changed, never crash the reader")
    func flipped() {
        var random = Fixed(state: 20_260_101)
        for round in 0..<200 {
            var damaged = bytes
            let place = Int.random(in: 0..<damaged.count, using: &random)
            if round % 2 == 0 {
                damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            } else {
                damaged[place] = UInt8.random(in: 0...255, using: &random)
            }
            check(
                Fixtures.reader().read(damaged, file: "w.json", lenient: round % 3 == 0),
                damaged,
                "byte \(place) is \(damaged[place])"
            )
        }
    }

    @Test("with a value replaced by one of another kind, never crash the reader")
    func replaced() throws {
        let root = try JSONReader.read(try JSONComments.blank(bytes))
        let strange: [JSONValue] = [
            nil, true, -1, 1e300, "", "\u{202E}\n\u{7}", [], [[]], [:], ["env": "NOT_SET"], ["group": 1], .string(long),
        ]
        let places = Self.replacements(of: root, by: nil).count
        #expect(places > 100)
        // Each place gets some of the strange values, each value some of the places: all pairs take too long.
        for (turn, value) in strange.enumerated() {
            for (place, changed) in Self.replacements(of: root, by: value).enumerated()
            where place % strange.count == turn {
                let text = changed.encoded(pretty: true)
                check(Fixtures.reader().read(text, file: "w.json", lenient: place % 2 == 0), text, "\(place), \(turn)")
            }
        }
    }

    private let long = String(repeating: "x", count: 100_000)

    /// The trees in which one value, at any depth, is `other`.
    private static func replacements(of value: JSONValue, by other: JSONValue) -> [JSONValue] {
        switch value {
        case .array(let elements):
            [other]
                + elements.indices.flatMap { index in
                    replacements(of: elements[index], by: other).map { changed in
                        var copy = elements
                        copy[index] = changed
                        return .array(copy)
                    }
                }
        case .object(let object):
            [other]
                + object.members.flatMap { member in
                    replacements(of: member.value, by: other).map { changed in
                        var copy = object
                        copy[member.key] = changed
                        return .object(copy)
                    }
                }
        default: [other]
        }
    }

    @Test("deeper, longer or fuller than allowed, are refused in one line")
    func tooMuch() {
        let deep = String(repeating: "[", count: 100_000)
        let long = "\"" + String(repeating: "x", count: ConfigurationLimits.fileBytes) + "\""
        let full = "{\"test_units\": [" + String(repeating: "1,", count: 1_100_000) + "1]}"
        let many = "{\"test_units\": [" + String(repeating: "1,", count: 1000) + "1]}"
        for text in [deep, long, full, many] {
            let result = Fixtures.reader().read(text: text, file: "w.json")
            #expect(result.configuration == nil)
            #expect(result.diagnostics.contains { $0.severity == .error && $0.text.utf8.count < 300 })
        }
    }

    @Test("with more mistakes than anybody reads are refused even when the listed ones could be left out")
    func mistakesBeyondTheList() {
        let networks = (0..<300).map { #"{"id": "\#($0)", "adapter": "vsat"}"# }.joined(separator: ",\n")
        let text = whole(networks: networks, waterfall: #"{"id": "l", "network": "x", "network_unit": "1"}"#)
        #expect(Fixtures.reader().read(text: text, file: "w.json", lenient: true).configuration == nil)
    }

    @Test("with more mistakes than anybody reads, keep a bounded list")
    func manyMistakes() {
        let text = "{\"test_units\": [" + String(repeating: "1,", count: 999) + "1]}"
        let result = Fixtures.reader().read(text: text, file: "w.json")
        #expect(result.configuration == nil)
        #expect(result.diagnostics.count == ConfigurationLimits.diagnostics)
    }
}

/// SplitMix64: the same damage in every run.
private struct Fixed: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
