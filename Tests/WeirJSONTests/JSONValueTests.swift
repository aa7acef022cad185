import Testing
import WeirJSON

@Suite("JSONNumber and JSONObject")
struct JSONValueTests {
    @Test(
        "a whole number is read exactly or not at all",
        arguments: [
            ("0", 0), ("-0", 0), ("42", 42), ("6e4", 60000), ("60000.000", 60000), ("1.5e1", 15), ("-1.2E+3", -1200),
            ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("-92233720368547758080e-1", .min),
            ("0e99999999999999999999", 0), ("9223372036854775808", nil), ("1.5", nil), ("1e19", nil), ("1e-1", nil),
            ("1e99999", nil), ("12345678901234567890", nil),
        ] as [(String, Int64?)]
    )
    func exactIntegers(_ text: String, _ expected: Int64?) throws {
        #expect(try #require(JSONNumber(text)).int64 == expected)
    }

    @Test("a double beyond the range is no double")
    func doubles() {
        #expect(JSONNumber("1e400")?.double == nil)
        #expect(JSONNumber("1e308")?.double == 1e308)
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(-Double.infinity) == nil)
        #expect(JSONNumber(0.1)?.text == "0.1")
    }

    @Test(
        "only JSON's spelling makes a number",
        arguments: ["", "-", "+1", "01", "1.", ".5", "1e", "0x1", "1 ", "NaN"]
    )
    func badNumbers(_ text: String) {
        #expect(JSONNumber(text) == nil)
    }

    @Test("a large object finds, replaces and removes its keys as a small one does")
    func objects() {
        var object = JSONObject()
        for number in 0..<100 { object["k\(number)"] = .int(number) }
        object["k50"] = "new"
        object["k0"] = nil
        #expect(object.count == 99)
        #expect(object["k50"] == "new")
        #expect(object["k0"] == nil)
        #expect(object["k99"] == 99)
        #expect(object.keys.prefix(2) == ["k1", "k2"])
        for number in 1..<95 { object["k\(number)"] = nil }
        #expect(object.keys == ["k95", "k96", "k97", "k98", "k99"])
        #expect(object["k97"] == 97)
    }

    @Test("the order of members makes no difference to equality and hash")
    func equality() {
        let one: JSONValue = ["a": 1, "b": [true, nil]]
        let other: JSONValue = ["b": [true, nil], "a": 1]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != ["a": 1, "b": [true, false]])
        #expect(one != ["a": 1])
    }
}
