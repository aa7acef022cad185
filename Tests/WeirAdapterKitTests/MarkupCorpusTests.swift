import Glibc
import Testing
import WeirAdapterKit
import WeirTesting

/// Public documents that lie beside the project in some places, and nowhere in a fresh clone.
@Suite("MarkupGlance and public documents", .enabled(if: Corpus.rows != nil, "no ../shared/data/vast here"))
struct MarkupCorpusTests {
    @Test("a document with ads is never taken for an empty one, nor an empty one for a fill")
    func corpus() throws {
        let rows = try #require(Corpus.rows)
        #expect(!rows.isEmpty)
        for row in rows {
            let body = try TextFile.read("\(Corpus.folder)/\(row["file"] ?? "")")
            // One document has another root on purpose; a break without a source offers nothing.
            if row["notes"]?.hasPrefix("root element is") == true { continue }
            let hasTag = String(decoding: body, as: UTF8.self).contains("AdTagURI>")
            let hasAds = row["ads"] != "0" || (row["kind"] == "vmap" && hasTag)
            let found = (try? MarkupGlance(body))?.hasAds
            if row["well_formed"] == "yes" {
                #expect(found == hasAds, "\(row["file"] ?? "")")
            } else if hasAds {
                #expect(found != false, "\(row["file"] ?? "")")
            }
        }
    }

}

private enum Corpus {
    static let folder = (getenv("WEIR_SHARED").map { String(cString: $0) } ?? "../shared") + "/data/vast"

    /// The rows of the index by column name; `nil` when there is none.
    static let rows: [[String: String]]? = {
        guard let bytes = try? TextFile.read("\(folder)/index.tsv") else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        return lines.dropFirst().map { Dictionary(zip(lines[0], $0), uniquingKeysWith: { first, _ in first }) }
    }()
}
