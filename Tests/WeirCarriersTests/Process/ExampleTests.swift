import Glibc
import Testing
import WeirAdapterKit
import WeirCarriers
import WeirModel
import WeirRuntime
import WeirTesting
import WeirTime

/// Where the examples and what runs them lie.
private enum Examples {
    static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first { access($0, X_OK) == 0 }

    static let folder =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        + "/Adapters/Examples"

    /// The Swift one is built beside the gateway.
    static let program =
        WeirProcess.binary.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        + "/bidco-adapter"

    static func cases() throws -> [AdapterCase] {
        try ["exemplary", "supplemental"].flatMap { try AdapterCase.all(in: "\(folder)/Cases/\($0)") }
    }
}

/// Adapters/Examples, in both languages, does what its cases say.
@Suite("Adapters/Examples")
struct ExampleTests {
    @Test(
        "Python: does what the cases say",
        .enabled(if: Examples.python != nil, "there is no python3"),
        arguments: try Examples.cases()
    )
    func inPython(_ subject: AdapterCase) async throws {
        let python = try #require(Examples.python)
        try await run(subject, [python, "bidco.py"], in: Examples.folder + "/Python")
    }

    @Test("Swift: does what the cases say", arguments: try Examples.cases())
    func inSwift(_ subject: AdapterCase) async throws {
        try await run(subject, [Examples.program], in: "/")
    }

    @Test("a setting that is wrong is told in words, and not tried again", arguments: ["Python", "Swift"])
    func wrongSetting(_ language: String) async throws {
        var command = [Examples.program]
        if language == "Python" {
            guard let python = Examples.python else { return }
            command = [python, Examples.folder + "/Python/bidco.py"]
        }
        try await Rig.run("", configure: { $0.command = command }) { rig in
            let failure = await rig.setUp()
            #expect(failure?.reason.contains("settings.url") == true, "\(failure?.reason ?? "")")
            #expect(failure?.isRetryable == false)
        }
    }

