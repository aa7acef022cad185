internal import WeirAdapterKit
internal import WeirModel

/// What an adapter did when a fault was sent.
struct FaultObservation: Sendable {
    /// How its call ended.
    enum End: Sendable {
        case outcome(LoadOutcome)
        case error(AdapterError)
        /// Not at all, long after its time was up.
        case stuck
    }

    var end: End
    var elapsed: Duration
    var exchanges: [Conversation.Exchange]

    /// The offers of a fill that can be used; empty for everything else.
    var offers: [Offer] {
        if case .outcome(.fill(let offers)) = end { offers.filter { $0.refusal == nil } } else { [] }
    }

    /// Whether it is a fill with something to use.
    var isFill: Bool { !offers.isEmpty }

    /// Whether it is what else a good answer offers, unchanged, and the ad that was distorted is not there.
    func isRest(of good: GoodAnswer) -> Bool {
        isFill && offers.count < good.offers.count && offers.allSatisfy(good.offers.contains)
    }

    /// Whether the answer was refused: it is neither an ad nor a proper no-fill.
    var isRefusal: Bool { result == .badResponse || result == .rejected }

    /// The result that the attempt would have; `nil` when the call did not end.
    var result: AttemptResult? { verdict?.result }

    /// What the attempt would say, a fill of refused offers being what the first of them is.
    private var verdict: (result: AttemptResult, reason: Reason)? {
        switch end {
        case .outcome(.fill(let all)):
            guard offers.isEmpty, let refusal = all.lazy.compactMap(\.refusal).first else { return (.fill, .fill) }
            return (refusal.result, refusal.reason)
        case .outcome(.noFill(let noFill)): return (.noFill, noFill.reason)
        case .error(let error): return (error.outcome.result, error.outcome.reason)
        case .stuck: return nil
        }
    }

    /// In few words: `no_fill(http_204)`.
    var said: String {
        guard let verdict else { return "did not end" }
        guard verdict.result == .fill else {
            let said = "\(verdict.result.rawValue)(\(verdict.reason.rawValue))"
            // What the program did wrong stands in no list: only the sentence says it.
            if verdict.result == .crash, case .error(let error) = end { return "\(said): \(error.outcome.message)" }
            return said
        }
        let price = offers.count == 1 ? offers[0].price.map { " at \($0)" } ?? "" : ""
        return "fill (\(offers.count) \(offers.count == 1 ? "offer" : "offers")\(price))"
    }

    /// Every word of it that people may come to read.
    var words: [String] {
        switch end {
        case .outcome(.fill(let offers)): offers.flatMap { [$0.id, $0.title].compactMap(\.self) }
        case .outcome(.noFill(let noFill)):
            [noFill.message, noFill.networkCode, noFill.networkMessage].compactMap(\.self)
        case .error(let error):
            [error.outcome.message, error.outcome.networkCode, error.outcome.networkMessage].compactMap(\.self)
        case .stuck: []
        }
    }
}

/// Whether an adapter bore a fault.
enum FaultVerdict: Sendable {
    /// It did what it must; in few words what that was.
    case passed(String)
    /// It did not; the fix, where it is not the fault's own.
    case failed(String, fix: String? = nil)
    /// There was nothing to send; why.
    case notApplicable(String)
}
