import Glibc
import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting
import WeirTime

/// Docs are product: what they show must be so.
@Suite("Docs", .serialized)
struct DocsTests {
    private static let root = String(#filePath.dropLast("/Tests/DocsTests/DocsTests.swift".count))

    private static func text(_ path: String) throws -> String {
        String(decoding: try TextFile.read(root + "/" + path), as: UTF8.self)
    }

    /// Every page, by its path from the root.
    private static func pages() throws -> [String] {
        var pages = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "Sources/WeirVAST/README.md"]
        pages += ["VAST", "Rewarded", "InstreamAudio"].map { "Adapters/\($0)/README.md" }
        for folder in ["docs", "docs/decisions"] {
            pages += try TextFile.names(in: root + "/" + folder).filter { $0.hasSuffix(".md") }.map {
                folder + "/" + $0
            }
        }
        return pages
    }

    @Test("every relative link leads somewhere")
    func links() throws {
        for page in try Self.pages() {
            let folder = page.split(separator: "/").dropLast().joined(separator: "/")
            for piece in try Self.text(page).split(separator: "](").dropFirst() {
                let target = String(piece.prefix { $0 != ")" && $0 != "#" && $0 != " " })
                guard !target.isEmpty, !target.contains("://"), !target.contains("\n") else { continue }
                let path = Self.root + "/" + folder + "/" + target
                #expect(access(path, R_OK) == 0, "\(page) links to \(target)")
            }
        }
    }

    @Test("every JSON example is JSON")
    func json() throws {
        for page in try Self.pages() {
            for block in try Self.blocks(page) where ["json", "jsonc"].contains(block.language) {
                let plain = block.text.filter { $0 != "…" }
                do { _ = try JSONReader.read(JSONComments.blank(Array(plain.utf8))) } catch {
                    Issue.record("\(page): \(error)\n\(block.text.prefix(300))")
                }
            }
        }
    }

    @Test("the example adapter of the docs is the one that is compiled")
    func exampleSource() throws {
        let shown = try Self.blocks("docs/adapters.md").first {
            $0.mark == "source: Tests/DocsTests/ExampleAdapter.swift"
        }
        #expect(shown?.text == (try Self.text("Tests/DocsTests/ExampleAdapter.swift")))
    }

    @Test("what the docs tell an adapter's author to write is what the adapters here have written")
    func asInTheTree() throws {
        var count = 0
        for page in try Self.pages() {
            for block in try Self.blocks(page) {
                guard let mark = block.mark, mark.hasPrefix("as in: ") else { continue }
                let file = try Self.text(String(mark.dropFirst("as in: ".count)))
                let known = Set(file.split(separator: "\n").map { $0.trimmed })
                for line in block.text.split(separator: "\n") {
                    let expected = line.trimmed.replacing("Example", with: "VAST")
                    #expect(known.contains(expected), "\(page): \(line)")
                    count += 1
                }
            }
        }
        #expect(count > 10)
    }

