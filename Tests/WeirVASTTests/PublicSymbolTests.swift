import Glibc
import Testing

@testable import WeirVAST

/// docs/vast-api.md lists every public symbol with the section of the specification that it serves.
@Suite("Public symbols")
struct PublicSymbolTests {
    private static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    private static let symbols: [PublicSymbols.Symbol] = {
        let sources = root + "/Sources/WeirVAST/"
        return fileNames(in: sources).filter { !$0.contains(".") }.flatMap { folder in
            fileNames(in: sources + folder).flatMap { file in
                let text = String(decoding: read(sources + folder + "/" + file) ?? [], as: UTF8.self)
                return PublicSymbols(source: text, folder: folder).symbols
            }
        }
    }()

    private static var page: String {
        var page = """
            # WeirVAST, symbol by symbol

            Every public symbol with what it is and the section that lays it down. "VAST 4.3 §" are sections of the text of VAST
            4.3; older versions have the same things under other numbers. The page is written by a test from the comments in the
            sources (`WEIR_RECORD=1 swift test --filter PublicSymbolTests`).

            """
        var folder = ""
        for symbol in symbols {
            if symbol.folder != folder {
                folder = symbol.folder
                page += "\n## \(folder)\n\n| symbol | what it is | laid down in |\n|---|---|---|\n"
            }
            let summary = symbol.summary.replacing("|", with: "\\|").replacing("``", with: "`")
            page += "| `\(symbol.name)` | \(summary) | \(symbol.section) |\n"
        }
        return page
    }

    @Test("each has a sentence and a section")
    func documented() {
        #expect(Self.symbols.count > 500)
        for symbol in Self.symbols {
            #expect(!symbol.summary.isEmpty, "\(symbol.name)")
            #expect(!symbol.section.isEmpty, "\(symbol.name)")
        }
    }

    @Test("the page is what the sources say")
    func page() throws {
        let path = Self.root + "/docs/vast-api.md"
        if getenv("WEIR_RECORD") != nil {
            let bytes = Array(Self.page.utf8)
            let file = try #require(fopen(path, "w"))
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
            Issue.record("The page was recorded anew.")
        }
        #expect(String(decoding: read(path) ?? [], as: UTF8.self) == Self.page)
    }
}
