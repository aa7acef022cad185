import WeirAdapterKit
import WeirMediation
import WeirModel
import WeirTesting
import WeirTime

/// A registry with networks, an ad unit, and a runner: what a request needs.
struct Hall: Sendable {
    let clock = ManualClock()
    let caps = CapCounters()
    let late = Diary<NetworkID>()
    let asked = Diary<AdAsk>()
    let registry: AdapterRegistry
    let transport: StubTransport

    /// `answer` is what the transport of all web networks answers.
    init(answer: @escaping @Sendable (OutboundRequest) -> StubTransport.Reply = { _ in .response(.text("<VAST/>")) }) {
        registry = AdapterRegistry(clock: clock, random: { 1 })
        transport = StubTransport(clock: clock, answer: answer)
    }

    /// A network over the stub transport.
    func web(_ id: NetworkID, change: (inout Network) -> Void = { _ in }) -> RegistryEntry {
        .entry(id, WebAdapter(context: AdapterContext(network: id, transport: transport, clock: clock)), change: change)
    }

    /// A network that answers by a closure, with no transport to keep its deadline.
    func scripted(
        _ id: NetworkID,
        change: (inout Network) -> Void = { _ in },
        _ load: @escaping @Sendable (AdAsk) async throws(AdapterError) -> LoadOutcome
    ) -> RegistryEntry {
        .entry(
            id,
            ScriptedAdapter(onLoad: { ask throws(AdapterError) in
                asked.note(ask)
                return try await load(ask)
            }),
            change: change
        )
    }

    func ready(_ entries: [RegistryEntry]) async {
        registry.configure(entries, catalog: .empty())
        await registry.wait { $0.adapters.allSatisfy { $0.state != .starting } }
    }

    /// Runs one request; every offer is an ad at its own price unless `accept` says otherwise.
    func run(
        _ rungs: [Rung],
        timeout: Duration = .seconds(1),
        request: AdRequest = AdRequest(placement: "p"),
        accept: @escaping WaterfallRunner.Accept<Offer> = { offers, _, _, _ in
            offers.first.map { .accepted($0, price: $0.price) }
                ?? .refused(AttemptOutcome(.rejected, .noMarkup, "Nothing there."))
        }
    ) async -> WaterfallResult<Offer> {
        var unit = AdUnit(id: "u", format: .video)
        unit.waterfall = rungs
        return await run(unit, timeout: timeout, request: request, accept: accept)
    }

    func run(
        _ unit: AdUnit,
        timeout: Duration,
        request: AdRequest = AdRequest(placement: "p"),
        accept: @escaping WaterfallRunner.Accept<Offer>
    ) async -> WaterfallResult<Offer> {
        let lineup = registry.lineup
        let plan = WaterfallPlan(
            adUnit: unit,
            request: request,
            facts: PlanFacts(lineup: lineup, caps: caps, placement: request.placement, clock: clock)
        )
        return await WaterfallRunner(clock: clock, caps: caps, onLate: { late.note($0) }).run(
            plan,
            seed: AskSeed(requestID: "r", request: request, adUnit: unit),
            lineup: lineup,
            arrival: clock.now,
            deadline: .after(timeout, clock: clock),
            accept: accept
        )
    }
}

extension LineItem {
    static func line(
        _ id: LineItemID,
        _ network: NetworkID,
        timeout milliseconds: Int? = nil,
        rate: Money? = nil,
        change: (inout LineItem) -> Void = { _ in }
    ) -> LineItem {
        var item = LineItem(id: id, network: network, networkUnit: id.text)
        item.timeout = milliseconds.map { .milliseconds($0) }
        item.rate = rate
        change(&item)
        return item
    }
}

extension Rung {
    static func ask(_ id: LineItemID, _ network: NetworkID, timeout: Int? = nil, rate: Money? = nil) -> Rung {
        .line(.line(id, network, timeout: timeout, rate: rate))
    }
}

extension WaterfallResult {
    /// `line result(reason)` for each attempt.
    var story: [String] {
        attempts.map { "\($0.lineItem) \($0.outcome.result.rawValue)(\($0.outcome.reason.rawValue))" }
    }

    var latencies: [Int64] { attempts.map(\.latency.milliseconds) }
    var starts: [Int64?] { attempts.map { $0.start?.milliseconds } }
}
