import Testing
import WeirJSON

@Suite("JSONReader")
struct JSONReaderTests {
    @Test("every kind of value is read")
    func kinds() throws {
        let text = #" {"n":null,"t":true,"f":false,"s":"é\n\u00e9\ud83d\ude00","i":-12,"a":[1,[],{}],"o":{"x":""}} "#
        let value = try JSONReader.read(text)
        #expect(value["n"] == .null)
        #expect(value["t"]?.bool == true)
        #expect(value["f"]?.bool == false)
        #expect(value["s"]?.string == "é\né😀")
        #expect(value["i"]?.int == -12)
        #expect(value["a"] == [1, [], [:]])
        #expect(value["o"]?["x"]?.string?.isEmpty == true)
        #expect(value.object?.keys == ["n", "t", "f", "s", "i", "a", "o"])
        #expect(value["missing"] == nil)
        #expect(value["a"]?[3] == nil)
    }

    @Test(
        "numbers keep their text",
        arguments: [
            "0", "-0", "0.1", "-0.0", "1e308", "1E+400", "12345678901234567890", "123456789012345678901234567890",
            "-9223372036854775808", "1.10", "5e-324", "0.30000000000000004",
        ]
    )
    func numbers(_ text: String) throws {
        #expect(try JSONReader.read(text).number?.text == text)
        #expect(try JSONReader.read("[\(text),{\"a\":\(text)}]")[1]?["a"]?.number?.text == text)
    }

    @Test("a value may stand alone, between white space and after a byte order mark")
    func roots() throws {
        #expect(try JSONReader.read(" \r\n\t null ") == .null)
        #expect(try JSONReader.read("\"x\"") == "x")
        #expect(try JSONReader.read("7 ") == 7)
        #expect(try JSONReader.read([0xEF, 0xBB, 0xBF] + Array("[1]".utf8)) == [1])
    }

    @Test(
        "what is not JSON is refused at its place",
        arguments: [
            Refusal("", 1, 1, "empty"),
            Refusal("  \n ", 2, 2, "empty"),
            Refusal("{\"a\":1}\n x", 2, 2, "`x` follows"),
            Refusal("[1,]", 1, 3, "comma stands before"),
            Refusal("{\"a\":1,}", 1, 7, "comma stands before"),
            Refusal("[1 2]", 1, 4, "comma or `]`"),
            Refusal("{\"a\" 1}", 1, 6, "colon"),
            Refusal("{a:1}", 1, 2, "key in double quotes"),
            Refusal("{'a':1}", 1, 2, "key in double quotes"),
            Refusal("['a']", 1, 2, "single"),
            Refusal("[01]", 1, 2, "needless zero"),
            Refusal("[1.]", 1, 4, "digit"),
            Refusal("[.5]", 1, 2, "value was expected"),
            Refusal("[-]", 1, 3, "digit"),
            Refusal("[1e]", 1, 4, "digit"),
            Refusal("[+1]", 1, 2, "value was expected"),
            Refusal("[0x10]", 1, 3, "comma"),
            Refusal("NaN", 1, 1, "`NaN`"),
            Refusal("[Infinity]", 1, 2, "`Infinity`"),
            Refusal("[-Infinity]", 1, 3, "digit"),
            Refusal("[True]", 1, 2, "`True`"),
            Refusal("[nul]", 1, 2, "`nul`"),
            Refusal("[1] // x", 1, 5, "follows"),
            Refusal("// x\n1", 1, 1, "Comments"),
            Refusal("[\"a\nb\"]", 1, 4, "U+000a"),
            Refusal("[\"a\\xb\"]", 1, 4, "escape"),
            Refusal("[\"\\u12g4\"]", 1, 3, "hexadecimal"),
            Refusal("[\"\\ud800\"]", 1, 3, "surrogate"),
            Refusal("[\"\\udc00\"]", 1, 3, "surrogate"),
            Refusal("[\"\\ud800\\u0041\"]", 1, 3, "surrogate"),
            Refusal("[\"\\u0000\"]", 1, 3, "U+0000"),
            Refusal("{\"a\\u0000b\":1}", 1, 4, "U+0000"),
            Refusal("[\u{0}]", 1, 2, "U+0000"),
            Refusal("[1]\u{0}", 1, 4, "U+0000"),
            Refusal("[\"abc", 1, 2, "inside a string"),
            Refusal("[\"abc\\", 1, 2, "inside a string"),
            Refusal("[\"\\u00", 1, 3, "hexadecimal"),
            Refusal("{\n\"a\": [1,\n", 3, 1, "array that began on line 2"),
            Refusal("{\"a\":", 1, 6, "object that began on line 1"),
            Refusal("]", 1, 1, "value was expected"),
            Refusal("[}", 1, 2, "value was expected"),
            Refusal("{\"ключ\":1, \"é\":?}", 1, 16, "value was expected"),
        ]
    )
    func refusals(_ refusal: Refusal) {
        let error = #expect(throws: JSONError.self) { try JSONReader.read(refusal.text) }
        #expect(error?.reason.contains(refusal.words) == true, "\(error?.description ?? "")")
        #expect(error.map { [$0.line, $0.column] } == [refusal.line, refusal.column], "\(error?.description ?? "")")
    }

