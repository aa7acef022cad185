internal import Glibc
internal import WeirTesting

/// The scaffold of an adapter in the source tree, and the lines that make it known there.
enum SwiftScaffold {
    static func scaffold(_ name: AdapterName) throws -> Scaffold {
        guard access("Package.swift", R_OK) == 0, access("Sources/weir/BuiltInAdapters.swift", R_OK) == 0 else {
            throw Scaffold.Failure(
                description: "--carrier swift writes into Weir's own source tree: run it where Package.swift is."
            )
        }
        let folder = "Adapters/\(name.type)"
        let tests = "\(folder)/Tests"
        var scaffold = Scaffold(
            folder: folder,
            files: [
                Scaffold.File(path: "\(folder)/README.md", text: readMe(name)),
                Scaffold.File(path: "\(folder)/Sources/\(name.type)Adapter.swift", text: source(name)),
                Scaffold.File(path: "\(tests)/\(name.type)AdapterTests.swift", text: testSource(name)),
            ]
                + cases(name).map { Scaffold.File(path: "\(tests)/Fixtures/\($0.path).json", text: $0.text) },
            entry: """
                {"id": "\(name.kind)", "adapter": "\(name.kind)",
                 "settings": {"ask_url": "https://ads.\(name.kind).example/ask?unit={network_unit}"}}
                """,
            next: [
                "swift build --product weir", ".build/debug/weir adapter test \(name.kind)",
                "swift test --filter \(name.type)AdapterTests",
            ]
        )
        for change in try SwiftTree(name).changes() {
            switch change {
            case .edit(let edit): scaffold.edits.append(edit)
            case .byHand(let file, let text): scaffold.leftToDo.append((file, text))
            }
        }
        return scaffold
    }

    /// The adapter of docs/adapters.md under another name.
    static func source(_ name: AdapterName) -> String {
        example.replacing("Example", with: name.type).replacing("\"example\"", with: "\"\(name.kind)\"")
            .replacing("`example`", with: "`\(name.kind)`")
    }

    private static func testSource(_ name: AdapterName) -> String {
        """
        import \(name.type)Adapter
        import Testing
        import WeirTesting

        @Suite("\(name.title) adapter")
        struct \(name.type)AdapterTests {
            @Test("does what its case files say", arguments: try AdapterCase.all(beside: #filePath))
            func cases(_ subject: AdapterCase) async {
                let differences = await subject.run(\(name.type)AdapterFactory.factory)
                #expect(differences.isEmpty, "\\(differences.joined(separator: "\\n"))")
            }
        }

        """
    }

    private static func readMe(_ name: AdapterName) -> String {
        """
        # The `\(name.kind)` adapter

        For networks that answer an address with VAST.

        | setting | | meaning |
        |---|---|---|
        | `ask_url` | required | Address template. `{fields}` are filled in for each ask, percent-encoded. |
        | `probe_url` | optional | The network is ready when this address answers 2xx. |
        | `headers` | optional | Header fields of the request: names, and templates for their values. |

        `weir adapter test \(name.kind)` plays the cases of `Tests/Fixtures` and the fault battery.

        """
    }

    private static func cases(_ name: AdapterName) -> [(path: String, text: String)] {
        let url = "https://ads.\(name.kind).example/ask?unit={network_unit}"
        func answer(_ sentence: String, _ reply: String, _ outcome: String) -> String {
            CaseText(
                name: sentence,
                settings: #"{"ask_url": "\#(url)"}"#,
                ask: #"{"network_unit": "unit-1"}"#,
                expect: #"{"method": "GET", "url": "https://ads.\#(name.kind).example/ask?unit=unit-1"}"#,
                reply: reply,
                outcome: outcome
            ).text
        }
        let type = #""headers": {"Content-Type": "application/xml"}"#
        return [
            (
                "exemplary/fill",
                answer(
                    "a document with an ad is a fill",
                    #"{\#(type), "body": "\#(ScaffoldDocuments.ad(name))"}"#,
                    #"{"result": "fill", "offers": [{"vast": "$contains:ad.mp4"}]}"#
                )
            ),
            (
                "exemplary/no-fill",
                answer("204 is nothing to sell", #"{"status": 204}"#, #"{"result": "no_fill", "reason": "http_204"}"#)
            ),
            (
                "supplemental/server-error",
                answer(
                    "a failing server is an error of the network",
                    #"{"status": 500}"#,
                    #"{"result": "network_error", "reason": "http_5xx"}"#
                )
            ),
        ]
    }
}
