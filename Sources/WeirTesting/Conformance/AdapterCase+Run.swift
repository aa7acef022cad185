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
        let transport = StubTransport(clock: clock) { script.stubbed($0) }
        let context = AdapterContext(network: "network", transport: transport, clock: clock) { script.log($0) }
        let actual: JSONValue
        do {
            try Self.check(settings: settings, factory)
            let adapter = try factory.make(settings, context)
            actual = await adapter.caseOutcome(of: AdAsk(ask, clock: clock))
        } catch {
            actual = ["settings_error": ["path": .string(error.path), "message": .string(error.message)]]
        }
        return script.differences(actual)
    }
}

extension NetworkAdapter {
    /// What comes of an ask, as case files spell it.
    func caseOutcome(of ask: AdAsk) async -> JSONValue {
        do throws(AdapterError) {
            return try await load(ask).caseValue
        } catch {
            return error.caseValue
        }
    }
}

extension CaseScript {
    /// The answer to a request, for a transport without sockets.
    fileprivate func stubbed(_ request: OutboundRequest) -> StubTransport.Reply {
        guard let reply = reply(to: request) else { return .failure(TransportError(.reset, "no step")) }
        if let failure = reply.failure {
            return .failure(TransportError(failure, "ads.example failed: \(failure.rawValue)."))
        }
        do {
            return .response(
                InboundResponse(status: reply.status, headers: reply.headers, body: try reply.body())
            )
        } catch {
            complain("\(error)")
            return .failure(TransportError(.reset, "no body"))
        }
    }
}
