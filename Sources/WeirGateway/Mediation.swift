internal import WeirAdapterKit
internal import WeirMediation
internal import WeirModel
internal import WeirTime

/// One ad request on its way: whom to ask for whom, until when, and what has been gathered.
///
/// A reference, because the request waits for networks and every function on the way would keep a copy otherwise.
final class Mediation: Sendable {
    let call: Gateway.Call
    let arrivedAt: WallTime
    let lineup: NetworkLineup
    let placement: Placement
    let plan: WaterfallPlan
    let seed: AskSeed
    let deadline: Deadline
    let acceptance: AdAcceptance
    let answer: GatheredAnswer

    init(
        call: Gateway.Call,
        arrivedAt: WallTime,
        lineup: NetworkLineup,
        placement: Placement,
        plan: WaterfallPlan,
        seed: AskSeed,
        deadline: Deadline,
        acceptance: AdAcceptance,
        answer: GatheredAnswer
    ) {
        self.call = call
        self.arrivedAt = arrivedAt
        self.lineup = lineup
        self.placement = placement
        self.plan = plan
        self.seed = seed
        self.deadline = deadline
        self.acceptance = acceptance
        self.answer = answer
    }

    /// The answer with what has been gathered.
    ///
    /// Not inlined: its values would lie in the memory of a task that waits for a network.
    @inline(never)
    func response(
        _ contents: GatheredAnswer.Contents,
        _ attempts: [Attempt],
        _ clock: any GatewayClock
    ) -> AdResponse {
        AdResponse(
            requestID: call.requestID,
            placement: placement.id,
            adUnit: seed.adUnit,
            ads: contents.ads,
            attempts: attempts.map(answer.withLeftOut),
            latency: call.arrival.duration(to: clock.now),
            configuration: lineup.catalog.version,
            arrivedAt: arrivedAt,
            expiresAt: contents.expires.map { clock.wallNow.advanced(by: $0) },
            midpoints: contents.midpoints,
            breaks: contents.breaks,
            spares: contents.spares,
            request: seed.request,
            trace: seed.trace?.exchanges
        )
    }
}
