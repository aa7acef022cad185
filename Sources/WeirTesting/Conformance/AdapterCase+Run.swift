public import WeirAdapterKit
internal import WeirJSON
internal import WeirModel
internal import WeirTime

extension AdapterCase {
    /// Plays the case against an adapter of `factory`, without any socket.
    ///
    /// - Returns: What differs from the case, one sentence each; nothing when the adapter does as the case says.
    public func run(_ factory: AdapterFactory) async -> [String] {
        let clock = ManualClock()
        let script = CaseScript(self)
        let transport = StubTransport(clock: clock) { script.answer($0) }
        let context = AdapterContext(network: "network", transport: transport, clock: clock) { script.log($0) }
        let actual: JSONValue
        do {
            let adapter = try factory.make(settings, context)
            actual = await outcome(of: adapter, AdAsk(ask, clock: clock))
        } catch {
            actual = ["settings_error": ["path": .string(error.path), "message": .string(error.message)]]
        }
        return script.differences(outcome: outcome, actual)
    }

    private func outcome(of adapter: any NetworkAdapter, _ ask: AdAsk) async -> JSONValue {
        do throws(AdapterError) {
            return try await adapter.load(ask).caseValue
        } catch {
            return error.caseValue
        }
    }
}

/// Answers an adapter's requests from a case's steps and gathers what differs.
private final class CaseScript: Sendable {
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

    func log(_ line: String) {
        state.withLock { $0.lines.append(.string(line)) }
    }

    func answer(_ request: OutboundRequest) -> StubTransport.Reply {
        let step = state.withLock { state -> AdapterCase.Step? in
            guard subject.steps.indices.contains(state.next) else {
                state.complaints.append("the adapter sent a request that no step expects: \(request.url)")
                return nil
            }
            let step = subject.steps[state.next]
            let path = JSONPath.root.key("steps").index(state.next)
            state.matcher.compare(
                step.expect,
                request.caseValue(splitsQuery: step.expect["query"] != nil),
                at: path.key("expect")
            )
            state.next += 1
            return step
        }
        guard let step else { return .failure(TransportError(.reset, "no step")) }
        return reply(step.reply)
    }

    private func reply(_ reply: JSONValue) -> StubTransport.Reply {
        if let kind = reply["failure"]?.string.flatMap(TransportError.Kind.init) {
            return .failure(TransportError(kind, "ads.example failed: \(kind.rawValue)."))
        }
        do {
            return .response(
                InboundResponse(
                    status: reply["status"]?.int ?? 200,
                    headers: (reply["headers"]?.object?.members ?? []).map {
                        HTTPHeader($0.key, $0.value.string ?? "")
                    },
                    body: try body(reply)
                )
            )
        } catch {
            state.withLock { $0.complaints.append("\(error)") }
            return .failure(TransportError(.reset, "no body"))
        }
    }

    private func body(_ reply: JSONValue) throws -> [UInt8] {
        if let file = reply["body_file"]?.string { return try TextFile.read("\(subject.directory)/\(file)") }
        return reply["body"].map { Array(($0.string ?? $0.encodedText).utf8) } ?? []
    }

    func differences(outcome: JSONValue, _ actual: JSONValue) -> [String] {
        state.withLock { state in
            var actual = actual.object ?? JSONObject()
            if !state.lines.isEmpty { actual["log"] = .array(state.lines) }
            state.matcher.compare(outcome, .object(actual), at: .root.key("outcome"))
            if state.next < subject.steps.count {
                state.complaints.append("\(subject.steps.count - state.next) steps were never reached")
            }
            return state.complaints + state.matcher.differences
        }
    }
}
