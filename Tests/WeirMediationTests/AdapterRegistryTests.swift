import Testing
import WeirAdapterKit
import WeirMediation
import WeirModel
import WeirTesting
import WeirTime

@Suite("AdapterRegistry", .timeLimit(.minutes(10)))
struct AdapterRegistryTests {
    let clock = ManualClock()
    let events = Diary<AdapterEvent>()

    private func registry(_ configuration: InitializationConfiguration = .init()) -> AdapterRegistry {
        AdapterRegistry(clock: clock, configuration: configuration, random: { 1 }, events: { events.note($0) })
    }

    private var initializations: [InitializationStatus] {
        events.entries.compactMap { event in
            if case .initialized(let status) = event { status } else { nil }
        }
    }

    /// A network whose set-up takes so long.
    private func slow(_ id: NetworkID, _ duration: Duration) -> RegistryEntry {
        .entry(
            id,
            ScriptedAdapter(onSetUp: { progress throws(SetUpFailure) in
                progress.waiting(for: "https://\(id).test/probe", remedy: "Check settings.probe_url.")
                try? await clock.sleep(for: duration)
                progress.done("the probe of https://\(id).test/probe answered 200 in \(duration.milliseconds) ms")
            })
        )
    }

    /// A network whose set-up ends only when the latch opens, whatever else happens.
    private func stubborn(_ id: NetworkID, _ latch: Latch, fingerprint: String = "1") -> RegistryEntry {
        .entry(
            id,
            fingerprint: fingerprint,
            ScriptedAdapter(onSetUp: { progress throws(SetUpFailure) in
                progress.waiting(for: "https://\(id).test/probe", remedy: "Check settings.probe_url.")
                await latch.wait()
            })
        )
    }

    @Test("S2.31 initialization completes after 10 s though one adapter hangs, exactly once, and tells who is missing")
    func initializationTimeout() async {
        let latch = Latch()
        let registry = registry()
        registry.configure([.entry("a", ScriptedAdapter()), stubborn("gam", latch)], catalog: .empty())
        await registry.wait(for: "a", .ready)
        await clock.sleepers(1)

        clock.advance(by: .milliseconds(9999))
        #expect(!registry.snapshot.initialization.isComplete)
        #expect(initializations.isEmpty)

        clock.advance(by: .milliseconds(1))
        await registry.waitUntilInitialized()
        let status = registry.snapshot.initialization
        #expect(status.isComplete)
        #expect(status.timedOut == ["gam"])
        #expect(status.elapsed == .seconds(10))
        #expect(status.completedAt == clock.wallNow)
        #expect(registry.lineup.isInitialized)
        #expect(registry.status("a").isReady)
        #expect(registry.status("gam").state == .timedOut)

        clock.advance(by: .seconds(100))
        latch.open()
        await registry.wait(for: "gam", .ready)
        registry.restart("gam")
        await registry.wait(for: "gam", .ready)
        #expect(initializations.count == 1)
        #expect(initializations.first?.timedOut == ["gam"])
        #expect(registry.snapshot.initialization == status)
    }

    @Test("S2.32 initialization completes early when nobody is starting any more")
    func earlyCompletion() async {
        let registry = registry()
        registry.configure([slow("a", .milliseconds(300)), slow("b", .milliseconds(312))], catalog: .empty())
        await clock.sleepers(4)
        clock.advance(by: .milliseconds(300))
        await registry.wait(for: "a", .ready)
        #expect(!registry.snapshot.initialization.isComplete)
        clock.advance(by: .milliseconds(12))
        await registry.waitUntilInitialized()
        #expect(registry.snapshot.initialization.elapsed == .milliseconds(312))
        #expect(registry.snapshot.initialization.timedOut == [])
    }

    @Test("without networks initialization is complete at once")
    func nobody() async {
        let registry = registry()
        #expect(!registry.lineup.isInitialized)
        registry.configure([], catalog: .empty())
        await registry.waitUntilInitialized()
        #expect(initializations.count == 1)
        #expect(registry.snapshot.readiness.description == "ready 0/0")
        #expect(!registry.snapshot.readiness.isEnough)
    }

