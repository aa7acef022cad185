internal import WeirModel
internal import WeirTime

/// Where mid-rolls may stand: within the content (S4.42), and only where the caller asked for them, when it did (S4.43,
/// S4.44).
struct MidrollRule: Sendable {
    /// The mid-points asked for, in milliseconds; `nil` leaves them to the networks.
    let asked: [Int64]?
    private let contentEnd: Int64?

    init(_ request: AdRequest) {
        asked = request.midpointPositions
        contentEnd = request.content.duration?.milliseconds
    }

    /// Why no mid-roll may stand at `point`, in one sentence; `nil` when one may.
    func refusal(at point: Duration) -> String? {
        let point = point.milliseconds
        if let contentEnd, point > contentEnd {
            return "A mid-roll at \(point) ms lies behind the end of the content."
        }
        if let asked, !asked.contains(point) { return "No mid-roll was asked for at \(point) ms." }
        return nil
    }
}

extension AdRequest {
    /// The mid-points asked for as content positions in milliseconds; `nil` when the caller leaves them to the network.
    var midpointPositions: [Int64]? {
        switch midpoints {
        case nil: nil
        case .positions(let positions): positions.map(\.milliseconds)
        case .percent(let percents):
            // Percents of an unknown duration are nowhere.
            percents.compactMap { percent in
                guard let duration = content.duration, let micros = percent.micros else { return nil }
                // Rounded as the percentages of a VMAP are, so that both meet.
                return Int64((Double(duration.milliseconds) * Double(micros) / 100_000_000).rounded())
            }
        }
    }
}
