internal import WeirGateway
internal import WeirHTTP
internal import WeirModel

/// `GET /v1/vast`: the same road for any VAST player.
struct ServeVAST: Sendable {
    private let services: Services

    init(_ services: Services) {
        self.services = services
    }

    func handle(_ call: RoutedCall) async throws(Problem) -> ServerResponse {
        let (request, version) = try services.tag(call)
        let response = try await services.mediate(request, call, vastVersion: version)
        services.record(response)
        let document = response.vastDocument(
            version: version ?? response.adUnit.vastVersion,
            errorURL: errorURL(response, call.request)
        )
        return .xml(document, of: response).withCORS(call.request)
    }

    /// Where a player reports that there was no ad: this gateway, by the name the player used.
    private func errorURL(_ response: AdResponse, _ request: ServerRequest) -> String? {
        guard response.result == .noFill, let origin = services.trustedProxies.origin(of: request) else { return nil }
        return "\(origin)/v1/t/\(services.beacons.beacon(event: "error", request: response.requestID))"
            + "?code=[ERRORCODE]"
    }
}

extension Services {
    /// The request that an ad tag makes.
    func tag(_ call: RoutedCall) throws(Problem) -> (request: AdRequest, version: String?) {
        var (request, version): (AdRequest, String?)
        do { (request, version) = try TagReader.read(call.query) } catch { throw .badRequest(error) }
        // A player asks from the viewer's own device, so the connection's address and agent are the viewer's.
        request.device.ip = request.device.ip ?? trustedProxies.clientAddress(of: call.request)
        request.device.userAgent = request.device.userAgent ?? call.request.header("User-Agent")
        return (request, version)
    }
}

extension ServerResponse {
    /// A document for players.
    static func xml(_ document: consuming [UInt8], of response: AdResponse) -> ServerResponse {
        ServerResponse(
            status: 200,
            headers: [
                ("Content-Type", "application/xml; charset=utf-8"), ("Cache-Control", "no-store"),
                ("X-Weir-Result", response.result.rawValue), ("X-Weir-Config", response.configuration),
            ],
            body: .bytes(document.endingLine())
        )
    }
}
