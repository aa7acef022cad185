internal import WeirAdapterKit
internal import WeirModel

/// Speaks to networks that answer with the sections of an audio programme, or with VAST, DAAST or VMAP.
struct InstreamAudioAdapter: HTTPAdapter {
    let descriptor = InstreamAudioAdapterFactory.descriptor
    let context: AdapterContext

    private let sections: TemplatedRequest
    private let probe: HTTPProbe?

    init(_ settings: AdapterSettings, _ context: AdapterContext) throws(SettingsError) {
        self.context = context
        sections = try TemplatedRequest(settings, urlSetting: "sections_url")
        probe = try settings.probe()
    }

    func setUp(_ progress: SetUpProgress) async throws(SetUpFailure) {
        try await probe?.run(context, progress: progress)
    }

    func request(for ask: AdAsk) throws(AdapterError) -> OutboundRequest {
        try sections.request(for: ask, context)
    }

    func outcome(of reply: InboundResponse, for ask: AdAsk) throws(AdapterError) -> LoadOutcome {
        switch try BodyKind(reply, acceptsJSON: true) {
        case .markup:
            return try LoadOutcome(markup: reply.body)
        case .json, .other:
            var sections = try SectionsReply(
                reply.body,
                from: context.network,
                asksMidpoints: ask.request.midpoints != nil
            )
            let outcome = Result { () throws(AdapterError) in try sections.outcome() }
            for line in sections.remarks { context.log(line) }
            return try outcome.get()
        }
    }
}
