package import WeirAdapterKit
package import WeirMediation
package import WeirModel
package import WeirStore
package import WeirTime
internal import WeirVAST

/// The hall: the one place where the whole road of a request can be seen.
///
/// Knows no HTTP server: the API walks it, and so do tests. One value a process; requests run on any thread.
package final class Gateway: Sendable {
    /// What the gateway stands on.
    package struct Foundations: Sendable {
        /// The time.
        package var clock: any GatewayClock
        /// The running adapters, and the catalogue that requests are decided by.
        package var adapters: AdapterRegistry
        /// Frequency caps and pacing.
        package var caps: any CapCounting
        /// The way to a network, for wrappers and beacons; keeps to the network's own addresses.
        package var transport: @Sendable (Network) -> any HTTPTransport
        /// Signs rewarded ads' presentation tokens.
        package var tokens: PresentationSigner
        /// Keeps the records of rewarded ads that are handed out; `nil` keeps none.
        package var rewards: RewardDesk?
        /// Keeps the beacons that are owed until they are sent; `nil` has them in memory alone.
        package var beaconStore: (any BeaconStore)?
        /// Counts and logs.
        package var observer: any GatewayObserver

        /// Foundations.
        package init(
            clock: any GatewayClock,
            adapters: AdapterRegistry,
            caps: any CapCounting,
            transport: @escaping @Sendable (Network) -> any HTTPTransport,
            tokens: PresentationSigner,
            rewards: RewardDesk? = nil,
            beaconStore: (any BeaconStore)? = nil,
            observer: any GatewayObserver
        ) {
            self.clock = clock
            self.adapters = adapters
            self.caps = caps
            self.transport = transport
            self.tokens = tokens
            self.rewards = rewards
            self.beaconStore = beaconStore
            self.observer = observer
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

    /// The playback sessions.
    package let sessions: SessionHost
    /// What is owed to trackers.
    package let beacons: BeaconQueue

    private let foundations: Foundations
    /// What bidders are told.
    package let notices: NoticeDesk

    private let runner: WaterfallRunner

    /// A gateway on `foundations`, with sessions for `formats`.
    package init(on foundations: Foundations, formats: SessionFormats = .standard) {
        self.foundations = foundations
        let beacons = BeaconQueue(
            clock: foundations.clock,
            store: foundations.beaconStore,
            observer: foundations.observer
        ) { network in
            let known = foundations.adapters.lineup.catalog.network(network)
            // A network that was taken out of the configuration is still owed its beacons, with no private address.
            return foundations.transport(known ?? Network(id: network, adapter: ""))
        }
        let notices = NoticeDesk(foundations, beacons: beacons)
        self.notices = notices
        self.beacons = beacons
        sessions = SessionHost(foundations, formats: formats, beacons: beacons, notices: notices)
        runner = WaterfallRunner(
            clock: foundations.clock,
            caps: foundations.caps,
            onLate: { foundations.observer.lateResponse(from: $0) },
            onNoFill: { noFill, handle in
                guard !noFill.errorURLs.isEmpty else { return }
                // VAST 4.3 §3.2.1: the root's Error is told 303, no ad.
                let expander = MacroExpander(
                    context: MacroContext().setting(error: .noAdAfterWrappers),
                    clock: foundations.clock
                )
                beacons.ping(noFill.errorURLs.map { expander.expand($0) }, for: handle.network.id)
            },
            onLosses: { notices.send($0, .loss, of: $1.network.id) }
        )
    }

    /// Mediates one ad request, by the configuration that is in force when it arrives.
    ///
    /// - Returns: The answer, within the request's time: a fill, or a no-fill that says why.
    /// - Throws: `unknownPlacement`; `cancelled` when the task was.
    package func serve(_ request: AdRequest, _ call: Call) async throws(GatewayError) -> AdResponse {
        let mediation = try mediation(of: request, call)
        let run = await run(mediation)
        let contents = try settle(mediation, run)
        await commit(contents, mediation)
        return mediation.response(contents, run.attempts, foundations.clock)
    }

    /// What is decided before anybody is asked.
    ///
    /// Not inlined, like the other parts of the way: their values would lie in the memory of a task that waits.
    @inline(never)
    private func mediation(of request: AdRequest, _ call: Call) throws(GatewayError) -> Mediation {
        let lineup = foundations.adapters.lineup
        let (placement, adUnit) = try Self.find(request.placement, in: lineup.catalog)
        let plan = WaterfallPlan(adUnit: adUnit, request: request, facts: facts(lineup, request.placement))
        let seed = seed(request, adUnit, lineup.catalog, call)
        return Mediation(
            call: call,
            arrivedAt: foundations.clock.wallNow,
            lineup: lineup,
            placement: placement,
            plan: plan,
            seed: seed,
            deadline: Self.deadline(request, adUnit, call),
            acceptance: AdAcceptance(
                call: call,
                placement: placement,
                adUnit: adUnit,
                request: seed.request,
                viewer: request,
                isTest: seed.isTest,
                trace: seed.trace,
                wrapperDepth: lineup.catalog.wrapperDepth,
                prices: plan.prices,
                fetches: lineup.catalog.fetches,
                foundations: foundations,
                beacons: beacons
            ),
            answer: GatheredAnswer(adUnit: adUnit, request: request)
        )
    }

    private func run(_ mediation: Mediation) async -> WaterfallResult<AcceptedAds> {
        await runner.run(
            mediation.plan,
            seed: mediation.seed,
            lineup: mediation.lineup,
            arrival: mediation.call.arrival,
            deadline: mediation.deadline,
            gather: { mediation.answer.add($0, of: $1) }
        ) {
            await mediation.acceptance.judge($0, of: $1, from: $2, deadline: $3)
        }
    }

    /// What goes to the caller; bidders hear what became of their bids.
    @inline(never)
    private func settle(
        _ mediation: Mediation,
        _ run: WaterfallResult<AcceptedAds>
    ) throws(GatewayError) -> GatheredAnswer.Contents {
        guard !Task.isCancelled else {
            var nothing = GatheredAnswer.Contents()
            notices.settle(run.bidders, &nothing, of: mediation.call.requestID)
            throw GatewayError(.cancelled, "The caller went away.", placement: mediation.placement.id)
        }
        var contents = mediation.answer.contents
        notices.settle(run.bidders, &contents, of: mediation.call.requestID)
        return contents
    }

    /// Writes down what the ads will owe once they are shown, and what a viewer is promised; most ads are none of both.
    private func commit(_ contents: GatheredAnswer.Contents, _ mediation: Mediation) async {
        await notices.keep(contents.ads, contents.spares, until: mediation.deadline)
        if let token = contents.ads.first?.presentationToken {
            let mode = mediation.seed.adUnit.rewardMode
            await foundations.rewards?.handedOut(token, mode: mode, until: mediation.deadline)
        }
    }

    /// What would be asked and why, calling no network.
    ///
    /// - Throws: `unknownPlacement`.
    package func explain(_ request: AdRequest) throws(GatewayError) -> Explanation {
        let lineup = foundations.adapters.lineup
        let (placement, adUnit) = try Self.find(request.placement, in: lineup.catalog)
        return Explanation(
            placement: placement,
            adUnit: adUnit,
            configuration: lineup.catalog.version,
            timeout: Self.timeout(request, adUnit),
            plan: WaterfallPlan(
                adUnit: adUnit,
                request: request,
                facts: facts(lineup, request.placement),
                explains: true
            )
        )
    }

    private func facts(_ lineup: NetworkLineup, _ placement: PlacementID) -> PlanFacts {
        PlanFacts(lineup: lineup, caps: foundations.caps, placement: placement, clock: foundations.clock)
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
        Deadline(call.arrival.advanced(by: timeout(request, adUnit)))
    }

    private static func timeout(_ request: AdRequest, _ adUnit: AdUnit) -> Duration {
        min(request.timeout ?? adUnit.timeout, longestTimeout)
    }

    /// What every ask of this request has in common; personal data is gone from it where consent demands that.
    private func seed(_ request: AdRequest, _ adUnit: AdUnit, _ catalog: Catalog, _ call: Call) -> AskSeed {
        var request = request
        if adUnit.format == .rewarded {
            // Comes back in the network's callback and names the view; the caller's own text waits in the ledger.
            request.user.customData = foundations.tokens.nonce(call.requestID)
        }
        return AskSeed(
            requestID: call.requestID,
            request: request,
            adUnit: adUnit,
            isTest: request.isTest || catalog.environment == .development,
            traceParent: call.traceParent,
            trace: call.wantsTrace ? TraceRecorder() : nil
        )
    }
}
