import Testing

@testable import WeirVAST

/// docs/vast-diagnostics.md has an example of every code, and each example has its code.
@Suite("Examples of remarks")
struct DiagnosticExampleTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var code: String
        /// What stands behind the fence: how the example comes by its remark.
        var info: String
        var bytes: [UInt8]
        var testDescription: String { code }
    }

    static let page: String = {
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
            .joined(separator: "/")
        return String(decoding: read(folder + "/docs/vast-diagnostics.md") ?? [], as: UTF8.self)
    }()

    static let examples: [Example] = page.matches(of: /### `([a-z_]+)`\n\n```([^\n]*)\n((?s:.*?))```/).map { match in
        let bytes =
            match.2 == "xml bytes" ? unescaped(Array(match.3.utf8)) : Array(match.3.utf8)
        return Example(code: String(match.1), info: String(match.2), bytes: bytes)
    }

    /// `\xE9` as one byte.
    private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if index + 4 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "x"),
                let value = UInt8(String(decoding: bytes[(index + 2)..<(index + 4)], as: UTF8.self), radix: 16)
            {
                result.append(value)
                index += 4
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    @Test("every code has one example")
    func complete() {
        let codes = Set(Self.page.matches(of: /\n\| `([a-z_]+)` \|/).map { String($0.1) })
        #expect(codes.count > 25)
        #expect(Self.examples.map(\.code).sorted() == codes.sorted())
    }

    @Test("the example has the remark, and few others", arguments: examples)
    func hasCode(example: Example) async throws {
        let remarks: [Diagnostic]
        switch example.info {
        case "xml", "xml bytes": remarks = VASTReader.read(example.bytes).diagnostics
        case "xml schema": remarks = try VASTSchema(Array(SchemaTests.xsd.utf8)).validate(example.bytes)
        case "xml resolved":
            var options = ResolveOptions()
            options.allowsMultipleAds = false
            let reading = VASTReader.read(example.bytes)
            remarks = await VASTResolver().resolve(reading, options: options, clock: FixedClock()) { _ in .empty }
                .diagnostics
        default:
            let document = try #require(VASTReader.read(example.bytes).vast)
            remarks = VASTWriter.convert(document, to: .v2).remarks
        }
        #expect(remarks.contains { $0.code.rawValue == example.code }, "\(remarks)")
        #expect(Set(remarks.map(\.code)).count <= 3, "\(remarks)")
        #expect(remarks.allSatisfy { !$0.message.isEmpty && $0.message.hasSuffix(".") || $0.code == .notWellFormed })
    }
}
