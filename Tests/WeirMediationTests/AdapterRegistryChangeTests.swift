import Testing
import WeirAdapterKit
import WeirMediation
import WeirModel
import WeirTesting
import WeirTime

@Suite("AdapterRegistry, changes", .timeLimit(.minutes(10)))
struct AdapterRegistryChangeTests {
    let clock = ManualClock()
    let events = Diary<AdapterEvent>()
    let diary = Diary<String>()

    private func registry() -> AdapterRegistry {
        AdapterRegistry(clock: clock, random: { 1 }, events: { events.note($0) })
    }

    /// A network that writes its set-ups and tear-downs down.
    private func noted(_ id: NetworkID, fingerprint: String = "1") -> RegistryEntry {
        .entry(
            id,
            fingerprint: fingerprint,
            ScriptedAdapter(
                onSetUp: { _ throws(SetUpFailure) in diary.note("\(id)\(fingerprint) up") },
                onTearDown: { diary.note("\(id)\(fingerprint) down") }
            )
        )
    }

    private func isReady(_ snapshot: AdaptersSnapshot) -> Bool {
        snapshot.adapters.allSatisfy(\.isReady) && snapshot.retiring == 0
    }

    @Test("a reload leaves networks with an unchanged fingerprint as they are")
    func unchanged() async {
        let registry = registry()
        registry.configure([noted("a"), noted("b")], catalog: .empty("v1"))
        await registry.wait(until: isReady)
        let before = registry.lineup
        registry.configure([noted("a"), noted("b", fingerprint: "2"), noted("c")], catalog: .empty("v2"))
        await registry.wait { $0.adapters.allSatisfy(\.isReady) }
        #expect(registry.lineup["a"] === before["a"])
        #expect(registry.lineup["b"] !== before["b"])
        #expect(registry.lineup.catalog.version == "v2")
        #expect(before.catalog.version == "v1")
        #expect(Set(diary.entries) == ["a1 up", "b1 up", "b2 up", "c1 up"], "b1 is still held by a line-up")
    }

