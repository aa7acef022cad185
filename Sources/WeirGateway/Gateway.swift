internal import Synchronization
package import WeirAdapterKit
package import WeirMediation
package import WeirModel
package import WeirTime

/// The hall: the one place where the whole road of a request can be seen.
///
/// Knows no HTTP server: the API walks it, and so do tests. One value a process; requests run on any thread.
package final class Gateway: Sendable {
    /// What the gateway stands on.
    package struct Foundations: Sendable {
        /// The time.
        package var clock: any GatewayClock
        /// Frequency caps and pacing.
        package var caps: CapLedger
        /// Signs rewarded ads' presentation tokens.
        package var tokens: PresentationSigner
        /// Called with each answer, once, after the caller has it; must not block.
        package var record: @Sendable (AdResponse) -> Void
        /// Counts and logs.
        package var observer: any GatewayObserver

        /// Foundations.
        package init(
            clock: any GatewayClock,
            caps: CapLedger,
            tokens: PresentationSigner,
            observer: any GatewayObserver,
            record: @escaping @Sendable (AdResponse) -> Void
        ) {
            self.clock = clock
            self.caps = caps
            self.tokens = tokens
            self.observer = observer
            self.record = record
        }
    }

    /// What belongs to one call beside its body.
    package struct Call: Sendable {
        /// The request's id.
        package var requestID: RequestID
        /// When it arrived.
        package var arrival: ContinuousClock.Instant
        /// W3C trace context to pass on.
        package var traceParent: String?
        /// Whether to keep requests and replies for the caller.
        package var wantsTrace: Bool
        /// The VAST version wanted; `nil` takes the ad unit's.
        package var vastVersion: String?

        /// A call.
        package init(
            requestID: RequestID,
            arrival: ContinuousClock.Instant,
            traceParent: String? = nil,
            wantsTrace: Bool = false,
            vastVersion: String? = nil
        ) {
            self.requestID = requestID
            self.arrival = arrival
            self.traceParent = traceParent
            self.wantsTrace = wantsTrace
            self.vastVersion = vastVersion
        }
    }

    /// The longest that any request may take, whatever it asks for.
    package static let longestTimeout: Duration = .seconds(60)

    private let foundations: Foundations
    private let runner: WaterfallRunner
    private let serving: Mutex<ServingState>

    /// A gateway that serves `state`.
    package init(_ state: ServingState, on foundations: Foundations) {
        self.foundations = foundations
        runner = WaterfallRunner(clock: foundations.clock, caps: foundations.caps) { network in
            foundations.observer.lateResponse(from: network)
        }
        serving = Mutex(state)
    }

    /// What requests that arrive now are decided by.
    package var state: ServingState { serving.withLock { $0 } }

    /// Serves by `state` from now on; requests under way finish on the old one.
    package func serve(by state: ServingState) {
        serving.withLock { $0 = state }
    }

    /// Mediates one ad request.
    ///
    /// - Returns: The answer, within the request's time: a fill, or a no-fill that says why.
    /// - Throws: `unknownPlacement`; `cancelled` when the task was.
    package func serve(_ request: AdRequest, _ call: Call) async throws(GatewayError) -> AdResponse {
        let state = state
        let arrivedAt = foundations.clock.wallNow
        let (placement, adUnit) = try Self.find(request.placement, in: state.catalog)
        let deadline = Self.deadline(request, adUnit, call)
        let plan = plan(request, adUnit, state)
        let seed = seed(request, adUnit, state, call)
        let acceptance = AdAcceptance(
            state: state, placement: placement, seed: seed, call: call, clock: foundations.clock,
            tokens: foundations.tokens, observer: foundations.observer)
        let run = await runner.run(plan, seed: seed, arrival: call.arrival, deadline: deadline) {
            await acceptance.judge($0, of: $1, from: $2, deadline: $3)
        }
        guard !Task.isCancelled else {
            throw GatewayError(.cancelled, "The caller went away.", placement: request.placement)
        }
        let accepted = run.winner?.ad
        let response = AdResponse(
            requestID: call.requestID, placement: placement.id, adUnit: adUnit, ads: accepted?.ads ?? [],
            attempts: run.attempts, latency: call.arrival.duration(to: foundations.clock.now),
            configuration: state.catalog.version, arrivedAt: arrivedAt,
            expiresAt: accepted.map { foundations.clock.wallNow.advanced(by: $0.expires) },
            midpoints: accepted?.midpoints ?? [], trace: seed.trace?.exchanges)
        foundations.record(response)
        return response
    }

    /// What would be asked and why, calling no network.
    ///
    /// - Throws: `unknownPlacement`.
    package func explain(_ request: AdRequest) throws(GatewayError) -> Explanation {
        let state = state
        let (placement, adUnit) = try Self.find(request.placement, in: state.catalog)
        return Explanation(
            placement: placement, adUnit: adUnit, configuration: state.catalog.version,
            timeout: request.timeout ?? adUnit.timeout, plan: plan(request, adUnit, state))
    }

    private static func find(
        _ id: PlacementID,
        in catalog: Catalog
    ) throws(GatewayError) -> (Placement, AdUnit) {
        guard let placement = catalog.placement(id), let adUnit = catalog.adUnit(placement.adUnit) else {
            throw GatewayError(.unknownPlacement, "There is no placement \"\(id.text)\".", placement: id)
        }
        return (placement, adUnit)
    }

    private static func deadline(_ request: AdRequest, _ adUnit: AdUnit, _ call: Call) -> Deadline {
        Deadline(call.arrival.advanced(by: min(request.timeout ?? adUnit.timeout, longestTimeout)))
    }

    private func plan(_ request: AdRequest, _ adUnit: AdUnit, _ state: ServingState) -> WaterfallPlan {
        WaterfallPlan(
            adUnit: adUnit, request: request, networks: state.networks, caps: foundations.caps,
            now: foundations.clock.now)
    }

    private func seed(_ request: AdRequest, _ adUnit: AdUnit, _ state: ServingState, _ call: Call) -> AskSeed {
        AskSeed(
            requestID: call.requestID, request: request, adUnit: adUnit,
            isTest: request.isTest || state.catalog.environment == .development, traceParent: call.traceParent,
            trace: call.wantsTrace ? TraceRecorder() : nil)
    }
}
