internal import WeirGateway
internal import WeirHTTP

/// `GET|POST /v1/ssv/{network}`: where networks say that a reward was earned; and Weir's own keys.
extension Services {
    func ssvCallback(_ call: RoutedCall) async throws(Problem) -> ServerResponse {
        let request = call.request
        // A look must grant nothing.
        guard !request.isHead else { throw .methodNotAllowed("HEAD", allowed: ["GET", "POST"]) }
        let query = Array((request.query ?? "").utf8)
        let isForm = request.method == "POST" && !request.body.isEmpty
        let inbound = RewardDesk.Inbound(
            source: call.segments[0],
            method: request.method,
            raw: isForm ? Self.withoutPlus(request.body) : query
        )
        guard let reply = await rewards.receive(inbound) else {
            throw .notFound("source of callbacks \(call.segments[0].prefix(64))")
        }
        let type = reply.body.hasPrefix("{") ? "application/json" : "text/plain; charset=utf-8"
        return ServerResponse(
            status: reply.status,
            headers: [("Content-Type", type), ("Cache-Control", "no-store")],
            body: .bytes(Array(reply.body.utf8))
        )
    }

    /// In a form `+` is a blank; here every blank is written as `%20`, so that the rest sees one spelling.
    private static func withoutPlus(_ body: [UInt8]) -> [UInt8] {
        guard body.contains(UInt8(ascii: "+")) else { return body }
        return body.flatMap { $0 == UInt8(ascii: "+") ? Array("%20".utf8) : [$0] }
    }

    /// `GET /v1/ssv/keys`: what verifies Weir's own callbacks, in the shape of AdMob's verifier keys.
    func verifierKeys(_ call: RoutedCall) -> ServerResponse {
        .json(rewards.publishedKeys).with("Cache-Control", "public, max-age=3600")
    }
}