    @Test("S2.34 an adapter that is ready at 14 s is ready, late, and serves from then on")
    func lateAdapter() async {
        let registry = registry()
        registry.configure([slow("gam", .seconds(14))], catalog: .empty())
        await clock.sleepers(2)
        clock.advance(by: .seconds(10))
        await registry.wait(for: "gam", .timedOut)
        clock.advance(by: .seconds(4))
        let status = await registry.wait(for: "gam", .ready)
        #expect(status.isLate)
        #expect(status.latency == .seconds(14))
        #expect(
            status.description == "gam: ready, but late: 14.0 s after its start, past the limit of 10.0 s; "
                + "the probe of https://gam.test/probe answered 200 in 14000 ms."
        )
        #expect(registry.lineup["gam"]?.facts(for: "p").state == .ready)
    }

    @Test("S2.35 status can be read at any time and goes from not ready to ready without another initialization")
    func polling() async {
        let registry = registry()
        registry.configure([slow("gam", .milliseconds(500))], catalog: .empty())
        #expect(!registry.status("gam").isReady)
        #expect(registry.status("gam").latency == nil)
        await clock.sleepers(2)
        clock.advance(by: .milliseconds(250))
        #expect(
            registry.status("gam").description
                == "gam: set-up has waited 0.2 s for https://gam.test/probe; no answer yet."
        )
        clock.advance(by: .milliseconds(250))
        await registry.wait(for: "gam", .ready)
        #expect(registry.status("gam").isReady)
        #expect(
            registry.status("gam").description
                == "gam: ready; the probe of https://gam.test/probe answered 200 in 500 ms."
        )
        #expect(registry.status("gam").remedy == nil)
    }

    @Test("S2.36 the description of every state that is not ready says why")
    func descriptions() async {
        let latch = Latch()
        let registry = registry()
        let unsupported = SetUpFailure(reason: "api 9 is not supported", remedy: "Update it.", isRetryable: false)
        registry.configure(
            [
                stubborn("slow", latch),
                .entry("bad", ScriptedAdapter(onSetUp: { _ throws(SetUpFailure) in throw unsupported })),
                .entry("off", ScriptedAdapter()) { $0.isEnabled = false },
                RegistryEntry(
                    network: Network(id: "odd", adapter: "vsat"),
                    fingerprint: "1",
                    source: .unavailable(
                        Unavailability(
                            .unknownAdapter,
                            "no adapter is called vsat; did you mean vast?",
                            remedy: "Correct it."
                        )
                    )
                ),
                RegistryEntry(
                    network: Network(id: "wrong", adapter: "scripted"),
                    fingerprint: "1",
                    source: .adapter(
                        ScriptedAdapter().descriptor,
                        make: { () throws(SettingsError) -> any NetworkAdapter in
                            throw SettingsError(path: "settings.tag_url", message: "is missing")
                        }
                    )
                ),
            ],
            catalog: .empty()
        )
        await registry.wait(for: "bad", .failed)
        await clock.sleepers(1)
        clock.advance(by: .seconds(10))
        await registry.wait(for: "slow", .timedOut)
        let expected: [(NetworkID, AdapterState, String, String?)] = [
            (
                "slow", .timedOut, "slow: set-up has waited 10.0 s for https://slow.test/probe; no answer.",
                "Check settings.probe_url."
            ),
            (
                "bad", .failed, "bad: set-up failed after 1 try: api 9 is not supported. Weir does not try again.",
                "Update it."
            ),
            (
                "off", .disabled, "off: disabled in the configuration (enabled: false).",
                "Set enabled to true, or enable it for now with POST /v1/adapters/off/enable."
            ),
            ("odd", .disabled, "odd: no adapter is called vsat; did you mean vast?", "Correct it."),
            (
                "wrong", .disabled, "wrong: its settings are wrong: settings.tag_url: is missing.",
                "Correct settings.tag_url and reload the configuration."
            ),
        ]
        for (network, state, description, remedy) in expected {
            let status = registry.status(network)
            #expect(status.state == state)
            #expect(status.description == description)
            #expect(status.remedy == remedy)
            #expect(status.latency == nil)
            #expect(!status.isReady)
        }
        clock.advance(by: .milliseconds(51_300))
        #expect(
            registry.status("slow").description
                == "slow: set-up timed out after 10.0 s and goes on: set-up has waited 61.3 s for https://slow.test/probe; no answer."
        )
        latch.open()
    }

    @Test("T-1 five set-ups of 0, 0.5, 1, 2 and 3 s run side by side: all are ready after 3 s")
    func sideBySide() async {
        let registry = registry()
        let durations: [(NetworkID, Int)] = [("a", 0), ("b", 500), ("c", 1000), ("d", 2000), ("e", 3000)]
        registry.configure(durations.map { slow($0.0, .milliseconds($0.1)) }, catalog: .empty())
        await registry.wait(for: "a", .ready)
        // Four set-ups and their four time-outs; that of `a` is gone or going.
        await clock.sleepers(8)
        clock.advance(by: .milliseconds(600))
        await registry.wait(for: "b", .ready)
        #expect(registry.snapshot.readiness.description == "ready 2/5, waiting: c, d, e")
        for (network, step) in [("c", 400), ("d", 1000), ("e", 1000)] as [(NetworkID, Int)] {
            clock.advance(by: .milliseconds(step))
            await registry.wait(for: network, .ready)
        }
        await registry.waitUntilInitialized()
        let latencies = registry.snapshot.adapters.map(\.latency)
        #expect(latencies == [0, 600, 1000, 2000, 3000].map { .milliseconds($0) })
        #expect(registry.snapshot.initialization.elapsed == .seconds(3))
        #expect(registry.snapshot.readiness.description == "ready 5/5")
    }

    @Test("T-2 a hanging probe: starting at 9.5 s, timed out at 10 s, with network, step, length and remedy")
    func hangingProbe() async {
        let transport = StubTransport(clock: clock) { _ in .hang }
        let registry = registry()
        let context = AdapterContext(network: "gam", transport: transport, clock: clock)
        let probe = HTTPProbe(url: "https://ads.example/probe?key=secret")
        registry.configure([.entry("gam", WebAdapter(context: context, probe: probe))], catalog: .empty())
        await clock.sleepers(2)
        clock.advance(by: .milliseconds(9500))
        #expect(registry.status("gam").state == .starting)
        #expect(registry.status("gam").latency == nil)
        #expect(
            registry.status("gam").description
                == "gam: set-up has waited 9.5 s for https://ads.example/probe; no answer yet."
        )
        clock.advance(by: .milliseconds(500))
        let status = await registry.wait(for: "gam", .timedOut)
        #expect(status.description == "gam: set-up has waited 10.0 s for https://ads.example/probe; no answer.")
        #expect(status.remedy == "Check settings.probe_url or the network's status page.")
        #expect(!status.isReady && status.latency == nil && !status.isLate)
    }

    @Test("T-3 a closed port: failed at once, tried again with back-off, ready when it opens")
    func closedPort() async {
        let answers = Diary<Void>()
        let transport = StubTransport(clock: clock) { _ in
            answers.note(())
            return answers.entries.count <= 3
                ? .failure(TransportError(.connectionRefused, "127.0.0.1:1: connection refused."))
                : .response(InboundResponse(status: 204))
        }
        let registry = registry()
        let context = AdapterContext(network: "gam", transport: transport, clock: clock)
        let probe = HTTPProbe(url: "http://127.0.0.1:1/probe")
        registry.configure([.entry("gam", WebAdapter(context: context, probe: probe))], catalog: .empty())
        let first = await registry.wait(for: "gam", .failed)
        #expect(
            first.description == "gam: set-up failed after 1 try: the probe of http://127.0.0.1:1/probe failed: "
                + "127.0.0.1:1: connection refused. Next try in 0.5 s."
        )
        #expect(registry.snapshot.initialization.isComplete, "nobody is starting any more")

        clock.advance(by: .milliseconds(500))
        await answers.wait(for: 2)
        await registry.retryPlanned("gam", attempts: 2)
        clock.advance(by: .milliseconds(1000))
        await registry.retryPlanned("gam", attempts: 3)
        #expect(
            registry.status("gam").description
                == "gam: set-up failed after 3 tries: the probe of http://127.0.0.1:1/probe failed: "
                + "127.0.0.1:1: connection refused. Next try in 2.0 s."
        )
        #expect(registry.status("gam").remedy == "Check settings.probe_url or the network's status page.")
        clock.advance(by: .milliseconds(2000))
        let ready = await registry.wait(for: "gam", .ready)
        #expect(ready.attempts == 4)
        #expect(ready.lastError == nil)
        #expect(!ready.isLate)
    }

    @Test("T-4 readiness counts against min_ready and leaves disabled networks out")
    func readiness() async {
        let registry = registry(InitializationConfiguration(minReady: 2))
        let latch = Latch()
        registry.configure(
            [
                .entry("a", ScriptedAdapter()), stubborn("gam", latch), stubborn("audioco", latch),
                .entry("off", ScriptedAdapter()) { $0.isEnabled = false },
            ],
            catalog: .empty()
        )
        await registry.wait(for: "a", .ready)
        #expect(registry.snapshot.readiness.description == "ready 1/3, waiting: gam, audioco")
        #expect(!registry.snapshot.readiness.isEnough)
        latch.open()
        await registry.wait(for: "gam", .ready)
        #expect(registry.snapshot.readiness.isEnough)
    }
}

extension AdapterRegistry {
    /// Waits until the so-manieth try has failed and the next one is planned; a failed network does not change state.
    func retryPlanned(_ network: NetworkID, attempts: Int) async {
        await waitUntil { status(network).attempts == attempts && status(network).description.contains("Next try") }
    }
}
