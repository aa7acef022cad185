import Testing
import WeirJSON
import WeirTesting

@Suite("docs/sandbox.md")
struct SandboxDocumentsTests {
    @Test("its script is one that the sandbox reads")
    func script() throws {
        let text = try document()
        let fence = try #require(text.split(separator: "```jsonc\n").dropFirst().first?.split(separator: "```").first)
        let value = try JSONReader.read(JSONComments.blank(Array(fence.utf8)))
        // The file that the example names is not there, and that is the only complaint.
        let error = #expect(throws: SandboxScriptError.self) { try SandboxScript(value, folder: "/nowhere") }
        #expect(error?.problems.map(\.path) == [#"paths["/flaky"].steps[2].body_file"#])
    }

    @Test("every path of the standard script stands in its table")
    func paths() throws {
        let text = try document()
        for path in SandboxScript.standard.paths.keys {
            let shown = path == "/t/*" ? "/t/…" : path
            #expect(text.contains("`\(shown)"), "\(path)")
        }
    }

    private func document() throws -> String {
        let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        return String(decoding: try TextFile.read("\(root)/docs/sandbox.md"), as: UTF8.self)
    }
}
