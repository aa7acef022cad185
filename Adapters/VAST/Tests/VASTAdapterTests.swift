import Testing
import VASTAdapter
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting
import WeirTime

@Suite("VAST adapter")
struct VASTAdapterTests {
    @Test("does what its case files say", arguments: try AdapterCase.all(beside: #filePath))
    func cases(_ subject: AdapterCase) async {
        let differences = await subject.run(VASTAdapterFactory.factory)
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    @Test("loads every format")
    func formats() {
        #expect(VASTAdapterFactory.factory.descriptor.formats == [.video, .audio, .rewarded])
        #expect(VASTAdapterFactory.factory.settings == ["tag_url", "probe_url", "headers"])
    }

    @Test("without a probe the network is ready at once and nothing is sent")
    func readyAtOnce() async throws {
        let clock = ManualClock()
        let transport = StubTransport(clock: clock) { _ in .hang }
        try await adapter(["tag_url": "https://ads.example/tag"], transport, clock).setUp(SetUpProgress())
        #expect(transport.requests.isEmpty)
    }

    @Test("a probe that answers 2xx makes it ready")
    func probe() async throws {
        let clock = ManualClock()
        let transport = StubTransport(clock: clock) { _ in .response(InboundResponse(status: 204)) }
        let progress = SetUpProgress()
        try await adapter(Self.probed, transport, clock).setUp(progress)
        #expect(transport.requests.map(\.url) == ["https://ads.example/health?key=s3cret"])
        #expect(progress.note.done == "the probe of https://ads.example/health answered 204 in 0 ms")
    }

    @Test("a probe that answers 503 fails with a remedy, and may be tried again")
    func failingProbe() async throws {
        let clock = ManualClock()
        let transport = StubTransport(clock: clock) { _ in .response(InboundResponse(status: 503)) }
        let failure = await #expect(throws: SetUpFailure.self) {
            try await adapter(Self.probed, transport, clock).setUp(SetUpProgress())
        }
        #expect(failure?.reason == "the probe of https://ads.example/health answered 503 in 0 ms")
        #expect(failure?.remedy.contains("settings.probe_url") == true)
        #expect(failure?.isRetryable == true)
    }

    @Test("the trace keeps what was sent and what came back, and the trace context is passed on")
    func trace() async throws {
        let clock = ManualClock()
        let transport = StubTransport(clock: clock) { _ in .response(.text("<VAST/>")) }
        var ask = AdAsk(["network_unit": "u"], clock: clock)
        ask.traceParent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        ask.trace = TraceRecorder()
        _ = try await adapter(["tag_url": "https://ads.example/tag"], transport, clock).load(ask)
        #expect(transport.requests.first?.headers == [HTTPHeader("traceparent", ask.traceParent ?? "")])
        #expect(ask.trace?.exchanges.map(\.reply?.status) == [200])
    }

    @Test("an ask is cut off at its deadline")
    func deadline() async throws {
        let clock = ManualClock()
        let transport = StubTransport(clock: clock) { _ in .hang }
        let subject = try adapter(["tag_url": "https://ads.example/tag"], transport, clock)
        async let end: Void = {
            await clock.sleepers(1)
            clock.advance(by: .milliseconds(300))
        }()
        let error = await #expect(throws: AdapterError.self) {
            try await subject.load(AdAsk(["remaining_ms": 300], clock: clock))
        }
        await end
        #expect(error?.outcome.reason == .lineTimeout)
    }

    private static let probed: JSONValue = [
        "tag_url": "https://ads.example/tag", "probe_url": "https://ads.example/health?key=s3cret",
    ]

    private func adapter(
        _ settings: JSONValue,
        _ transport: StubTransport,
        _ clock: ManualClock
    ) throws -> any NetworkAdapter {
        let context = AdapterContext(network: "gam", transport: transport, clock: clock)
        return try VASTAdapterFactory.factory.make(settings, context)
    }
}
