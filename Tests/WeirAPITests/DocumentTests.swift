import Glibc
import Testing
import WeirJSON
import WeirModel
import WeirTesting

@testable import WeirAPI

@Suite("What the documents say")
struct DocumentTests {
    private static let root = String(#filePath.dropLast("/Tests/WeirAPITests/DocumentTests.swift".count))

    private static let documents = "Sources/CWeirDocuments/documents"

    private func lines(_ path: String) throws -> [Substring] {
        let file = try #require(fopen("\(Self.root)/\(path)", "r"), "\(path) is missing")
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    @Test("openapi.json describes the router's routes, no more and no fewer")
    func openAPI() async throws {
        let services = await House().services
        let routes = (services.publicRoutes + services.adminRoutes)
            .filter { $0.method != "OPTIONS" }
            .map { "\($0.method) \($0.path)" }
        let paths = try #require(try JSONReader.read(OpenAPI.document)["paths"]?.object)
        let methods: Set = ["get", "post", "put", "delete", "patch", "head"]
        let described = paths.members.flatMap { path in
            (path.value.object?.keys ?? []).filter(methods.contains).map { "\($0.uppercased()) \(path.key)" }
        }
        #expect(Set(described).subtracting(routes) == [])
        #expect(Set(routes).subtracting(described) == [])
    }

    @Test(
        "the executable holds each document as it is on disk",
        arguments: [
            ("openapi.json", documents), ("inspector.html", documents), ("player.html", documents),
            ("weir_adapter.py", "Adapters/Examples/Python"), ("ExampleAdapter.swift", "Tests/DocsTests"),
        ]
    )
    func embedded(name: String, folder: String) throws {
        let path = Self.documents
        let file = try TextFile.read("\(Self.root)/\(folder)/\(name)")
        var hash = StableHash64()
        hash.feed(file)
        let mark = "\(name) \(hash.text)"
        // Whole texts would be printed byte by byte.
        let isNamed = String(decoding: try TextFile.read("\(Self.root)/\(path).S"), as: UTF8.self).contains(mark)
        #expect(isNamed, "write \(mark) into \(path).S, and build again")
        guard name == "openapi.json" else { return }
        let isBuiltIn = OpenAPI.document == file
        #expect(isBuiltIn, "an old \(name) is built in: change \(path).S and build again")
    }

    @Test("openapi.json names the parameters of a tag, no more and no fewer")
    func parameters() throws {
        let tag = try JSONReader.read(OpenAPI.document)["paths"]?["/v1/vast"]?["get"]?["parameters"]?.array ?? []
        #expect(Set(tag.compactMap { $0["name"]?.string }) == Set(TagReader.parameters))
    }

    @Test(
        "openapi.json describes every member of an answer",
        arguments: [
            ("audio", "AdResponse"), ("pod", "AdResponse"), ("rewarded", "AdResponse"), ("no-fill", "AdResponse"),
            ("adapters", "Adapters"), ("explanation", "Explanation"),
        ]
    )
    func members(golden: String, schema: String) throws {
        let schemas = try #require(try JSONReader.read(OpenAPI.document)["components"]?["schemas"])
        let body = try JSONReader.read(Golden.text(golden))
        let start = try #require(schemas[schema])
        #expect(undescribed(body, by: start, of: schemas) == [])
    }

    /// The members that a schema with properties does not have, by their paths.
    private func undescribed(_ value: JSONValue, by schema: JSONValue, of schemas: JSONValue) -> Set<String> {
        if let name = schema["$ref"]?.string?.split(separator: "/").last, let named = schemas[String(name)] {
            return undescribed(value, by: named, of: schemas)
        }
        if let first = schema["oneOf"]?[0], !value.isNull { return undescribed(value, by: first, of: schemas) }
        if let elements = value.array, let items = schema["items"] {
            return elements.reduce(into: []) { $0.formUnion(undescribed($1, by: items, of: schemas)) }
        }
        guard let members = value.object?.members, let properties = schema["properties"] else { return [] }
        return members.reduce(into: []) { result, member in
            guard let property = properties[member.key] else { return _ = result.insert(member.key) }
            let inner = undescribed(member.value, by: property, of: schemas)
            result.formUnion(inner.map { "\(member.key).\($0)" })
        }
    }

    @Test("docs/errors.md explains every reason under its result, and no other")
    func reasons() throws {
        var section = ""
        var explained: [String: Set<String>] = [:]
        for line in try lines("docs/errors.md") {
            if line.hasPrefix("#") { section = line.hasPrefix("## ") ? String(line.dropFirst(3)) : "" }
            if line.hasPrefix("| `") {
                explained[section, default: []].insert(String(line.dropFirst(3).prefix { $0 != "`" }))
            }
        }
        for result in AttemptResult.allCases {
            #expect(explained[result.rawValue] == Set(result.reasons.map(\.rawValue)), "\(result.rawValue)")
        }
    }

    @Test("docs/errors.md explains every code of a problem, and no other")
    func codes() throws {
        let marker = "code: \""
        let sources = [
            "Sources/WeirAPI/Answers/Problem.swift", "Sources/WeirAPI/Answers/Problem+Sessions.swift",
            "Sources/WeirHTTP/Server/ProtocolFault.swift",
        ]
        let made = try sources.flatMap(lines).compactMap { line -> String? in
            let text = line.drop { $0 == " " }
            return text.hasPrefix(marker) ? String(text.dropFirst(marker.count).prefix { $0 != "\"" }) : nil
        }
        #expect(made.count > 10)
        let inline = ["storage"]  // Written on one line with its status.
        let explained = try lines("docs/errors.md").compactMap { line -> String? in
            let cells = line.split(separator: "|").map { $0.filter { $0 != " " && $0 != "`" } }
            return cells.count == 4 && Int(cells[0]) != nil ? cells[1] : nil
        }
        // `not_found` and the like stand on one line with their status, too.
        let known = Set(made + inline + ["not_found"])
        #expect(Set(explained).subtracting(known) == [])
        #expect(known.subtracting(explained) == [])
    }
}

/// FNV-1a, 64 bits: tells one content of a file from another.
private struct StableHash64 {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    var text: String { String(state, radix: 16) }

    mutating func feed(_ bytes: [UInt8]) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}
