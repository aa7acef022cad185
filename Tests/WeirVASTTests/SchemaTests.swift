import Testing

@testable import WeirVAST

@Suite("Schema")
struct SchemaTests {
    /// A small schema of our own with one rule of each kind.
    static let xsd = """
        <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="VAST"><xs:complexType><xs:sequence>
        <xs:element name="Ad" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:sequence>
        <xs:element name="Title"><xs:simpleType><xs:restriction base="xs:string">
        <xs:enumeration value="one"/><xs:enumeration value="two"/></xs:restriction></xs:simpleType></xs:element>
        <xs:element name="Size" type="xs:integer" minOccurs="0"/>
        <xs:element name="Icon" minOccurs="0"><xs:complexType/></xs:element>
        </xs:sequence><xs:attribute name="id" type="xs:string" use="required"/></xs:complexType></xs:element>
        </xs:sequence><xs:attribute name="version" type="xs:string"/></xs:complexType></xs:element></xs:schema>
        """

    struct Case: Sendable, CustomTestStringConvertible {
        var document: String
        var words: [String]
        var testDescription: String { document }
    }

    static let cases = [
        Case(document: "<VAST><Ad id=\"1\"><Title>one</Title><Size>4</Size></Ad></VAST>", words: []),
        Case(
            document: "<VAST><Ad><Title>one</Title></Ad></VAST>",
            words: ["<Ad> must have the attribute id (cvc-complex-type.4)."]
        ),
        Case(
            document: "<VAST><Ad id=\"1\" x=\"2\"><Title>one</Title></Ad></VAST>",
            words: ["<Ad> may not have the attribute x (cvc-complex-type.3)."]
        ),
        Case(
            document: "<VAST><Ad id=\"1\"><Size>1</Size></Ad></VAST>",
            words: [
                "<Size> may not stand here; the schema expects <Title> at this place in <Ad> (cvc-complex-type.2.4)."
            ]
        ),
        Case(
            document: "<VAST><Ad id=\"1\"/></VAST>",
            words: ["<Ad> ends too early; the schema expects <Title> in it (cvc-complex-type.2.4)."]
        ),
        Case(
            document: "<VAST><Ad id=\"1\"><Title>three</Title></Ad></VAST>",
            words: ["The text of <Title> is \"three\", not one of one, two (cvc-enumeration-valid)."]
        ),
        Case(
            document: "<VAST><Ad id=\"1\"><Title>one</Title><Size>big</Size></Ad></VAST>",
            words: ["The text of <Size> is \"big\", not a whole number (cvc-datatype-valid)."]
        ),
        Case(
            document: "<VAST>text</VAST>",
            words: ["<VAST> may hold elements only, no text (cvc-complex-type.2.3)."]
        ),
        Case(
            document: "<VMAP/>",
            words: ["<VMAP> is not an element that the schema describes (cvc-elt.1)."]
        ),
    ]

    @Test("each broken rule is told in words", arguments: cases)
    func words(example: Case) throws {
        let schema = try VASTSchema(Array(Self.xsd.utf8))
        let remarks = schema.validate(Array(example.document.utf8))
        #expect(remarks.map(\.message) == example.words)
        #expect(remarks.allSatisfy { $0.code == .schema && $0.severity == .error && $0.line == 1 })
    }

    @Test("a remark has the place and the path of its element")
    func place() throws {
        let schema = try VASTSchema(Array(Self.xsd.utf8))
        let document = "<VAST>\n  <Ad id=\"1\"><Title>one</Title></Ad>\n  <Ad><Title>one</Title></Ad>\n</VAST>"
        let remark = try #require(schema.validate(Array(document.utf8)).first)
        #expect(remark.line == 3)
        #expect(remark.column == 3)
        #expect(remark.path == "VAST/Ad[2]")
    }

    @Test("what 4.3 added is no fault of a 4.3 document, and one of an older")
    func additions() throws {
        let schema = try VASTSchema(Array(Self.xsd.utf8))
        func messages(_ version: String) -> [String] {
            let text = "<VAST version=\"\(version)\"><Ad id=\"1\"><Title>one</Title><Icon altText=\"x\"/></Ad></VAST>"
            return schema.validate(Array(text.utf8)).map(\.message)
        }
        #expect(messages("4.3") == [])
        #expect(messages("4.2") == ["<Icon> may not have the attribute altText (cvc-complex-type.3)."])
    }

    @Test("hints at other schemas are not followed, and are no fault")
    func hints() throws {
        let schema = try VASTSchema(Array(Self.xsd.utf8))
        let document = """
            <VAST xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="file:///none.xsd">\
            <Ad id="1"><Title>one</Title></Ad></VAST>
            """
        #expect(schema.validate(Array(document.utf8)) == [])
    }

    @Test(
        "what is no schema, or needs others, cannot be used",
        arguments: ["", "<x/>", "not XML", "<xs:include schemaLocation='x'/>"]
    )
    func unusable(text: String) {
        #expect(throws: VASTSchema.Unusable.self) { try VASTSchema(Array(text.utf8)) }
    }

    @Test("a document that cannot be parsed has no remarks of the schema; the reader says why")
    func unreadable() throws {
        let schema = try VASTSchema(Array(Self.xsd.utf8))
        #expect(schema.validate(Array("<VAST><Ad>".utf8)) == [])
        #expect(schema.validate(Array("<!DOCTYPE VAST [<!ENTITY a 'b'>]><VAST/>".utf8)) == [])
    }

    @Test("many documents may be checked at once")
    func concurrently() async throws {
        let schema = try VASTSchema(Array(Self.xsd.utf8))
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<40 {
                group.addTask { schema.validate(Array("<VAST><Ad><Title>x</Title></Ad></VAST>".utf8)).count }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 2, count: 40))
    }
}
