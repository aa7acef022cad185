import Glibc
import Testing
import WeirJSON
import WeirTesting
import WeirTime

/// Public documents of many origins, served by the sandbox and mediated for real.
@Suite("Corpus", .serialized)
struct CorpusTests {
    private struct Document {
        var file: String
        /// Whether the index says that there is a linear ad in a VAST document.
        var hasLinear: Bool
    }

    private static var folder: String {
        let root = String(#filePath.dropLast("/Tests/EndToEndTests/CorpusTests.swift".count))
        let shared = getenv("WEIR_SHARED").map { String(cString: $0) } ?? root + "/../shared"
        return shared + "/data/vast"
    }

    private static func documents() throws -> [Document] {
        let index = String(decoding: try TextFile.read(folder + "/index.tsv"), as: UTF8.self)
        let lines = index.split(separator: "\n")
        let names = lines[0].split(separator: "\t", omittingEmptySubsequences: false)
        let (file, linear) = (try #require(names.firstIndex(of: "file")), try #require(names.firstIndex(of: "linear")))
        return lines.dropFirst().map { line in
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
            return Document(file: String(cells[file]), hasLinear: cells[linear] != "0")
        }
    }

    @Test(
        "all documents of the corpus are mediated: no crash, no hang, a fill or a reason, and well-formed VAST",
        .enabled("the shared corpus is not beside this checkout") { access(CorpusTests.folder, R_OK) == 0 }
    )
    func corpus() async throws {
        let documents = try Self.documents()
        let script = SandboxScript(
            Dictionary(
                uniqueKeysWithValues: try documents.enumerated().map { index, document in
                    var reply = SandboxReply(type: "application/xml", "")
                    reply.body = .bytes(try TextFile.read(Self.folder + "/" + document.file))
                    return ("/d/\(index)", reply)
                }
            )
        )
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.networks = [
                [
                    "id": "n", "adapter": "vast", "allow_private": ["127.0.0.1"], "breaker": ["enabled": false],
                    "settings": ["tag_url": .string(base + "/d/{targeting.d}")],
                ]
            ]
            plan.waterfall = [["id": "l", "network": "n", "network_unit": "1", "timeout_ms": 1000]]
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            gateway.sandbox.change(script)
            var counts: [String: Int] = [:]
            for (index, document) in documents.enumerated() {
                let begun = ContinuousClock.now
                let answer = try await gateway.ad("p", ", \"targeting\": {\"d\": \"\(index)\"}")
                #expect(ContinuousClock.now - begun < .seconds(3), "\(document.file)")
                let verdict = try #require(answer.verdicts.first, "\(document.file): \(answer)")
                counts[String(verdict.dropFirst(3)), default: 0] += 1
                if answer["result"]?.string == "fill" {
                    #expect(answer["ad"]?["media_files"]?.array?.isEmpty == false, "\(document.file)")
                    #expect(document.hasLinear, "\(document.file) filled without a linear ad")
                }
                let vast = try await gateway.open.get("/v1/vast?placement=p&targeting.d=\(index)")
                #expect(vast.status == 200 && isWellFormed(vast.text), "\(document.file)")
            }
            print(
                "corpus of \(documents.count): "
                    + counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
            )
            #expect((counts["fill(fill)"] ?? 0) > 60)
        }
    }

    /// What xmllint says; where there is none, nothing is said.
    private func isWellFormed(_ text: String) -> Bool {
        guard access("/usr/bin/xmllint", X_OK) == 0, let file = try? TemporaryFile(text) else { return true }
        defer { file.remove() }
        return system("/usr/bin/xmllint --noout '\(file.path)' 2>/dev/null") == 0
    }
}
