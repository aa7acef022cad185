import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTime

@testable import WeirTesting

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
        #expect(try await run(outcome).first == difference)
    }

    @Test("a surprising verdict comes with the adapter's own sentence, which says what no reason does")
    func sentence() async throws {
        let words = "it says: The network answered 204: nothing to sell."
        #expect(try await run(#"{"result": "fill"}"#).last == words)
        #expect(try await run(#"{"result": "no_fill", "reason": "no_ad"}"#).last == words)
        #expect(try await run(#"{"reason": "$absent"}"#).count == 1)
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

    @Test(
        "a member that nobody reads is refused with what was meant, and so is a verdict outside of the closed lists",
        arguments: [
            (
                #""ask": {"targetting": {}}, "outcome": {}"#,
                "ask.targetting is not a known key. Did you mean `targeting`?"
            ),
            (
                #""ask": {"device": {"lang": "de"}}, "outcome": {}"#,
                "ask.device.lang is not a known key. Known here: country, ifa, ip, language, lmt, os, os_version, ua."
            ),
            (#""ask": {"max_ads": "3"}, "outcome": {}"#, "ask.max_ads must be a whole number, not a string."),
            (
                #""outcome": {"result": "filled"}"#,
                "outcome.result must be one of fill, no_fill, timeout, network_error, bad_response, rejected, skipped, crash, not_attempted. Did you mean `fill`?"
            ),
            (#""outcome": {"result": "no_fill", "reason": "empty"}"#, "outcome.reason is none of no_fill: "),
            (
                #""outcome": {"result": "fill", "offers": [{"win_url": "x"}]}"#,
                "outcome.offers[0].win_url is no member of an offer. Did you mean `win`?"
            ),
            (
                #""outcome": {"result": "fill", "offers": [{"who": "x"}]}"#,
                "Known here: vast, vast_url, id, title, price,"
            ),
        ]
    )
    func misspelt(_ members: String, _ complaint: String) throws {
        let file = try TemporaryFile(#"{"name": "a case", "steps": [], \#(members)}"#)
        defer { file.remove() }
        let error = #expect(throws: AdapterCase.Unreadable.self) { try AdapterCase(file: file.path) }
        #expect(error?.description.contains(complaint) == true, "\(error?.description ?? "")")
    }

    @Test("all that is wrong with a case is told at once, and matchers are no verdicts")
    func severalMistakes() throws {
        let file = try TemporaryFile(
            #"{"name": "a case", "steps": [], "ask": {"a": 1, "b": 2}, "outcome": {"result": "$any", "reason": "$absent", "offers": "$any"}}"#
        )
        defer { file.remove() }
        let error = #expect(throws: AdapterCase.Unreadable.self) { try AdapterCase(file: file.path) }
        #expect(error?.description.split(separator: "\n").count == 2)
    }

    @Test("numbers are compared by their value")
    func values() {
        var matcher = CaseMatcher()
        matcher.compare(["a": 1, "b": [-2]], (try? JSONReader.read(#"{"a": 1.0, "b": [-2.00]}"#)), at: .root)
        #expect(matcher.differences.isEmpty)
        matcher.compare(["a": 1], (try? JSONReader.read(#"{"a": 1.01}"#)), at: .root)
        matcher.compare(["a": 1], (try? JSONReader.read(#"{"a": "1"}"#)), at: .root)
        #expect(matcher.differences.count == 2)
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
