import Testing
import WeirJSON

@Suite("JSONWriter")
struct JSONWriterTests {
    @Test("commas, colons and brackets come by themselves")
    func document() {
        var json = JSONWriter()
        json.object { json in
            json.member("s", "x")
            json.member("i", 7)
            json.member("none", nil as String?)
            json.member("b", true)
            json.member("list", ["a", "b"])
            json.array("empty") { _ in }
            json.object("o") { json in json.object("p") { _ in } }
            json.array("mixed") { json in
                json.double(0.5)
                json.double(.infinity)
                json.raw("{\"ready\":1}".utf8)
                json.array { json in json.null() }
            }
            json.nullMember("last")
        }
        let expected =
            #"{"s":"x","i":7,"none":null,"b":true,"list":["a","b"],"empty":[],"o":{"p":{}},"#
            + #""mixed":[0.5,null,{"ready":1},[null]],"last":null}"#
        #expect(json.text == expected)
    }

    @Test("an escape is found wherever it stands", arguments: 0..<20)
    func placesOfEscapes(place: Int) throws {
        for mark in ["\"", "\\", "\n", "\u{1}"] {
            for filler in ["a", "é", "\u{7F}", "!", "[", "]"] {
                let text = String(repeating: filler, count: place) + mark + String(repeating: filler, count: 19 - place)
                var json = JSONWriter()
                var utf8 = text
                utf8.withUTF8 { json.string(utf8: $0) }
                #expect(json.text == JSONValue.string(text).encodedText)
                #expect(try JSONReader.read(json.bytes).string == text)
            }
        }
    }

    @Test("whole numbers of every size")
    func wholeNumbers() {
        var json = JSONWriter()
        json.array { json in
            json.int(0)
            json.int(Int64.min)
            json.int(Int64.max)
            json.int(UInt64.max)
            json.int(UInt8(200))
            json.int(-10)
        }
        #expect(json.text == "[0,-9223372036854775808,9223372036854775807,18446744073709551615,200,-10]")
    }

    @Test("strings are escaped as little as RFC 8259 allows")
    func escapes() throws {
        let text = "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F} \"\\/ é😀\u{7F}\u{2028}"
        let written = JSONValue.string(text).encodedText
        #expect(
            written
                == "\"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f \\\"\\\\/ é😀\u{7F}\u{2028}\""
        )
        let readable = String(text.dropFirst())
        #expect(try JSONReader.read(JSONValue.string(readable).encoded()).string == readable)
    }

    @Test("pretty printing breaks lines and indents by two spaces")
    func pretty() {
        let value: JSONValue = ["a": [1, ["b": nil]], "c": [], "d": [:]]
        let expected = """
            {
              "a": [
                1,
                {
                  "b": null
                }
              ],
              "c": [],
              "d": {}
            }
            """
        #expect(String(decoding: value.encoded(pretty: true), as: UTF8.self) == expected)
    }

    @Test("what is written is read back equal, numbers to the letter")
    func roundTrip() throws {
        let text = #"{"a":[1,-0,1e308,12345678901234567890,0.10],"b":{"":"é\"\\"},"c":[true,false,null]}"#
        #expect(try JSONReader.read(text).encodedText == text)
    }

    @Test("the extremes of whole numbers are written whole")
    func integers() {
        var json = JSONWriter()
        json.array { json in
            json.int(Int64.min)
            json.int(UInt64.max)
        }
        #expect(json.text == "[-9223372036854775808,18446744073709551615]")
    }
}
