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
            (
                #""outcome": {}, "steps": [{"expect": {"methd": "POST"}, "reply": {}}]"#,
                "steps[0].expect.methd is not a known key. Did you mean `method`?"
            ),
            (
                #""outcome": {}, "steps": [{"expect": {"form": {}}, "reply": {}}]"#,
                "steps[0].expect.form is not a known key. Known here: body, headers, method, query, url."
            ),
            (#""outcome": {}, "steps": [{"expect": "POST", "reply": {}}]"#, "steps[0].expect must be an object"),
        ]
    )
    func misspelt(_ members: String, _ complaint: String) throws {
        let file = try TemporaryFile(#"{"name": "a case", \#(members)}"#)
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

    @Test("a form's body is compared field by field where an object is expected, else as it was sent")
    func forms() async throws {
        func run(_ body: String) async throws -> [String] {
            let file = try TemporaryFile(
                #"{"name": "a case", "steps": [{"expect": {"body": \#(body)}, "reply": {"status": 204}}], "outcome": {}}"#
            )
            defer { file.remove() }
            let form = AdapterFactory(descriptor: Asking.own, settings: []) { _, context in
                let type = HTTPHeader("content-type", "application/x-www-form-urlencoded; charset=utf-8")
                let body = Array("zone=7&ua=A+B%2F1&bid=".utf8)
                return Asking(
                    context: context,
                    request: OutboundRequest(method: "POST", url: "https://n.example/", headers: [type], body: body)
                )
            }
            return try await AdapterCase(file: file.path).run(form)
        }
        #expect(try await run(#"{"zone": "7", "ua": "A B/1", "bid": "", "ip": "$absent"}"#).isEmpty)
        #expect(try await run(#""zone=7&ua=A+B%2F1&bid=""#).isEmpty)
        #expect(try await run(#""$contains:ua=A+B""#).isEmpty)
        #expect(
            try await run(#"{"zone": "8", "ip": "$any"}"#) == [
                #"steps[0].expect.body.zone must be "8", but is "7""#,
                #"steps[0].expect.body.ip is absent; expected "$any""#,
            ]
        )
    }

    @Test("a case with a setting that the adapter does not know is refused, as the configuration refuses it")
    func unknownSettings() async throws {
        func run(_ settings: String, kind: String = "asking") async throws -> [String] {
            let file = try TemporaryFile(
                #"{"name": "a case", "settings": \#(settings), "steps": [{"reply": {"status": 204}}], "outcome": {"reason": "http_204"}}"#
            )
            defer { file.remove() }
            let descriptor = AdapterDescriptor(kind: kind, version: "1", formats: [.video])
            let factory = AdapterFactory(descriptor: descriptor, settings: ["tag_url", "zone"]) { _, context in
                Asking(context: context)
            }
            let example = try AdapterCase(file: file.path)
            let differences = await example.run(factory)
            let subject = ConformanceSubject(name: "asking", factory: factory, cases: [example])
            let rows = try await AdapterConformance(subject, only: "a case").run().rows
            #expect(rows.first?.result == (differences.isEmpty ? .passed : .failed), "\(rows)")
            return differences
        }
        #expect(
            try await run(#"{"tag_rul": "x"}"#) == [
                "the adapter refuses the settings: settings.tag_rul is no setting of this adapter. Did you mean `tag_url`?"
            ]
        )
        #expect(try await run(#"{"quux": "x"}"#).first?.contains("It knows: tag_url, zone.") == true)
        // Templates may name settings of the operator's own, and a process says itself what it wants.
        #expect(try await run(#"{"tag_url": "https://a.example/{settings.own!}", "own": "7"}"#).isEmpty)
        #expect(try await run(#"{"quux": "x"}"#, kind: "process").isEmpty)
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
    static let own = AdapterDescriptor(kind: "asking", version: "1", formats: [.video])
    let descriptor = Self.own
    let context: AdapterContext
    var request = OutboundRequest(url: "https://n.example/?a=1")

    func request(for ask: AdAsk) throws(AdapterError) -> OutboundRequest { request }

    func outcome(of reply: InboundResponse, for ask: AdAsk) throws(AdapterError) -> LoadOutcome { .fill([]) }
}
