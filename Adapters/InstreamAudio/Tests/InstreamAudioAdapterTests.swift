import InstreamAudioAdapter
import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting
import WeirTime

@Suite("In-stream audio adapter")
struct InstreamAudioAdapterTests {
    @Test("does what its case files say", arguments: try AdapterCase.all(beside: #filePath))
    func cases(_ subject: AdapterCase) async {
        let differences = await subject.run(InstreamAudioAdapterFactory.factory)
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    @Test("loads audio ads only")
    func formats() {
        #expect(InstreamAudioAdapterFactory.factory.descriptor.formats == [.audio])
        #expect(InstreamAudioAdapterFactory.factory.settings == ["sections_url", "probe_url", "headers"])
    }

    @Test("a reply full of faults writes a bounded number of lines")
    func remarks() async throws {
        let clock = ManualClock()
        let lines = LogLines()
        let entries = JSONValue.array(Array(repeating: ["url": 7], count: 150) + [["vast_url": "https://a.example/v"]])
        let body: JSONValue = ["sections": ["preroll": entries]]
        let transport = StubTransport(clock: clock) { _ in .response(.text(body.encodedText, type: "application/json"))
        }
        let context = AdapterContext(network: "a", transport: transport, clock: clock) { lines.append($0) }
        let adapter = try InstreamAudioAdapterFactory.factory.make(["sections_url": "https://a.example/"], context)
        guard case .fill(let offers) = try await adapter.load(AdAsk([:], clock: clock)) else {
            Issue.record("no fill")
            return
        }
        #expect(offers.count == 1)
        #expect(lines.all.count == 20)
    }

    @Test("a probe makes it ready")
    func probe() async throws {
        let clock = ManualClock()
        let transport = StubTransport(clock: clock) { _ in .response(InboundResponse(status: 200)) }
        let context = AdapterContext(network: "a", transport: transport, clock: clock)
        let settings: JSONValue = ["sections_url": "https://a.example/", "probe_url": "https://a.example/health"]
        try await InstreamAudioAdapterFactory.factory.make(settings, context).setUp(SetUpProgress())
        #expect(transport.requests.map(\.url) == ["https://a.example/health"])
    }
}
