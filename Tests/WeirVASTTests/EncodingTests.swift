import Testing

@testable import WeirVAST

@Suite("Encodings")
struct EncodingTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var title: String
        var remarks: [DiagnosticCode] = []
        var testDescription: String { name }
    }

    /// Text that every one of the encodings can hold.
    static let western = "Café – “été” 5€"
    static let wide = "漢字 🎬 é"

    private static func document(_ encoding: String?, _ title: String) -> String {
        let declaration = encoding.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>" } ?? ""
        return declaration + """
            <VAST version="4.1"><Ad><InLine><AdSystem>s</AdSystem><AdTitle>\(title)</AdTitle>\
            <AdServingId>1</AdServingId><Impression>https://t.test/i</Impression><Creatives/></InLine></Ad></VAST>
            """
    }

    private static func utf16(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
        ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return bigEndian ? [high, low] : [low, high]
        }
    }

    /// windows-1252 of the few letters that the tests use.
    private static func windows1252(_ text: String) -> [UInt8] {
        let table: [Unicode.Scalar: UInt8] = ["–": 0x96, "“": 0x93, "”": 0x94, "€": 0x80]
        return text.unicodeScalars.map { table[$0] ?? UInt8($0.value) }
    }

    static let cases = [
        Case(name: "UTF-8", bytes: Array(document("UTF-8", wide).utf8), title: wide),
        Case(name: "UTF-8 undeclared", bytes: Array(document(nil, wide).utf8), title: wide),
        Case(name: "UTF-8 with a mark", bytes: [0xEF, 0xBB, 0xBF] + Array(document("utf-8", wide).utf8), title: wide),
        Case(
            name: "UTF-8 with a mark, undeclared",
            bytes: [0xEF, 0xBB, 0xBF] + Array(document(nil, wide).utf8),
            title: wide
        ),
        Case(
            name: "UTF-16 little-endian with a mark",
            bytes: utf16(document("UTF-16", wide), bigEndian: false, mark: true),
            title: wide
        ),
        Case(
            name: "UTF-16 big-endian with a mark",
            bytes: utf16(document("UTF-16", wide), bigEndian: true, mark: true),
            title: wide
        ),
        Case(
            name: "UTF-16 little-endian without a mark",
            bytes: utf16(document("UTF-16LE", wide), bigEndian: false, mark: false),
            title: wide
        ),
        Case(
            name: "UTF-16 big-endian without a mark",
            bytes: utf16(document("UTF-16BE", wide), bigEndian: true, mark: false),
            title: wide
        ),
        Case(
            name: "ISO-8859-1",
            bytes: document("ISO-8859-1", "Café été").unicodeScalars.map { UInt8($0.value) },
            title: "Café été"
        ),
        Case(name: "windows-1252", bytes: windows1252(document("windows-1252", western)), title: western),
        Case(
            name: "windows-1252 that says UTF-8",
            bytes: windows1252(document("UTF-8", western)),
            title: western,
            remarks: [.invalidCharacters]
        ),
        Case(
            name: "UTF-8 that says UTF-16",
            bytes: Array(document("UTF-16", wide).utf8),
            title: wide,
            remarks: [.encoding]
        ),
    ]

    @Test("a document in each encoding is read alike, and written in UTF-8", arguments: cases)
    func encodings(example: Case) throws {
        let reading = VASTReader.read(example.bytes)
        let document = try #require(reading.vast, "\(reading.diagnostics)")
        #expect(document.ads.first?.inLine?.title == example.title)
        let remarks = reading.diagnostics.filter { [.encoding, .invalidCharacters].contains($0.code) }
        #expect(remarks.map(\.code) == example.remarks)
        #expect(VASTReader.read(VASTWriter.write(document).bytes, options: .strict).vast == document)
    }

    @Test("strict mode refuses bytes that are not what the declaration says")
    func strict() {
        let bytes = Self.windows1252(Self.document("UTF-8", Self.western))
        #expect(VASTReader.read(bytes, options: .strict).failure?.reason == .notWellFormed)
    }

    @Test("an encoding that is not read is named, with code 100", arguments: ["EBCDIC-CP-US", "UTF-32", "Shift_JIS"])
    func unknown(name: String) {
        let reading = VASTReader.read(Array(Self.document(name, "t").utf8))
        #expect(reading.failure?.reason == .encoding)
        #expect(reading.failure?.errorCode == .xmlParsing)
        #expect(reading.diagnostics.first?.message.contains(name.lowercased()) == true)
    }

    @Test("half a character at the end of a UTF-16 document does no harm")
    func oddLength() {
        var bytes = Self.utf16(Self.document("UTF-16", Self.wide), bigEndian: false, mark: true)
        bytes.append(0x20)
        #expect(VASTReader.read(bytes).vast != nil)
        bytes.removeLast(3)
        #expect(VASTReader.read(bytes).vast == nil)
    }

    @Test("half a surrogate pair becomes a replacement character")
    func loneSurrogate() {
        let units = Self.document(nil, "a?b").utf16.map { $0 == 0x3F ? 0xD83C : $0 }
        let bytes: [UInt8] = [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(VASTReader.read(bytes).vast?.ads.first?.inLine?.title == "a\u{FFFD}b")
    }
}