    @Test(
        "Python: the set-up may have requests sent, a load may have several, and what is printed goes to the log",
        .enabled(if: Examples.python != nil, "there is no python3")
    )
    func severalRequests() async throws {
        let program = try TemporaryFile(
            """
            import sys
            sys.path.insert(0, "\(Examples.folder)/Python")
            from weir_adapter import fill, run


            class Twice:
                version, formats = "1.0.0", ["video"]

                def set_up(self, settings):
                    print("asking for a token")
                    return {"url": "https://acme.example/token"}

                def set_up_replies(self, replies):
                    self.token = replies[0]["body"]
                    return "has its token"

                def make_requests(self, ask):
                    print("asking twice")
                    return [{"url": f"https://acme.example/{side}?t={self.token}"} for side in ("a", "b")]

                def outcome(self, ask, replies):
                    return fill(*({"id": str(reply["request"]), "vast": reply["body"]} for reply in replies))


            run(Twice())
            """
        )
        defer { program.remove() }
        let python = try #require(Examples.python)
        try await Rig.run(
            "",
            answer: { .response(.text($0.url.hasSuffix("token") ? "t-1" : "<VAST version=\"4.2\"><Ad/></VAST>")) },
            configure: { $0.command = [python, program.path] }
        ) { rig in
            let failure = await rig.setUp()
            #expect(failure == nil, "\(failure?.reason ?? "")")
            let loaded = await rig.load()
            #expect(loaded == "fill -,-")
            #expect(
                rig.transport.requests.map(\.url).sorted() == [
                    "https://acme.example/a?t=t-1", "https://acme.example/b?t=t-1", "https://acme.example/token",
                ]
            )
            await waitUntil { rig.log.all.contains("asking twice") }
            #expect(rig.log.all.contains("asking for a token"))
        }
    }

    /// An adapter in Python whose two methods do as told.
    private func program(_ makeRequests: String, _ outcome: String) throws -> TemporaryFile {
        try TemporaryFile(
            """
            import decimal, sys
            sys.path.insert(0, "\(Examples.folder)/Python")
            from weir_adapter import Refusal, fill, no_fill, run


            class Slip:
                version, formats = "1.0.0", ["video"]

                def set_up(self, settings):
                    pass

                def make_requests(self, ask):
                    \(makeRequests)

                def outcome(self, ask, replies):
                    \(outcome)


            run(Slip())
            """
        )
    }

    private static let asks = "return {'url': 'https://acme.example/ad'}"

    @Test(
        "Python: a slip costs one attempt, which says what came back, and never the process; the log has its traceback",
        .enabled(if: Examples.python != nil, "there is no python3"),
        arguments: [
            ("pass", "pass", "make_requests returned None"),
            ("return {'zone': 7}", "pass", "make_requests returned {'zone': 7}"),
            ("return [{'url': 'https://acme.example/'}, None]", "pass", "make_requests returned [{'url': "),
            ("return {'url': 'https://acme.example/', 'body': b'raw'}", "pass", "b'raw', and JSON has no bytes"),
            (asks, "pass", "outcome returned None"),
            (asks, "return {'offers': []}", "outcome returned {'offers': []}"),
            (asks, "return fill({'vast': '<VAST/>', 'categories': {1}})", "{1}, and JSON has no set"),
            (asks, "return fill({(1, 2): 3})", "keys must be str"),
            (asks, "offer = {}; offer['self'] = offer; return fill(offer)", "Circular reference"),
            (asks, "raise Refusal('rejected', 'currency', ValueError('no euro'))", "ValueError('no euro'), and JSON"),
            (asks, "return 'x' * 10_000", "xxxxxxx …"),
        ]
    )
    func slips(makeRequests: String, outcome: String, words: String) async throws {
        let program = try program(makeRequests, outcome)
        defer { program.remove() }
        let python = try #require(Examples.python)
        try await Rig.run("", configure: { $0.command = [python, program.path] }) { rig in
            let failure = await rig.setUp()
            #expect(failure == nil, "\(failure?.reason ?? "")")
            // More often than a process may end before its network is disabled.
            for _ in 1...6 {
                guard case .failure(let error) = await rig.answer() else {
                    Issue.record("the slip went through")
                    continue
                }
                let said = error.outcome
                #expect(said.result == .crash && said.reason == .protocol && said.message.contains(words), "\(said)")
                #expect(said.message.utf8.count < 2000)
            }
            #expect(rig.crashes.all.isEmpty)
            await waitUntil { rig.log.all.contains { $0.contains("weir_adapter.py\", line") } }
        }
    }

    @Test(
        "Python: a Decimal is an amount, and one that is no number is bad_response",
        .enabled(if: Examples.python != nil, "there is no python3"),
        arguments: [
            ("2.50", "fill 2.50 EUR"), ("25E-1", "fill 2.50 EUR"), ("NaN", "bad_response(bad_json)"),
            ("1E+999999999", "bad_response(bad_price)"),
        ]
    )
    func decimals(amount: String, verdict: String) async throws {
        let price = "{'amount': decimal.Decimal('\(amount)'), 'currency': 'EUR'}"
        let program = try program(Self.asks, "return fill({'vast': replies[0]['body'], 'price': \(price)})")
        defer { program.remove() }
        let python = try #require(Examples.python)
        try await Rig.run(
            "",
            answer: { _ in .response(.text("<VAST version=\"4.2\"><Ad/></VAST>")) },
            configure: { $0.command = [python, program.path] }
        ) { rig in
            let failure = await rig.setUp()
            #expect(failure == nil, "\(failure?.reason ?? "")")
            #expect(await rig.load() == verdict)
        }
    }

    private func run(_ subject: AdapterCase, _ command: [String], in directory: String) async throws {
        let loop = EventLoop()
        try loop.start()
        let running = Kept<ProcessAdapter>()
        let factory = AdapterFactory(descriptor: ProcessAdapter.unknown, settings: []) {
            settings,
            context throws(SettingsError) -> any NetworkAdapter in
            // Its log is not part of the cases.
            var context = context
            context.log = { _ in }
            let configuration = ProcessConfiguration(command: command, directory: directory)
            let adapter = ProcessAdapter(configuration, settings: settings, context: context, loop: loop)
            running.add(adapter)
            return ReadyAdapter(adapter: adapter)
        }
        let differences = await subject.run(factory)
        for adapter in running.all { await adapter.tearDown() }
        await loop.shutDown()
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }
}

/// Sets its adapter up before it asks it, and lets it have all the time that a busy machine needs.
private struct ReadyAdapter: NetworkAdapter {
    let adapter: ProcessAdapter
    var descriptor: AdapterDescriptor { adapter.descriptor }

    func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        do throws(SetUpFailure) { try await adapter.setUp(SetUpProgress()) } catch {
            throw AdapterError(.skipped, .notReady, error.reason)
        }
        var ask = ask
        ask.deadline.instant += .seconds(60)
        return try await adapter.load(ask)
    }
}
