import Testing

@testable import WeirVAST

@Suite("Diagnostic codes")
struct DiagnosticCodeTests {
    private static func file(_ path: String, up levels: Int) -> String {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return String(decoding: read(parts.dropLast(levels).joined(separator: "/") + "/" + path) ?? [], as: UTF8.self)
    }

    @Test("every code has one line in the documentation, and no other has")
    func documented() {
        let source = Self.file("Sources/WeirVAST/Reading/Diagnostic.swift", up: 3)
        let codes = Set(source.matches(of: /DiagnosticCode\(rawValue: "([a-z_]+)"\)/).map { String($0.1) })
        let documentation = Self.file("docs/vast-diagnostics.md", up: 3)
        let lines = documentation.matches(of: /\n\| `([a-z_]+)` \|/).map { String($0.1) }
        #expect(codes.count > 20)
        #expect(Set(lines) == codes)
        #expect(lines.count == codes.count)
    }
}
