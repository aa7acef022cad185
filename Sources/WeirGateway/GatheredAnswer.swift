internal import WeirMediation
internal import WeirModel
internal import WeirTime

/// The answer to one request while line after line fills: one fill for a video, a whole programme for audio.
final class GatheredAnswer: Sendable {
    /// What goes to the caller.
    struct Contents: Sendable {
        /// In play order.
        var ads: [ServedAd] = []
        /// Ads that may stand in for others.
        var spares: [ServedAd] = []
        /// The breaks of a video's schedule.
        var breaks: [ServedBreak] = []
        /// Content positions where mid-rolls stand.
        var midpoints: [Duration] = []
        /// How long the first of them to expire may wait; `nil` when there is none.
        var expires: Duration?
    }

    private enum State {
        case single(AcceptedAds)
        case programme(AudioProgramme, leftOut: [LineItemID: [LeftOutAd]])
    }

    private let state: Lock<State>
    private let longestWait: Duration

    /// An answer that has nothing yet.
    init(adUnit: AdUnit, request: AdRequest) {
        longestWait = adUnit.expires
        state = Lock(
            adUnit.format == .audio
                ? .programme(AudioProgramme(adUnit: adUnit, request: request), leftOut: [:])
                : .single(AcceptedAds(offers: []))
        )
    }

    /// Takes a line item's ads, or says why none of them has a place.
    func add(_ accepted: AcceptedAds, of lineItem: LineItem) -> Gathered {
        state.withLock { state in
            switch state {
            case .single:
                state = .single(accepted)
                return .taken(isComplete: true)
            case .programme(var programme, var leftOut):
                let verdict = programme.add(accepted.offers, substitutes: accepted.spares)
                leftOut[lineItem.id] = verdict.leftOut
                let gathered: Gathered =
                    verdict.taken > 0 ? .taken(isComplete: programme.isComplete) : .left(verdict.outcome)
                state = .programme(programme, leftOut: leftOut)
                return gathered
            }
        }
    }

    /// What has been gathered.
    var contents: Contents {
        state.withLock { state in
            var contents = Contents()
            switch state {
            case .single(let accepted):
                contents.ads = accepted.ads
                contents.breaks = accepted.breaks
                contents.spares = accepted.spares
            case .programme(let programme, _):
                contents.ads = programme.ads
                contents.spares = programme.spares
                contents.midpoints = programme.midpoints
            }
            guard !contents.ads.isEmpty else { return contents }
            contents.expires = contents.ads.compactMap(\.expires).reduce(longestWait, min)
            return contents
        }
    }

    /// The attempt with what was left out of its line item's offers.
    func withLeftOut(_ attempt: Attempt) -> Attempt {
        state.withLock { state in
            guard case .programme(_, let leftOut) = state, let ads = leftOut[attempt.lineItem] else { return attempt }
            var complete = attempt
            complete.leftOut = ads
            return complete
        }
    }
}