    @Test("the example adapter works")
    func exampleAdapter() async throws {
        let clock = ManualClock()
        let transport = StubTransport(clock: clock) { request in
            request.url.hasSuffix("unit-1")
                ? .response(.text("<VAST version=\"4.2\"><Ad id=\"1\"/></VAST>")) : .response(.init(status: 204))
        }
        let context = AdapterContext(network: "x", transport: transport, clock: clock)
        let settings: JSONValue = ["ask_url": "https://ads.example/?u={network_unit}"]
        let adapter = try ExampleAdapterFactory.factory.make(settings, context)
        for (unit, isFill) in [("unit-1", true), ("unit-2", false)] {
            let ask = AdAsk(
                requestID: "r",
                request: AdRequest(placement: "p"),
                adUnit: AdUnit(id: "u", format: .video),
                lineItem: LineItem(id: "l", network: "x", networkUnit: unit),
                deadline: .after(.seconds(1), clock: clock)
            )
            let outcome = try await adapter.load(ask)
            if case .fill = outcome { #expect(isFill) } else { #expect(!isFill) }
        }
        #expect(throws: SettingsError.self) { try ExampleAdapterFactory.factory.make(["ask_ulr": "x"], context) }
    }

    @Test("every reason of the closed list is explained under its result")
    func reasons() throws {
        let sections = try Self.text("docs/errors.md").split(separator: "\n## ").map(String.init)
        for result in AttemptResult.allCases {
            let section = try #require(sections.first { $0.hasPrefix(result.rawValue + "\n") }, "\(result.rawValue)")
            for reason in result.reasons {
                #expect(section.contains("| `\(reason.rawValue)` |"), "\(result.rawValue)(\(reason.rawValue))")
            }
        }
    }

    @Test("every metric is explained, and every explained metric exists; marked examples run against the demo")
    func examples() async throws {
        try await withDemo { port in
            let metrics = try await LoopbackClient(port: port + 1).get("/metrics").text
            let names = Set(
                metrics.split(separator: "\n").filter { $0.hasPrefix("# HELP ") }.map {
                    String($0.split(separator: " ")[2])
                }
            )
            let page = try Self.text("docs/operations.md")
            for name in names { #expect(page.contains("`\(name)`"), "\(name) is not in docs/operations.md") }
            for piece in page.split(separator: "`") where piece.hasPrefix("weir_") {
                #expect(names.contains(String(piece)), "\(piece) does not exist")
            }
            var count = 0
            for page in try Self.pages() {
                for block in try Self.blocks(page) where block.mark?.hasPrefix("test") ?? false {
                    count += await check(block, of: page, port: port)
                }
            }
            #expect(count > 15)
        }
    }

    @Test("the pages that newcomers copy from have examples that are run")
    func runExamples() throws {
        for page in ["README.md", "docs/api.md"] {
            #expect(try Self.blocks(page).contains { $0.mark?.hasPrefix("test: ") ?? false }, "\(page)")
        }
    }

    @Test("lines are taken apart as a shell does")
    func words() throws {
        let line = "curl -s 'http://x/?a=b c' -d '{\"a\": \"#1\"}' \"it's\" ''  # the rest"
        #expect(try DocsCommand.words(line) == ["curl", "-s", "http://x/?a=b c", "-d", "{\"a\": \"#1\"}", "it's", ""])
        #expect(throws: DocsCommand.NotUnderstood.self) { try DocsCommand.words("curl 'x") }
    }

    /// Runs each line of a block, whose mark says what must stand in each answer: `test: THIS | THAT`.
    ///
    /// - Returns: How many lines there were.
    private func check(_ block: Block, of page: String, port: Int) async -> Int {
        let lines = block.text.split(separator: "\n").map(String.init)
        let mark = block.mark?.dropFirst("test: ".count) ?? ""
        let wanted = mark.split(separator: " | ").map(String.init)
        guard wanted.count == lines.count else {
            Issue.record("\(page): \(lines.count) lines, and \(wanted.count) answers are described\n\(block.text)")
            return 0
        }
        for (line, text) in zip(lines, wanted) {
            do {
                let answer = try await DocsCommand(line).run(port: port, directory: Self.root)
                #expect(answer.contains(text), "\(page): \(line) prints no \(text)\n\(answer.prefix(500))")
            } catch {
                Issue.record("\(page): \(error)")
            }
        }
        return lines.count
    }

    @Test("every event of the log is explained, and every explained event exists")
    func events() throws {
        var sources = ["Sources/WeirTelemetry/Logging/LogWriter.swift"]
        for folder in ["Sources/weir", "Sources/weir/Commands", "Sources/weir/Server", "Sources/WeirAPI"] {
            sources += try TextFile.names(in: Self.root + "/" + folder).filter { $0.hasSuffix(".swift") }.map {
                folder + "/" + $0
            }
        }
        var logged: Set<String> = []
        for source in sources {
            let text = try Self.text(source)
            // These choose their name by what has happened.
            for name in text.split(separator: "\"reward.").dropFirst() {
                logged.insert("reward." + name.prefix { $0.isLowercase || $0 == "_" })
            }
            let levels = ["info", "warning", "error", "debug"].map { "logger.\($0)(" }
            // The writer's own line comes from no logger.
            let calls = source.hasSuffix("LogWriter.swift") ? ["name: "] : levels
            for piece in calls.flatMap({ text.split(separator: $0).dropFirst() }) {
                let argument = piece.drop { $0 == " " || $0 == "\n" }
                guard argument.first == "\"" else { continue }
                let name = argument.dropFirst().prefix { $0 != "\"" }
                if name.contains("."), name.allSatisfy({ $0.isLowercase || $0 == "." || $0 == "_" }) {
                    logged.insert(String(name))
                }
            }
        }
        #expect(logged.isSuperset(of: ["serve.started", "log.dropped", "adapter.left_behind", "config.rejected"]))
        let table = try #require(
            try Self.text("docs/operations.md").split(separator: "\n## ").first { $0.hasPrefix("Logs") }
        )
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = rows.flatMap { row in
            row.dropFirst(2).prefix { $0 != "|" }.split(separator: "`").filter { $0.contains(".") }.map(String.init)
        }
        for event in logged { #expect(named.contains(event), "\(event) is not in docs/operations.md") }
        // States make events of their own.
        let states = ["disabled", "starting", "ready", "timed_out", "failed", "draining", "stopped"]
        #expect(Set(named).subtracting(logged).subtracting(states.map { "adapter.\($0)" }) == [])
    }

    private func withDemo(_ body: (Int) async throws -> Void) async throws {
        for port in [28_480, 28_580, 28_680] {
            let demo = try WeirProcess(["demo", "--port", "\(port)"])
            if try await demo.waitForLine({ $0.contains("Serving until") }) != nil {
                try await body(port)
                demo.signal(SIGTERM)
                #expect(try await demo.waitForExit() == 0)
                return
            }
        }
        Issue.record("the demo did not start")
    }

    private struct Block {
        var language: String
        /// The comment right above, without its marks.
        var mark: String?
        var text: String
    }

    /// The fenced blocks of a page.
    private static func blocks(_ page: String) throws -> [Block] {
        var blocks: [Block] = []
        var open: Block?
        var last = ""
        // A block inside a list is moved in.
        var indent = 0
        for line in try text(page).split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.drop { $0 == " " }
            if trimmed.hasPrefix("```") {
                if let block = open {
                    blocks.append(block)
                    open = nil
                } else {
                    let mark = last.hasPrefix("<!-- ") ? String(last.dropFirst(5).dropLast(4)) : nil
                    open = Block(language: String(trimmed.dropFirst(3)), mark: mark, text: "")
                    indent = line.count - trimmed.count
                }
            } else if open != nil {
                open?.text += line.dropFirst(min(indent, line.count - trimmed.count)) + "\n"
            }
            if !trimmed.isEmpty { last = String(trimmed) }
        }
        return blocks
    }
}

extension Substring {
    /// Without the blanks at its start.
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}

extension String {
    /// The text with every `old` replaced.
    fileprivate func replacing(_ old: String, with new: String) -> String {
        split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
}
