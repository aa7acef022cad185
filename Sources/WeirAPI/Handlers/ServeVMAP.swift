internal import WeirGateway
internal import WeirHTTP
internal import WeirModel

/// `GET /v1/vmap`: the breaks of a whole content item, for players that keep time themselves.
struct ServeVMAP: Sendable {
    private let services: Services

    init(_ services: Services) {
        self.services = services
    }

    func handle(_ call: RoutedCall) async throws(Problem) -> ServerResponse {
        var (request, version): (AdRequest, String?)
        do { (request, version) = try TagReader.read(call.query) } catch { throw .badRequest(error) }
        // A player asks from the viewer's own device, so the connection's address and agent are the viewer's.
        request.device.ip = request.device.ip ?? services.trustedProxies.clientAddress(of: call.request)
        request.device.userAgent = request.device.userAgent ?? call.request.header("User-Agent")
        let response = try await services.mediate(request, call, vastVersion: version)
        services.record(response)
        let document = response.audioVMAP(version: version ?? response.adUnit.vastVersion)
        return ServerResponse(
            status: 200,
            headers: [
                ("Content-Type", "application/xml; charset=utf-8"), ("Cache-Control", "no-store"),
                ("X-Weir-Result", response.result.rawValue), ("X-Weir-Config", response.configuration),
            ],
            body: .bytes(Array(document.utf8))
        ).withCORS(call.request)
    }
}
