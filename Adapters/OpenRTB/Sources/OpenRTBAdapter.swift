internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// Speaks to networks that bid for each request: POSTs a bid request and reads the bids.
///
/// All that is particular to OpenRTB is in ``OpenRTBRequest`` and ``OpenRTBReply``, two pure halves that other carriers
/// use as well.
struct OpenRTBAdapter: HTTPAdapter {
    let descriptor = OpenRTBAdapterFactory.descriptor
    let context: AdapterContext

    private let endpoint: TemplatedRequest
    private let profile: OpenRTBProfile
    private let probe: HTTPProbe?

    init(_ settings: JSONValue, _ context: AdapterContext) throws(SettingsError) {
        self.context = context
        let plain = try AdapterSettings(settings)
        // The key travels wherever a template says `{settings.api_key}`; here it is only checked for its type.
        _ = try plain.text("api_key")
        endpoint = try TemplatedRequest(plain, urlSetting: "endpoint")
        profile = try OpenRTBProfile(settings)
        probe = try plain.probe()
    }

    func setUp(_ progress: SetUpProgress) async throws(SetUpFailure) {
        try await probe?.run(context, progress: progress)
    }

    func request(for ask: AdAsk) throws(AdapterError) -> OutboundRequest {
        var request = try endpoint.request(for: ask, context)
        request.method = "POST"
        let body = try OpenRTBRequest(profile).body(for: ask, clock: context.clock)
        request.body = JSONValue.object(body).encoded()
        // What the operator configures stays: some servers insist on a version of their own.
        for header in OpenRTBRequest.headers
        where !request.headers.contains(where: { $0.name.lowercased() == header.name.lowercased() }) {
            request.headers.append(header)
        }
        return request
    }

    func outcome(of reply: InboundResponse, for ask: AdAsk) throws(AdapterError) -> LoadOutcome {
        guard try BodyKind(reply, acceptsJSON: true) != .markup else {
            throw AdapterError(
                .badResponse,
                .badJSON,
                "The network answered with markup, not with an OpenRTB bid response."
            )
        }
        return try OpenRTBReply(profile).outcome(of: reply.body, for: ask)
    }
}
