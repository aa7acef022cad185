import Testing
import WeirJSON

@Suite("JSONPositions and JSONComments")
struct JSONPositionsTests {
    private let text = """
        {
          // the é of the house
          "server": {"listen": "a//b"}, /* two
          lines */ "list": [1,
            {"rate": 2}], "X:Y": null
        }
        """

    @Test("comments become spaces and every other byte keeps its place")
    func comments() throws {
        let bytes = Array(text.utf8)
        let blank = try JSONComments.blank(bytes)
        #expect(blank.count == bytes.count)
        #expect(blank.filter { $0 == 0x0A }.count == bytes.filter { $0 == 0x0A }.count)
        let value = try JSONReader.read(blank)
        #expect(value["server"]?["listen"] == "a//b")
        #expect(value["list"]?[1]?["rate"] == 2)
    }

    @Test("values and keys are found by path")
    func places() throws {
        let positions = try JSONPositions(scanning: JSONComments.blank(Array(text.utf8)))
        let rate = JSONPath.root.key("list").index(1).key("rate")
        #expect(rate.description == "list[1].rate")
        #expect(positions.key(at: rate).map { [$0.line, $0.column] } == [5, 6])
        #expect(positions.value(at: rate).map { [$0.line, $0.column] } == [5, 14])
        #expect(positions.key(at: .root.key("list").index(0)).map { [$0.line, $0.column] } == [4, 21])
        #expect(positions.value(at: .root).map { [$0.line, $0.column] } == [1, 1])
        let odd = JSONPath.root.key("X:Y")
        #expect(odd.description == "[\"X:Y\"]")
        #expect(positions.key(at: odd)?.line == 5)
        #expect(positions.value(at: .root.key("nowhere")) == nil)
        #expect(positions.doubledKeys.isEmpty)
    }

    @Test("every doubled key is found, with both places")
    func doubled() throws {
        let text = "{\"a\":1,\n\"b\":[{\"c\":1,\"d\":{\"c\":0},\"c\":2}],\n\"\\u0061\":3,\"a\":4}"
        let positions = try JSONPositions(scanning: Array(text.utf8))
        #expect(positions.doubledKeys.map(\.path.description) == ["b[0].c", "a", "a"])
        #expect(positions.doubledKeys.map(\.position.line) == [2, 3, 3])
        #expect(positions.doubledKeys.map(\.position.column) == [25, 1, 12])
        #expect(positions.doubledKeys.first?.first.column == 7)
        #expect(positions.value(at: .root.key("a"))?.line == 1)
    }

    @Test("a comment that is never closed is refused where it begins")
    func unclosed() {
        let error = #expect(throws: JSONError.self) { try JSONComments.blank(Array("{}\n /* x *".utf8)) }
        #expect(error.map { [$0.line, $0.column] } == [2, 2])
    }

    @Test(
        "what only resembles a comment stays",
        arguments: [
            "\"/* // */\"", "\"\\\"//\"", "1 / 2", "/", "\"a\\", "\"never closed // no comment\n[1]", "*/", "\"\\\\\"",
        ]
    )
    func noComments(_ text: String) throws {
        #expect(try JSONComments.blank(Array(text.utf8)) == Array(text.utf8))
    }

    @Test("two comments side by side do not swallow what stands between")
    func neighbours() throws {
        let blank = try JSONComments.blank(Array("/**/1/*/ */,// x\r\n2//".utf8))
        #expect(String(decoding: blank, as: UTF8.self) == "    1      ,    \r\n2  ")
    }

    @Test("a long key is cut in its path")
    func longKeys() {
        let path = JSONPath.root.key(String(repeating: "k", count: 5000))
        #expect(path.description.count < 120)
        let marks = JSONPath.root.key("a" + String(repeating: "\u{301}", count: 5000))
        #expect(marks.description.utf8.count < 300)
    }
}