    @Test("a replaced adapter is torn down once, when the last request that may ask it has ended")
    func drain() async {
        let registry = registry()
        registry.configure([noted("a")], catalog: .empty())
        await registry.wait(until: isReady)
        var lineup: NetworkLineup? = registry.lineup
        let handle = lineup!["a"]!
        guard case .ask(let permit) = handle.admit(for: "p") else {
            Issue.record("not admitted")
            return
        }
        registry.configure([noted("a", fingerprint: "2")], catalog: .empty())
        await registry.wait { $0.adapters.allSatisfy(\.isReady) }
        #expect(handle.status.description == "a: draining; 1 request is still under way.")
        #expect(registry.snapshot.retiring == 1)
        handle.record(permit, .healthy, for: "p")
        handle.loadEnded(wasLeftBehind: false)
        #expect(handle.status.description == "a: draining; no request is under way.")
        lineup = nil
        await registry.wait(until: isReady)
        #expect(diary.entries == ["a1 up", "a2 up", "a1 down"])
        #expect(handle.adapterState == .stopped)
        #expect(
            handle.admit(for: "p") == .refuse(AttemptOutcome(.skipped, .notReady, "a has been stopped."), retryAt: nil)
        )
    }

    @Test("a removed network is torn down")
    func removed() async {
        let registry = registry()
        registry.configure([noted("a"), noted("b")], catalog: .empty())
        await registry.wait(until: isReady)
        registry.configure([noted("b")], catalog: .empty())
        await diary.wait(for: 3)
        #expect(diary.entries.last == "a1 down")
        #expect(registry.snapshot.adapters.map(\.network) == ["b"])
        #expect(registry.lineup["a"] == nil)
    }

    @Test("a network added by a reload has 10 s of its own and does not touch the initialization")
    func ownTime() async {
        let latch = Latch()
        let registry = registry()
        registry.configure([noted("a")], catalog: .empty())
        await registry.wait(until: isReady)
        let initialization = registry.snapshot.initialization
        clock.advance(by: .seconds(60))
        let hanging = RegistryEntry.entry(
            "b",
            ScriptedAdapter(onSetUp: { _ throws(SetUpFailure) in await latch.wait() })
        )
        registry.configure([noted("a"), hanging], catalog: .empty())
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(9999))
        #expect(registry.status("b").state == .starting)
        clock.advance(by: .milliseconds(1))
        await registry.wait(for: "b", .timedOut)
        #expect(registry.snapshot.initialization == initialization)
        latch.open()
    }

    @Test("a reload during the initialization does not wait for what it removed")
    func reloadDuringInitialization() async {
        let latch = Latch()
        let registry = registry()
        let hanging = RegistryEntry.entry(
            "b",
            ScriptedAdapter(onSetUp: { _ throws(SetUpFailure) in await latch.wait() })
        )
        registry.configure([noted("a"), hanging], catalog: .empty())
        await registry.wait(for: "a", .ready)
        #expect(!registry.snapshot.initialization.isComplete)
        registry.configure([noted("a")], catalog: .empty())
        await registry.waitUntilInitialized()
        #expect(registry.snapshot.initialization.timedOut == [])
        latch.open()
    }

    @Test("a cancelled set-up that does not end is left behind and counted until it ends")
    func leftBehind() async {
        let latch = Latch()
        let registry = registry()
        let hanging = RegistryEntry.entry(
            "a",
            ScriptedAdapter(
                onSetUp: { _ throws(SetUpFailure) in await latch.wait() },
                onTearDown: { diary.note("down") }
            )
        )
        registry.configure([hanging], catalog: .empty())
        await clock.sleepers(1)
        registry.configure([noted("b")], catalog: .empty())
        await registry.wait { $0.status(of: "b")?.isReady == true }
        #expect(registry.snapshot.leftBehind == 0)
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        await registry.wait { $0.leftBehind == 1 }
        #expect(events.entries.contains(.setUpLeftBehind("a")))
        #expect(diary.entries == ["b1 up"])
        latch.open()
        await registry.wait { $0.leftBehind == 0 && $0.retiring == 0 }
        #expect(diary.entries == ["b1 up", "down"])
    }

    @Test("a restart of a hanging network begins anew at once with a new adapter")
    func restart() async {
        let latch = Latch()
        let tries = Diary<Void>()
        let registry = registry()
        registry.configure(
            [
                .entry(
                    "a",
                    ScriptedAdapter(onSetUp: { _ throws(SetUpFailure) in
                        tries.note(())
                        if tries.entries.count == 1 { await latch.wait() }
                    })
                )
            ],
            catalog: .empty()
        )
        await tries.wait(for: 1)
        #expect(registry.restart("a"))
        await registry.wait(for: "a", .ready)
        #expect(registry.status("a").attempts == 1)
        #expect(!registry.restart("nobody"))
        latch.open()
    }

    @Test("an operator can disable a network, and enable it again; a reload without a change keeps the decision")
    func disable() async {
        let registry = registry()
        registry.configure([noted("a")], catalog: .empty())
        await registry.wait(until: isReady)
        #expect(registry.disable("a"))
        #expect(registry.status("a").state == .disabled)
        #expect(registry.status("a").description == "a: disabled by an operator.")
        #expect(registry.status("a").remedy == "Enable it with POST /v1/adapters/a/enable.")
        await diary.wait(for: 2)
        registry.restart("a")
        registry.configure([noted("a")], catalog: .empty())
        #expect(registry.status("a").state == .disabled)
        #expect(registry.enable("a"))
        await registry.wait(for: "a", .ready)
        #expect(diary.entries == ["a1 up", "a1 down", "a1 up"])
    }

    @Test("a network that the configuration disables can be enabled, one without an adapter cannot")
    func enable() async {
        let registry = registry()
        let unknown = RegistryEntry(
            network: Network(id: "odd", adapter: "vsat"),
            fingerprint: "1",
            source: .unavailable(Unavailability(.unknownAdapter, "no adapter is called vsat"))
        )
        registry.configure(
            [.entry("off", ScriptedAdapter()) { $0.isEnabled = false }, unknown],
            catalog: .empty()
        )
        await registry.waitUntilInitialized()
        #expect(registry.enable("off") && registry.enable("odd"))
        await registry.wait(for: "off", .ready)
        #expect(registry.status("odd").state == .disabled)
        #expect(registry.status("odd").description == "odd: no adapter is called vsat.")
    }

    @Test("the first of two entries with one id counts")
    func doubled() async {
        let registry = registry()
        registry.configure([noted("a"), noted("a", fingerprint: "2")], catalog: .empty())
        await registry.wait(until: isReady)
        #expect(registry.snapshot.adapters.count == 1)
        #expect(diary.entries == ["a1 up"])
    }

    @Test("a shutdown tears everything down and takes no configuration any more")
    func shutDown() async {
        let registry = registry()
        registry.configure([noted("a"), noted("b")], catalog: .empty())
        await registry.wait(until: isReady)
        let left = await registry.shutDown(.after(.seconds(5), clock: clock))
        #expect(left == 0)
        #expect(Set(diary.entries.suffix(2)) == ["a1 down", "b1 down"])
        #expect(registry.snapshot.adapters.map(\.state) == [.stopped, .stopped])
        #expect(registry.lineup.handles.isEmpty)
        registry.configure([noted("c")], catalog: .empty())
        #expect(registry.snapshot.adapters.map(\.network) == ["a", "b"])
        #expect(!registry.restart("a"))
    }

    @Test("a shutdown leaves behind what does not end by its deadline, and says how many")
    func stubbornShutDown() async {
        let latch = Latch()
        let registry = registry()
        registry.configure(
            [.entry("a", ScriptedAdapter(onTearDown: { await latch.wait() })), noted("b")],
            catalog: .empty()
        )
        await registry.wait(until: isReady)
        async let left = registry.shutDown(.after(.seconds(2), clock: clock))
        await registry.wait { $0.status(of: "b")?.state == .stopped }
        await clock.sleepers(2)
        clock.advance(by: .seconds(2))
        #expect(await left == 1)
        clock.advance(by: .seconds(3))
        await registry.wait { $0.retiring == 0 }
        #expect(events.entries.contains(.tearDownLeftBehind("a")))
        latch.open()
    }

    @Test("a slow reader of changes gets the newest, and one too many gets one snapshot and the end")
    func watchers() async {
        let registry = registry()
        var first = registry.changes().makeAsyncIterator()
        registry.configure([noted("a")], catalog: .empty())
        await registry.wait(until: isReady)
        var newest = await first.next()
        while newest?.adapters.first?.isReady != true { newest = await first.next() }
        let streams = (0..<AdapterRegistry.maxWatchers).map { _ in registry.changes() }
        var count = 0
        for await _ in registry.changes() { count += 1 }
        #expect(count == 1)
        withExtendedLifetime((streams, first)) {}
    }

    @Test("readers who go away make room for others")
    func watchersGo() async {
        let registry = registry()
        registry.configure([], catalog: .empty())
        for _ in 0..<AdapterRegistry.maxWatchers * 3 {
            for await _ in registry.changes() { break }
        }
        var iterator = registry.changes().makeAsyncIterator()
        _ = await iterator.next()
        registry.configure([noted("a")], catalog: .empty())
        #expect(await iterator.next() != nil)
    }

    @Test("waiting for the initialization ends when the waiting task is cancelled")
    func cancelledWait() async {
        let registry = registry()
        let task = Task { await registry.waitUntilInitialized() }
        task.cancel()
        await task.value
        #expect(!registry.snapshot.initialization.isComplete)
    }

    @Test("changes from many threads at once leave one adapter a network, and everybody else torn down")
    func storm() async {
        let ups = Diary<Void>()
        let downs = Diary<Void>()
        let registry = registry()
        @Sendable func entry(_ fingerprint: Int) -> RegistryEntry {
            .entry(
                "a",
                fingerprint: "\(fingerprint)",
                ScriptedAdapter(
                    onSetUp: { _ throws(SetUpFailure) in ups.note(()) },
                    onTearDown: { downs.note(()) }
                )
            )
        }
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                group.addTask {
                    switch index % 4 {
                    case 0: registry.configure([entry(index)], catalog: .empty("\(index)"))
                    case 1: registry.restart("a")
                    case 2: registry.disable("a")
                    default: registry.enable("a")
                    }
                    _ = registry.lineup["a"]?.admitAndEnd()
                    _ = registry.snapshot
                }
            }
        }
        registry.enable("a")
        await registry.wait(for: "a", .ready)
        await registry.wait { $0.retiring == 0 }
        #expect(downs.entries.count == ups.entries.count - 1)
        await registry.shutDown(.after(.seconds(5), clock: clock))
        #expect(downs.entries.count == ups.entries.count)
    }
}

extension NetworkHandle {
    func admitAndEnd() {
        guard case .ask(let permit) = admit(for: "p") else { return }
        record(permit, .healthy, for: "p")
        loadEnded(wasLeftBehind: false)
    }
}
