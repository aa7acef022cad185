internal import WeirGateway
internal import WeirModel
internal import WeirPlayback

/// What goes wrong with sessions.
extension Problem {
    init(_ obstacle: SessionHost.Obstacle, placement: PlacementID) {
        switch obstacle {
        case .unknownPlacement: self = .unknownPlacement("There is no placement \"\(placement.text)\".")
        case .unsupportedFormat(let format):
            self = Problem(
                status: 422,
                code: "format_without_sessions",
                title: "No sessions for this format",
                detail: "Ads of format \(format.rawValue) have no playback sessions; ask /v1/ads."
            )
        case .badOpening(let refusal):
            let member = refusal.member.map { RequestProblem(path: $0.path, message: $0.message) }
            self = .badRequest(BadRequest(problems: [member ?? RequestProblem(path: "", message: refusal.message)]))
        case .full(let retryAfter):
            let seconds = max(1, retryAfter.components.seconds)
            self = Problem(
                status: 429,
                code: "too_many_sessions",
                title: "Too many sessions",
                detail: "The gateway keeps no more sessions at once; try again in \(seconds) s.",
                headers: [Field(name: "Retry-After", value: String(seconds))]
            )
        }
    }

    init(_ missing: SessionHost.Missing) {
        switch missing {
        case .unknown: self = .notFound("such session")
        case .gone:
            self = Problem(
                status: 410,
                code: "session_gone",
                title: "The session is gone",
                detail: "It was ended, was silent for too long, or the gateway was restarted since. "
                    + "Play the content, and open a new session with POST /v1/sessions."
            )
        }
    }

    static let tooManyFollowers = Problem(
        status: 429,
        code: "too_many_followers",
        title: "Too many followers",
        detail: "Too many streams follow this session already; close one.",
        headers: [Field(name: "Retry-After", value: "1")]
    )
}
