internal import WeirAdapterKit

/// Speaks to ad servers that answer a tag, one URL, with VAST or VMAP.
struct VASTAdapter: HTTPAdapter {
    let descriptor = VASTAdapterFactory.descriptor
    let context: AdapterContext

    private let tag: TemplatedRequest
    private let probe: HTTPProbe?

    init(_ settings: AdapterSettings, _ context: AdapterContext) throws(SettingsError) {
        self.context = context
        tag = try TemplatedRequest(settings, urlSetting: "tag_url")
        probe = try settings.probe()
    }

    func setUp(_ progress: SetUpProgress) async throws(SetUpFailure) {
        try await probe?.run(context, progress: progress)
    }

    func request(for ask: AdAsk) throws(AdapterError) -> OutboundRequest {
        try tag.request(for: ask, context)
    }

    func outcome(of reply: InboundResponse, for ask: AdAsk) throws(AdapterError) -> LoadOutcome {
        _ = try BodyKind(reply, acceptsJSON: false)
        return try LoadOutcome(markup: reply.body)
    }
}
