import Testing
import WeirAdapterKit
import WeirModel
import WeirTesting
import WeirTime

@testable import WeirMediation

@Suite("Adapters that break down", .timeLimit(.minutes(10)))
struct SupervisedAdapterTests {
    let clock = ManualClock()
    let failure = SetUpFailure(reason: "its process was ended by signal 9 (SIGKILL)", remedy: "Look at its log.")

    /// An adapter that breaks down when the test says so.
    private final class Fragile: SupervisedAdapter {
        let descriptor = AdapterDescriptor(kind: "process", version: "1", formats: [.video])
        let crash = Lock<@Sendable (SetUpFailure) -> Void>({ _ in })

        func observe(_ crashed: @escaping @Sendable (SetUpFailure) -> Void) {
            crash.withLock { $0 = crashed }
        }

        func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome { .fill([.hello]) }
    }

    private func registry(_ adapter: Fragile, _ states: Diary<String>) -> AdapterRegistry {
        let registry = AdapterRegistry(clock: clock, random: { 1 }) { event in
            if case .stateChanged(_, let status) = event { states.note(status.state.rawValue) }
        }
        let network = Network(id: "acme", adapter: "process")
        let entry = RegistryEntry(
            network: network,
            carrier: .process,
            fingerprint: "1",
            source: .adapter(adapter.descriptor) { adapter }
        )
        registry.configure(
            [entry],
            catalog: Catalog(networks: [network], adUnits: [], placements: [], version: "1")
        )
        return registry
    }

    private func status(_ registry: AdapterRegistry) -> AdapterStatus? { registry.snapshot.status(of: "acme") }

    @Test("T-15 a break-down is told as failed, starting, ready, with what happened and when it goes on")
    func crash() async throws {
        let adapter = Fragile()
        let states = Diary<String>()
        let registry = registry(adapter, states)
        await waitUntil { status(registry)?.state == .ready }
        adapter.crash.withLock { $0 }(failure)
        let failed = try #require(status(registry))
        #expect(failed.state == .failed)
        #expect(
            failed.description == "acme: its process was ended by signal 9 (SIGKILL). Next try in 0.5 s."
        )
        #expect(failed.remedy == "Look at its log.")
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(500))
        await waitUntil { status(registry)?.state == .ready }
        #expect(states.entries == ["ready", "failed", "starting", "ready"])
        #expect(registry.snapshot.initialization.isComplete)
    }

    @Test("T-15 five break-downs within a minute disable it; a restart gives it another chance")
    func crashLoop() async throws {
        let adapter = Fragile()
        let registry = registry(adapter, Diary<String>())
        for number in 1...5 {
            await waitUntil { status(registry)?.state == .ready }
            adapter.crash.withLock { $0 }(failure)
            guard number < 5 else { break }
            await clock.sleepers(1)
            clock.advance(by: .seconds(4))
        }
        let disabled = try #require(status(registry))
        #expect(disabled.state == .disabled)
        #expect(disabled.description.hasPrefix("acme: disabled (crash_loop): it broke down 5 times within a minute"))
        #expect(disabled.remedy?.contains("POST /v1/adapters/acme/restart") == true)
        let facts = try #require(registry.lineup["acme"]).facts(for: "p")
        #expect(facts.unavailability?.reason == .disabled)
        #expect(registry.enable("acme"))
        await waitUntil { status(registry)?.state == .ready }
    }
}
