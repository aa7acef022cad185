import Testing
import WeirTesting

@testable import WeirAdapterKit

/// What fuzzing of the adapter protocol begins with, and what it has found: read again in every run.
@Suite("Kept answers of adapters")
struct KeptAnswerTests {
    private static let folder =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/") + "/Fuzz"

    @Test(
        "no line that fuzzing knows traps, and every message is written and read alike",
        arguments: ["Seeds", "Kept"]
    )
    func kept(_ place: String) throws {
        let folder = "\(Self.folder)/\(place)/adapter"
        let names = (try? TextFile.names(in: folder)) ?? []
        #expect(!names.isEmpty || place == "Kept")
        for name in names {
            for line in try TextFile.read("\(folder)/\(name)").split(separator: 0x0A) {
                guard let answer = try? AdapterAnswer(line: Array(line)) else { continue }
                let written = answer.line
                #expect(try AdapterAnswer(line: Array(written.dropLast())).line == written, "\(name)")
            }
        }
    }
}
