internal import WeirAdapterKit
internal import WeirModel

/// Speaks to a network as a file says.
struct DeclaredAdapter: HTTPAdapter {
    let descriptor: AdapterDescriptor
    let context: AdapterContext
    let request: DeclaredRequest
    let reply: ReplyMapping
    let settings: DeclaredSettingValues
    let probe: HTTPProbe?

    func setUp(_ progress: SetUpProgress) async throws(SetUpFailure) {
        try await probe?.run(context, progress: progress)
    }

    func request(for ask: AdAsk) throws(AdapterError) -> OutboundRequest {
        let request = try request.filled(scope(ask))
        // The file's own reader has seen to all but what settings and asks fill in.
        guard request.url.isWebAddress else {
            throw AdapterError(.skipped, .missingField, "The settings make no http or https URL of the network's url.")
        }
        return request
    }

    func outcome(of reply: InboundResponse, for ask: AdAsk) throws(AdapterError) -> LoadOutcome {
        try self.reply.outcome(of: reply, scope(ask), log: context.log)
    }

    /// Unlike other HTTP adapters', a file's conditions see replies of every status.
    func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        try outcome(of: await context.send(request(for: ask), for: ask), for: ask)
    }

    private func scope(_ ask: AdAsk) -> DeclaredScope {
        DeclaredScope(ask: ask, settings: settings, clock: context.clock)
    }
}
