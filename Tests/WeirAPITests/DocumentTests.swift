import Glibc
import Testing
import WeirJSON
import WeirModel

@testable import WeirAPI

@Suite("What the documents say")
struct DocumentTests {
    private static let root = String(#filePath.dropLast("/Tests/WeirAPITests/DocumentTests.swift".count))

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
