import Testing
import WeirAdapterKit
import WeirModel
import WeirTesting
import WeirTime

@Suite("StatusVerdict and AdapterError")
struct VerdictTests {
    @Test(
        "the status decides before anybody reads the body",
        arguments: [
            (204, "x", "no_fill http_204"), (200, "", "no_fill empty_body"), (200, " \r\n\t", "no_fill empty_body"),
            (206, "", "no_fill empty_body"), (200, "<VAST/>", "read"), (201, "{}", "read"), (299, "x", "read"),
            (301, "x", "network_error redirect_refused"), (304, "", "network_error redirect_refused"),
            (400, "x", "network_error http_4xx"), (404, "", "network_error http_4xx"),
            (499, "", "network_error http_4xx"), (500, "<VAST/>", "network_error http_5xx"),
            (599, "", "network_error http_5xx"), (100, "", "network_error http_5xx"),
            (999, "", "network_error http_5xx"),
        ]
    )
    func status(status: Int, body: String, verdict: String) {
        let text =
            switch StatusVerdict(InboundResponse(status: status, body: Array(body.utf8))) {
            case .noFill(let noFill): "no_fill \(noFill.reason.rawValue)"
            case .failure(let error): "\(error.outcome.result.rawValue) \(error.outcome.reason.rawValue)"
            case .readBody: "read"
            }
        #expect(text == verdict)
    }

    @Test("a failed status is kept as the network's code")
    func networkCode() {
        guard case .failure(let error) = StatusVerdict(InboundResponse(status: 503)) else {
            Issue.record("503 is a failure")
            return
        }
        #expect(error.outcome.networkCode == "503")
    }

    @Test(
        "every failure of the transport has a verdict that keeps its sentence",
        arguments: TransportError.Kind.allCases
    )
    func transport(kind: TransportError.Kind) {
        let outcome = AdapterError(TransportError(kind, "ads.example: sentence.")).outcome
        #expect(outcome.message == "ads.example: sentence.")
        let expected: [TransportError.Kind: Reason] = [
            .timeout: .lineTimeout, .connectionRefused: .connectionRefused, .dns: .dns, .tls: .tls, .reset: .reset,
            .addressRefused: .addressRefused, .tooLarge: .tooLarge, .badEncoding: .badEncoding, .saturated: .saturated,
            .cancelled: .reset,
        ]
        #expect(outcome.reason == expected[kind])
    }

    @Test("header names do not mind their case, and the first of several counts")
    func headers() {
        let reply = InboundResponse(
            status: 200,
            headers: [HTTPHeader("Content-TYPE", "a"), HTTPHeader("content-type", "b")]
        )
        #expect(reply.header("Content-Type") == "a")
        #expect(reply.header("Content-Typ") == nil)
    }
}

@Suite("AdapterContext and HTTPAdapter", .timeLimit(.minutes(10)))
struct AdapterContextTests {
    let clock = ManualClock()

    private struct Echo: HTTPAdapter {
        let descriptor = AdapterDescriptor(kind: "echo", version: "1", formats: [.video])
        let context: AdapterContext

        func request(for ask: AdAsk) throws(AdapterError) -> OutboundRequest { OutboundRequest(url: "https://e.test/") }
        func outcome(of reply: InboundResponse, for ask: AdAsk) throws(AdapterError) -> LoadOutcome {
            .fill([Offer(markup: .document(reply.body))])
        }
    }

    private func load(
        _ reply: StubTransport.Reply,
        change: (inout AdAsk) -> Void = { _ in }
    ) async throws -> LoadOutcome {
        let transport = StubTransport(clock: clock) { _ in reply }
        var ask = AdAsk.full(clock)
        change(&ask)
        return try await Echo(context: AdapterContext(network: "e", transport: transport, clock: clock)).load(ask)
    }

    @Test("load sends, judges the status, and reads the body only then")
    func load() async throws {
        #expect(try await load(.response(.text("x"))) == .fill([Offer(markup: .document([0x78]))]))
        #expect(
            try await load(.response(InboundResponse(status: 204)))
                == .noFill(NoFill(.http204, "The network answered 204: nothing to sell."))
        )
        await #expect(throws: AdapterError.self) { try await load(.response(InboundResponse(status: 500))) }
        await #expect(throws: AdapterError(TransportError(.dns, "No such host."))) {
            try await load(.failure(TransportError(.dns, "No such host.")))
        }
    }

    @Test("the trace context is passed on, and both halves are kept for the trace")
    func trace() async throws {
        let trace = TraceRecorder()
        let change: (inout AdAsk) -> Void = {
            $0.trace = trace
            $0.traceParent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        }
        _ = try await load(.response(.text("x")), change: change)
        _ = try? await load(.failure(TransportError(.tls, "Bad certificate.")), change: change)
        #expect(trace.exchanges.count == 2)
        #expect(trace.exchanges[0].reply?.body == [0x78])
        #expect(
            trace.exchanges[0].request.headers.contains { $0.name == "traceparent" && $0.value.hasPrefix("00-0af7") }
        )
        #expect(trace.exchanges[1].reply == nil && trace.exchanges[1].failure?.kind == .tls)
    }

    @Test("a load ends at its deadline")
    func deadline() async throws {
        async let outcome = load(.hang)
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(250))
        do {
            _ = try await outcome
            Issue.record("a hanging network cannot answer")
        } catch let error as AdapterError {
            #expect(error.outcome.reason == .lineTimeout)
        }
    }
}

@Suite("TraceRecorder")
struct TraceRecorderTests {
    @Test("keeps so many exchanges and so many bytes of each body, and no more")
    func bounds() {
        let trace = TraceRecorder()
        let body = [UInt8](repeating: 1, count: TraceRecorder.bodyLimit + 1)
        for index in 0..<TraceRecorder.limit + 10 {
            trace.record(
                lineItem: "l",
                request: OutboundRequest(url: "https://e.test/\(index)", body: body),
                reply: InboundResponse(status: 200, body: body)
            )
        }
        #expect(trace.exchanges.count == TraceRecorder.limit)
        #expect(trace.exchanges.allSatisfy { $0.request.body.count == TraceRecorder.bodyLimit })
        #expect(trace.exchanges.allSatisfy { $0.reply?.body.count == TraceRecorder.bodyLimit })
        #expect(trace.exchanges.first?.request.url == "https://e.test/0", "the first ones are kept")
    }
}
