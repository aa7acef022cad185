import Testing

@testable import WeirVAST

@Suite("Fixtures")
struct FixtureTests {
    static let names = ["everything-4.3.xml", "schedule-vmap.xml", "audio-daast.xml"]

    static func bytes(_ name: String) -> [UInt8] {
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return read(folder + "/Fixtures/" + name) ?? []
    }

    @Test("a document that uses everything has no remarks, even in strict mode", arguments: names)
    func clean(name: String) {
        let reading = VASTReader.read(Self.bytes(name), options: .strict)
        #expect(reading.failure == nil)
        #expect(reading.diagnostics == [])
    }

    @Test("nothing is lost between reading and writing", arguments: names)
    func roundTrip(name: String) throws {
        let first = VASTReader.read(Self.bytes(name), options: .strict)
        if let document = first.vast {
            #expect(VASTReader.read(VASTWriter.write(document).bytes, options: .strict).vast == document)
        } else {
            let document = try #require(first.vmap)
            #expect(VASTReader.read(VASTWriter.write(document).bytes, options: .strict).vmap == document)
        }
    }

    @Test("every text and attribute of the full document is in what is written")
    func everyValue() throws {
        let bytes = Self.bytes("everything-4.3.xml")
        let document = try #require(VASTReader.read(bytes).vast)
        let written = XMLParser.parse(VASTWriter.write(document).bytes, limits: ReadLimits(), allowsPlainDoctype: false)
        let original = XMLParser.parse(bytes, limits: ReadLimits(), allowsPlainDoctype: false)
        #expect(Self.values(written.tree) == Self.values(original.tree))
    }

    /// Element and attribute values with how often each stands.
    private static func values(_ tree: XMLTree) -> [String: Int] {
        var values: [String: Int] = [:]
        for node in tree.nodes.indices {
            let name = tree.name(of: node).text
            values["<\(name)>\(tree.trimmedText(of: node))", default: 0] += 1
            for attribute in tree.attributes(of: node) {
                values["\(name)@\(tree.names[Int(attribute.name)].text)=\(tree.value(of: attribute))", default: 0] += 1
            }
        }
        return values
    }

    @Test("cut off at any place, a document is refused and nothing breaks", arguments: names)
    func truncation(name: String) {
        let bytes = Self.bytes(name)
        #expect(bytes.count > 500)
        for length in stride(from: 0, to: bytes.count - 1, by: 97) {
            let reading = VASTReader.read(Array(bytes[..<length]))
            #expect(reading.failure != nil, "\(length)")
        }
    }

    @Test("bytes changed at random never trap, and what is read is written well-formed", arguments: names)
    func mutation(name: String) {
        var generator = SmallGenerator(seed: 42)
        let bytes = Self.bytes(name)
        for _ in 0..<400 {
            var mutant = bytes
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: 0..<mutant.count, using: &generator)
                mutant[index] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let document = VASTReader.read(mutant).vast else { continue }
            #expect(VASTReader.read(VASTWriter.write(document).bytes).vast == document)
        }
    }
}
