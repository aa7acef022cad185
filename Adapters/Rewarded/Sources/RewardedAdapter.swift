internal import WeirAdapterKit

/// Speaks to networks that sell rewarded ads one at a time.
struct RewardedAdapter: HTTPAdapter {
    let descriptor = RewardedAdapterFactory.descriptor
    let context: AdapterContext

    private let load: TemplatedRequest
    private let probe: HTTPProbe?

    init(_ settings: AdapterSettings, _ context: AdapterContext) throws(SettingsError) {
        self.context = context
        // The key travels wherever a template says `{settings.api_key}`; here it is only checked for its type.
        _ = try settings.text("api_key")
        load = try TemplatedRequest(settings, urlSetting: "load_url")
        probe = try settings.probe()
    }

    func setUp(_ progress: SetUpProgress) async throws(SetUpFailure) {
        try await probe?.run(context, progress: progress)
    }

    func request(for ask: AdAsk) throws(AdapterError) -> OutboundRequest {
        try load.request(for: ask, context)
    }

    func outcome(of reply: InboundResponse, for ask: AdAsk) throws(AdapterError) -> LoadOutcome {
        switch try BodyKind(reply, acceptsJSON: true) {
        case .markup: try LoadOutcome(markup: reply.body)
        case .json, .other: try RewardedReply(reply.body).outcome()
        }
    }
}