    @Test("bytes that are not UTF-8 are refused where they stand")
    func badUTF8() {
        let error = #expect(throws: JSONError.self) { try JSONReader.read(Array("[\"a".utf8) + [0xFF, 0x22, 0x5D]) }
        #expect(error?.offset == 3)
        #expect(throws: JSONError.self) { try JSONReader.read(Array("[\"".utf8) + [0xC0, 0xAF, 0x22, 0x5D]) }
        #expect(throws: JSONError.self) { try JSONReader.read(Array("[\"".utf8) + [0xED, 0xA0, 0x80, 0x22, 0x5D]) }
    }

    @Test("a doubled key is refused with its path, however it is written")
    func doubledKeys() {
        let error = #expect(throws: JSONError.self) {
            try JSONReader.read("{\"a\": [0, {\"k\": 1,\n \"\\u006b\": 2}]}")
        }
        #expect(error?.reason == "The key `a[1].k` stands here for the second time.")
        #expect(error?.line == 2)
        #expect(error?.column == 2)
    }

    @Test("one key may stand in many objects")
    func sameKeyElsewhere() throws {
        #expect(try JSONReader.read("[{\"a\":{\"a\":1}},{\"a\":2}]")[0]?["a"]?["a"] == 1)
    }

    @Test("nesting, values, length and number length have limits")
    func limits() throws {
        let deep = { (levels: Int) in String(repeating: "[", count: levels) + String(repeating: "]", count: levels) }
        #expect(try JSONReader.read(deep(64)).array != nil)
        #expect(throws: JSONError.self) { try JSONReader.read(deep(65)) }
        #expect(throws: JSONError.self) { try JSONReader.read(String(repeating: "[", count: 1_000_000)) }
        #expect(throws: JSONError.self) { try JSONReader.read(String(repeating: "{\"a\":", count: 100_000)) }
        #expect(try JSONReader.read(deep(256), limits: JSONLimits(depth: .max)).array != nil)
        #expect(throws: JSONError.self) { try JSONReader.read(deep(257), limits: JSONLimits(depth: .max)) }
        let five = "[1,2,{\"a\":3}]"
        #expect(try JSONReader.read(five, limits: JSONLimits(values: 5)).array?.count == 3)
        #expect(throws: JSONError.self) { try JSONReader.read(five, limits: JSONLimits(values: 4)) }
        #expect(try JSONReader.read(five, limits: JSONLimits(bytes: 13)).array?.count == 3)
        #expect(throws: JSONError.self) { try JSONReader.read(five, limits: JSONLimits(bytes: 12)) }
        #expect(throws: JSONError.self) { try JSONReader.read(String(repeating: "1", count: 129)) }
    }

    @Test("every prefix of a document is refused and none of its one-byte changes crashes")
    func mutations() {
        let document = Array(#"{"a":[1.5e-3,true,null,"x\u00e9\ud83d\ude00\\"],"b":{"c":-0,"é":"ü"}}"#.utf8)
        for end in 0..<document.count {
            #expect(throws: JSONError.self) { try JSONReader.read(Array(document[..<end])) }
        }
        for place in document.indices {
            for byte: UInt8 in [0, 0x22, 0x5C, 0x2C, 0x5B, 0x7B, 0x7D, 0x80, 0xFF, 0x30, 0x20] {
                var changed = document
                changed[place] = byte
                if let value = try? JSONReader.read(changed) {
                    #expect((try? JSONReader.read(value.encoded())) == value)
                }
            }
        }
    }
}

/// A text, and where and how it is refused.
struct Refusal: Sendable, CustomTestStringConvertible {
    let text: String
    let line: Int
    let column: Int
    let words: String

    init(_ text: String, _ line: Int, _ column: Int, _ words: String) {
        self.text = text
        self.line = line
        self.column = column
        self.words = words
    }

    var testDescription: String { text.debugDescription }
}
