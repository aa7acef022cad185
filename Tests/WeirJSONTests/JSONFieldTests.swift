import Testing
import WeirJSON

@Suite("JSONField")
struct JSONFieldTests {
    private let problems = JSONProblems()

    private func field(_ text: String) throws -> JSONField {
        JSONField(try JSONReader.read(text), problems: problems)
    }

    private var complaints: [String] { problems.list.map { "\($0.path) \($0.message)" } }

    @Test("good members are read and nothing is noted")
    func good() throws {
        let body = try field(
            #"{"placement":"p","n":5,"x":0.5,"b":true,"none":null,"o":{"ip":"1"},"s":["a"],"i":[7],"m":{"g":"d"}}"#
        )
        #expect(body.requiredString("placement") == "p")
        #expect(body.optionalInt("n", range: 0...10) == 5)
        #expect(body.optionalDouble("x", range: 0...1) == 0.5)
        #expect(body.optionalBool("b") == true)
        #expect(body.optionalString("none") == nil)
        #expect(body.optionalString("absent") == nil)
        #expect(body.optionalObject("o")?.requiredString("ip") == "1")
        #expect(body.strings("s") == ["a"])
        #expect(body.ints("i") == [7])
        #expect(body.stringMembers("m").map(\.value) == ["d"])
        #expect(body.elements("absent").isEmpty)
        #expect(problems.isEmpty)
    }

    @Test("every wrong member is noted with its path, all in one reading")
    func wrong() throws {
        let body = try field(
            #"{"placement":7,"timeout_ms":"1","age":1.5,"neg":-1,"pct":101,"device":[],"b":"yes","list":[1,"a",null]}"#
        )
        #expect(body.requiredString("placement") == nil)
        #expect(body.requiredString("id") == nil)
        #expect(body.optionalInt("timeout_ms") == nil)
        #expect(body.optionalInt("age") == nil)
        #expect(body.optionalInt("neg", range: 0 ... .max) == nil)
        #expect(body.optionalInt("pct", range: 0...100) == nil)
        #expect(body.optionalObject("device") == nil)
        #expect(body.optionalBool("b") == nil)
        #expect(body.strings("list") == ["a"])
        #expect(
            complaints == [
                "placement must be a string, not a number",
                "id is required",
                "timeout_ms must be a whole number, not a string",
                "age must be a whole number, not 1.5",
                "neg must not be negative",
                "pct must be from 0 to 100, not 101",
                "device must be an object, not an array",
                "b must be true or false, not a string",
                "list[0] must be a string, not a number",
                "list[2] must be a string, not null",
            ]
        )
        #expect(problems.list.map(\.kind).prefix(4) == [.wrongType, .missing, .wrongType, .badValue])
    }

    @Test("paths reach into nested elements")
    func nestedPaths() throws {
        let unit = try field(#"{"waterfall":[{"id":"a"},{"rate":{"amount":true}}]}"#)
        for line in unit.elements("waterfall") {
            _ = line.requiredString("id")
            _ = line.optionalObject("rate")?.requiredMember("amount")?.decimalText()
        }
        #expect(
            complaints == [
                "waterfall[1].id is required",
                "waterfall[1].rate.amount must be a decimal number or a string that holds one, not true",
            ]
        )
    }

    @Test("decimals are read from strings and numbers, to the letter")
    func decimals() throws {
        let body = try field(#"{"a":"2.50","b":12.500}"#)
        #expect(body.member("a")?.decimalText() == "2.50")
        #expect(body.member("b")?.decimalText() == "12.500")
    }

    @Test("an unknown key is noted with the nearest known one")
    func unknownKeys() throws {
        try field(#"{"listen":1,"admin_listn":2,"Workers":3,"zzz":4}"#)
            .refuseUnknownKeys(known: ["listen", "admin_listen", "workers"])
        #expect(problems.list.map(\.path.description) == ["admin_listn", "Workers", "zzz"])
        #expect(problems.list.map(\.hint) == ["Did you mean `admin_listen`?", "Did you mean `workers`?", nil])
    }

    private enum Format: String, CaseIterable { case video, audio, rewarded }

    @Test("a choice is one of its names, with a hint when it is nearly one")
    func choices() throws {
        let body = try field(#"{"a":"audio","b":"vidoe","c":3}"#)
        #expect(body.requiredChoice("a", Format.self) == .audio)
        #expect(body.requiredChoice("b", Format.self) == nil)
        #expect(body.optionalChoice("c", Format.self) == nil)
        #expect(problems.list.first?.message == "must be one of `video`, `audio`, `rewarded`")
        #expect(problems.list.first?.hint == "Did you mean `video`?")
        #expect(problems.list.count == 2)
    }

    @Test("strings, arrays and the list of problems have limits")
    func limits() throws {
        let body = try field("{\"s\":\"12345\",\"e\":\"\",\"a\":[1,2,3]}")
        #expect(body.optionalString("s", maxBytes: 4) == nil)
        #expect(body.requiredString("e") == nil)
        #expect(body.elements("a", maxCount: 2).isEmpty)
        #expect(
            complaints == [
                "s is longer than 4 bytes", "e must not be empty", "a has 3 elements; at most 2 are allowed",
            ]
        )
        for _ in 0..<500 { body.complain("again") }
        #expect(problems.list.count == JSONProblems.limit)
    }

    @Test("members of something that is no object are absent")
    func noObject() throws {
        let body = try field("[1]")
        #expect(body.optionalString("a") == nil)
        #expect(problems.isEmpty)
        #expect(body.object() == nil)
        #expect(complaints == [" must be an object, not an array"])
    }

    @Test(
        "did-you-mean finds slips and leaves strangers alone",
        arguments: [
            ("adaptor", "adapter"), ("netwroks", "networks"), ("timeout", nil), ("TIMEOUT-MS", "timeout_ms"),
            ("id", "id"), ("storage_url", nil), ("x", nil),
        ] as [(String, String?)]
    )
    func nearest(_ name: String, _ expected: String?) {
        let known = ["adapter", "networks", "timeout_ms", "id"]
        #expect(NearestName.of(name, among: known) == expected)
    }
}
