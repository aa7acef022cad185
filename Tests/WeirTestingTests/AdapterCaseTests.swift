import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting
import WeirTime

@Suite("AdapterCase")
struct AdapterCaseTests {
    @Test("a case that fits differs in nothing")
    func fits() async throws {
        #expect(try await run(#"{"result": "no_fill", "reason": "http_204"}"#).isEmpty)
    }

    @Test(
        "what differs is told",
        arguments: [
            (#"{"result": "fill"}"#, #"outcome.result must be "fill", but is "no_fill""#),
            (#"{"result": "no_fill", "offers": ["$any"]}"#, #"outcome.offers is absent; expected ["$any"]"#),
            (#"{"reason": "$absent"}"#, #"outcome.reason must be absent, but is "http_204""#),
            (#"{"reason": "$regex:http"}"#, #"outcome.reason must match http, but is "http_204""#),
            (#"{"reason": "$regex:("}"#, "outcome.reason cannot be matched: ( is no regular expression"),
            (#"{"reason": ["$contains:http", "$contains:5"]}"#, #"outcome.reason must contain 5, but is "http_204""#),
            (#"{"reason": ["no_ad"]}"#, #"outcome.reason must be "no_ad", but is "http_204""#),
        ]
    )
    func differs(_ outcome: String, _ difference: String) async throws {
        #expect(try await run(outcome) == [difference])
    }

    @Test("a request that differs, is missing or comes unasked is told")
    func requests() async throws {
        let other = try await run("{}", expect: #"{"method": "POST", "query": {"a": "2"}, "headers": {"X": "1"}}"#)
        #expect(
            other == [
                #"steps[0].expect.method must be "POST", but is "GET""#,
                #"steps[0].expect.query.a must be "2", but is "1""#,
                #"steps[0].expect.headers.X is absent; expected "1""#,
            ]
        )
        #expect(
            try await run("{}", steps: "[]") == [
                "the adapter sent a request that no step expects: https://n.example/?a=1"
            ]
        )
        let step = #"{"reply": {"status": 204}}"#
        #expect(try await run("{}", steps: "[\(step), \(step)]") == ["1 step was never reached"])
    }

    @Test("a file that is no case is refused with its place")
    func unreadable() {
        #expect(throws: AdapterCase.Unreadable.self) { try AdapterCase(file: #filePath) }
        #expect(throws: TextFile.Unreadable.self) { try AdapterCase(file: "/nowhere/case.json") }
        #expect(throws: TextFile.Unreadable.self) { try AdapterCase.all(beside: "/nowhere/Tests.swift") }
    }

    private func run(
        _ outcome: String,
        expect: String = "{}",
        steps: String? = nil
    ) async throws -> [String] {
        let steps = steps ?? #"[{"expect": \#(expect), "reply": {"status": 204}}]"#
        let file = try TemporaryFile(#"{"name": "a case", "steps": \#(steps), "outcome": \#(outcome)}"#)
        defer { file.remove() }
        return try await AdapterCase(file: file.path).run(asking)
    }

    private let asking = AdapterFactory(
        descriptor: AdapterDescriptor(kind: "asking", version: "1", formats: [.video]),
        settings: [],
        make: { (_, context) in Asking(context: context) }
    )
}

private struct Asking: HTTPAdapter {
    let descriptor = AdapterDescriptor(kind: "asking", version: "1", formats: [.video])
    let context: AdapterContext

    func request(for ask: AdAsk) throws(AdapterError) -> OutboundRequest {
        OutboundRequest(url: "https://n.example/?a=1")
    }

    func outcome(of reply: InboundResponse, for ask: AdAsk) throws(AdapterError) -> LoadOutcome { .fill([]) }
}
