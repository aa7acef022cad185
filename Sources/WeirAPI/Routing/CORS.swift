internal import WeirHTTP

/// Players in web pages call from other origins and, like IMA's, send credentials.
extension ServerResponse {
    /// The same answer, readable by the page that asked.
    func withCORS(_ request: ServerRequest) -> ServerResponse {
        guard let origin = request.header("Origin") else { return self }
        return with("Access-Control-Allow-Origin", origin)
            .with("Access-Control-Allow-Credentials", "true")
            .with("Access-Control-Expose-Headers", "X-Weir-Request-Id, X-Weir-Result, X-Weir-Config, Retry-After")
            .with("Vary", "Origin")
    }

    /// The answer to a preflight (Fetch standard, CORS-preflight).
    static func preflight(_ request: ServerRequest) -> ServerResponse {
        ServerResponse(status: 204)
            .withCORS(request)
            .with("Access-Control-Allow-Methods", "GET, POST, DELETE, OPTIONS")
            .with("Access-Control-Allow-Headers", "Content-Type, Idempotency-Key, Last-Event-ID, traceparent")
            .with("Access-Control-Max-Age", "86400")
    }
}
