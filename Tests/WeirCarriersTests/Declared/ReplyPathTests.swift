import Testing
import WeirAdapterKit
import WeirJSON

@testable import WeirCarriers

@Suite("Declared networks: paths and conditions")
struct ReplyPathTests {
    private static let reply: JSONValue = [
        "a": ["b": [1, ["c": "x"], nil]], "odd key": ["x.y": 2, "q\"z": 3], "empty": [], "hollow": " ",
        "seatbid": [["bid": [["id": "1"], ["id": "2"]]], ["bid": []], ["bid": [["id": "3"]]], [:]], "n": nil,
        "status": "NoFill-7",
        "price": 1.0, "yes": true,
    ]

    @Test(
        "a path leads to its value",
        arguments: [
            ("a.b[0]", 1), ("a.b[1].c", "x"), ("[\"odd key\"][\"x.y\"]", 2), ("[\"odd key\"][\"q\\\"z\"]", 3),
            ("a.b[9]", nil), ("a.x.y", nil), ("a.b.c", nil), ("seatbid[*].bid[*].id", "1"),
            ("seatbid[2].bid[0].id", "3"),
            ("yes.no", nil), ("price[0]", nil),
        ] as [(String, JSONValue?)]
    )
    func values(_ path: String, _ expected: JSONValue?) throws {
        #expect(try ReplyPath(path).value(in: Self.reply) == expected)
    }

    @Test("a path with stars gathers, no more than it may")
    func stars() throws {
        let path = try ReplyPath("seatbid[*].bid[*]")
        #expect(path.values(in: Self.reply, limit: 50).map { $0["id"]?.string } == ["1", "2", "3"])
        #expect(path.values(in: Self.reply, limit: 2).count == 2)
        #expect(try ReplyPath("a.b[*]").values(in: Self.reply, limit: 50).count == 2)
        #expect(try ReplyPath("").values(in: Self.reply, limit: 50) == [Self.reply])
    }

    @Test(
        "what is no path is refused",
        arguments: [
            "$.a", "a..b", ".a", "a.", "a[", "a[x]", "a[-1]", "a[+1]", "a[]", "a b", "a[\"x", "a[\"x\"", "a]", "a.*",
            "a[0]b",
            "a.[0]", String(repeating: "a.", count: 40) + "a", "a[99999999999999999999]", "a[\"\\",
        ]
    )
    func refused(_ path: String) {
        #expect(throws: DeclaredFilter.Unreadable.self) { try ReplyPath(path) }
    }

    @Test(
        "a condition holds, or does not",
        arguments: [
            (["status": 404], true), (["status": [204, 404]], true), (["status": 200], false),
            (["path": "price", "equals": 1], true), (["path": "price", "equals": 2], false),
            (["path": "yes", "equals": true], true), (["path": "yes", "equals": "true"], false),
            (["path": "n", "absent": true], true), (["path": "price", "absent": true], false),
            (["path": "price", "absent": false], true), (["path": "gone", "absent": false], false),
            (["path": "empty", "empty": true], true), (["path": "hollow", "empty": true], true),
            (["path": "gone", "empty": true], true), (["path": "a", "empty": false], true),
            (["path": "yes", "empty": true], false),
            (["path": "status", "one_of": ["a", "NoFill-7"]], true), (["path": "status", "none_of": ["a"]], true),
            (["path": "status", "none_of": ["NoFill-7"]], false), (["path": "gone", "none_of": ["a"]], false),
            (["path": "status", "matches": "nofill*"], true), (["path": "status", "matches": "*-?"], true),
            (["path": "status", "matches": "nofill"], false), (["path": "a", "matches": "*"], false),
            (["header": "x-code", "equals": 7], true), (["header": "X-CODE", "equals": "7"], true),
            (["header": "X-Gone", "absent": true], true),
            (["all": [["status": 404], ["path": "yes", "equals": true]]], true),
            (["all": [["status": 404], ["path": "yes", "equals": false]]], false),
        ] as [(JSONValue, Bool)]
    )
    func conditions(_ condition: JSONValue, _ expected: Bool) throws {
        let problems = JSONProblems()
        let file: JSONValue = ["url": "https://a.example/", "reply": ["format": "vast", "no_fill": condition]]
        let reading = DeclaredReading(file, problems: problems) { _ in [] }
        let reply = reading.reply(.json)
        #expect(problems.list.isEmpty, "\(problems.list)")
        // Nothing can be said to be absent from what is no answer.
        let status = condition["path"] == nil && condition["header"] == nil ? 404 : 200
        let response = InboundResponse(status: status, headers: [HTTPHeader("X-Code", "7")])
        #expect(reply.noFill.count == 1)
        #expect(reply.noFill.first?.holds(DeclaredReply(response: response, json: Self.reply)) == expected)
    }

    @Test(
        "patterns fit as a whole",
        arguments: [
            ("*", "", true), ("", "", true), ("", "a", false), ("a*b*c", "a-b-b-c", true), ("a*b*c", "a-b-c-d", false),
            ("?", "é", true), ("?", "", false), ("??", "é", false), ("A", "a", true), ("no*ad", "NO MORE AD", true),
        ]
    )
    func patterns(_ pattern: String, _ text: String, _ expected: Bool) {
        #expect(ReplyPattern(pattern).fits(text) == expected)
    }

    @Test("a hostile text does not keep a pattern busy")
    func patternTime() {
        let pattern = ReplyPattern(String(repeating: "a*", count: 200) + "b")
        let clock = ContinuousClock()
        let time = clock.measure { #expect(!pattern.fits(String(repeating: "a", count: 1 << 20))) }
        #expect(time < .seconds(2))
    }
}
