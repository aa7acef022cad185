internal import WeirAdapterKit
internal import WeirJSON
internal import WeirTime

/// Follows a case's steps: compares what an adapter sends, says what is answered, and gathers what differs.
final class CaseScript: Sendable {
    /// How the difference begins that says that there was no adapter to play with.
    static let refusedSettings = "the adapter refuses the settings:"

    private struct State {
        var next = 0
        var lines: [JSONValue] = []
        var matcher = CaseMatcher()
        var complaints: [String] = []
    }

    private let subject: AdapterCase
    private let state = Lock(State())

    init(_ subject: AdapterCase) {
        self.subject = subject
    }

    /// Keeps a line of the adapter's log.
    func log(_ line: String) {
        state.withLock { $0.lines.append(.string(line)) }
    }

    /// Adds what differs in the runner's own eyes.
    func complain(_ sentence: String) {
        state.withLock { $0.complaints.append(sentence) }
    }

    /// The answer to the next request; `nil` when no step expects it.
    func reply(to request: OutboundRequest) -> CaseReply? {
        state.withLock { state in
            guard subject.steps.indices.contains(state.next) else {
                state.complaints.append("the adapter sent a request that no step expects: \(request.url)")
                return nil
            }
            let step = subject.steps[state.next]
            let path = JSONPath.root.key("steps").index(state.next)
            state.matcher.compare(
                step.expect,
                request.caseValue(
                    splitsQuery: step.expect["query"] != nil,
                    splitsForm: step.expect["body"]?.object != nil
                ),
                at: path.key("expect")
            )
            state.next += 1
            return CaseReply(step.reply, directory: subject.directory)
        }
    }

    /// All that differs from the case, `actual` being what came of it.
    func differences(_ actual: JSONValue) -> [String] {
        state.withLock { state in
            var actual = actual.object ?? JSONObject()
            if subject.outcome["settings_error"] == nil, let error = actual["settings_error"] {
                let (path, message) = (error["path"]?.string ?? "", error["message"]?.string ?? "")
                return ["\(Self.refusedSettings) \(path) \(message)"]
            }
            if let reason = actual["set_up_failure"]?.string { return ["the adapter could not be set up: \(reason)"] }
            if !state.lines.isEmpty { actual["log"] = .array(state.lines) }
            state.matcher.compare(subject.outcome, .object(actual), at: .root.key("outcome"))
            if state.next < subject.steps.count {
                let count = subject.steps.count - state.next
                state.complaints.append("\(count) \(count == 1 ? "step was" : "steps were") never reached")
            }
            var differences = state.complaints + state.matcher.differences
            // Which field was missing, which word is unknown: the adapter's own sentence says what the reason does not.
            let isOther = ["result", "reason"].contains { key in
                subject.outcome[key].map { $0 != actual[key] && $0.string?.hasPrefix("$") != true } ?? false
            }
            if isOther, subject.outcome["message"] == nil, let words = actual["message"]?.string {
                differences.append("it says: \(words)")
            }
            return differences
        }
    }
}
