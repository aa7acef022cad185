internal import WeirGateway
internal import WeirHTTP
internal import WeirModel

/// `GET /v1/vmap`: the ad breaks of a whole content item, for any player that reads VMAP.
struct ServeVMAP: Sendable {
    private let services: Services

    init(_ services: Services) {
        self.services = services
    }

    func handle(_ call: RoutedCall) async throws(Problem) -> ServerResponse {
        let (request, version) = try services.tag(call)
        let response = try await services.mediate(request, call, vastVersion: version)
        services.record(response)
        let document = response.vmapDocument(
            version: version ?? response.adUnit.vastVersion,
            midpoints: Self.positions(request),
            tag: tag(call.request)
        )
        return .xml(Array(document.utf8), of: response).withCORS(call.request)
    }

    /// The mid-points that lie in the content: its start has been mediated already, and behind its end nobody comes.
    ///
    /// A tag has its mid-points as positions.
    private static func positions(_ request: AdRequest) -> [Duration] {
        guard case .positions(let positions) = request.midpoints else { return [] }
        let end = request.content.duration ?? .milliseconds(AdRequestReader.Limit.duration)
        return positions.filter { $0 > .zero && $0 <= end }
    }

    /// Where a player asks for one break: this gateway, by the name the player used, with the same query but for the
    /// mid-points, as one break is one answer.
    private func tag(_ request: ServerRequest) -> String? {
        guard let origin = services.trustedProxies.origin(of: request) else { return nil }
        let query = (request.query ?? "").split(separator: "&").filter { !$0.hasPrefix("midpoints=") }
        return "\(origin)/v1/vast?\(query.joined(separator: "&"))"
    }
}
