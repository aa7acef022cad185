import RewardedAdapter
import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting
import WeirTime

@Suite("Rewarded adapter")
struct RewardedAdapterTests {
    @Test("does what its case files say", arguments: try AdapterCase.all(beside: #filePath))
    func cases(_ subject: AdapterCase) async {
        let differences = await subject.run(RewardedAdapterFactory.factory)
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    @Test("loads rewarded ads only")
    func formats() {
        #expect(RewardedAdapterFactory.factory.descriptor.formats == [.rewarded])
        #expect(RewardedAdapterFactory.factory.settings == ["load_url", "probe_url", "api_key", "headers"])
    }

    @Test("the key stands in no message, whatever fails")
    func secrets() async throws {
        let clock = ManualClock()
        let lines = LogLines()
        let replies: [StubTransport.Reply] = [
            .response(InboundResponse(status: 401, body: Array("bad key k-s3cret".utf8))),
            .response(.text("k-s3cret", type: "application/json")),
            .response(.text("<k-s3cret/>", type: "text/plain")),
            .failure(TransportError(.reset, "r.example closed the connection.")),
        ]
        for reply in replies {
            let transport = StubTransport(clock: clock) { _ in reply }
            let context = AdapterContext(network: "r", transport: transport, clock: clock) { lines.append($0) }
            let adapter = try RewardedAdapterFactory.factory.make(
                ["load_url": "https://r.example/?k={settings.api_key}", "api_key": "k-s3cret"],
                context
            )
            let error = await #expect(throws: AdapterError.self) {
                try await adapter.load(AdAsk([:], clock: clock))
            }
            #expect(transport.requests.first?.url == "https://r.example/?k=k-s3cret")
            #expect(error?.outcome.networkMessage == nil)
            lines.append(error?.outcome.message ?? "")
        }
        #expect(lines.all.count == 4)
        #expect(lines.all.filter { $0.contains("s3cret") }.isEmpty)
    }

    @Test("a probe makes it ready")
    func probe() async throws {
        let clock = ManualClock()
        let transport = StubTransport(clock: clock) { _ in .response(InboundResponse(status: 200)) }
        let context = AdapterContext(network: "r", transport: transport, clock: clock)
        let settings: JSONValue = ["load_url": "https://r.example/", "probe_url": "https://r.example/health"]
        try await RewardedAdapterFactory.factory.make(settings, context).setUp(SetUpProgress())
        #expect(transport.requests.map(\.url) == ["https://r.example/health"])
    }
}
