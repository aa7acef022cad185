package import WeirHTTP
package import WeirModel

/// One call while it is being answered.
package struct RoutedCall: Sendable {
    /// The request.
    package var request: ServerRequest
    /// Its id, which the answer carries too.
    package var requestID: RequestID
    /// When its last byte arrived.
    package var arrival: ContinuousClock.Instant
    /// The values of the path's `{…}` segments, decoded, in order.
    package var segments: [String]
    /// The query, decoded.
    package var query: QueryParameters
    /// Whether the call carries the admin key, or came over the admin listener that needs none.
    package var isAdmin: Bool
}

/// Finds the handler of a call by method and path; answers 404 and 405 itself.
package struct Router: Sendable {
    /// Answers one call; what it throws becomes the answer.
    package typealias Handler = @Sendable (RoutedCall) async throws(Problem) -> ServerResponse

    /// Answers one call without waiting for anything.
    package typealias PromptHandler = @Sendable (RoutedCall) throws(Problem) -> ServerResponse

    /// One method of one path.
    package struct Route: Sendable {
        var method: String
        var segments: [String]
        /// Who may call it.
        var audience: Audience
        /// Whether it is answered however much there is to do.
        var isUrgent: Bool
        var handler: Handler
        /// The same for a route that never waits; such a call needs no task.
        var promptHandler: PromptHandler?

        /// A route; `{…}` segments match any one segment that is not empty.
        package init(
            _ method: String,
            _ path: String,
            _ audience: Audience,
            isUrgent: Bool = false,
            _ handler: @escaping Handler
        ) {
            self.method = method
            segments = path.split(separator: "/").map(String.init)
            self.path = "/" + segments.joined(separator: "/")
            self.audience = audience
            self.isUrgent = isUrgent
            self.handler = handler
        }

        /// A route that never waits; its path has no `{…}` segments.
        static func prompt(
            _ method: String,
            _ path: String,
            _ audience: Audience,
            isUrgent: Bool = false,
            _ handler: @escaping PromptHandler
        ) -> Route {
            var route = Route(method, path, audience, isUrgent: isUrgent) { call throws(Problem) in try handler(call) }
            route.promptHandler = handler
            return route
        }

        /// A GET for everybody that moves something: an ad is asked for, a beacon counted.
        ///
        /// HEAD is answered with `look` and moves nothing (RFC 9110 §9.2.1): link checkers and players that only look must
        /// not cost an ad.
        static func acting(_ path: String, _ look: ServerResponse, _ handler: @escaping Handler) -> Route {
            Route("GET", path, .everybody) { call throws(Problem) in
                guard call.request.isHead else { return try await handler(call) }
                return look.with("Cache-Control", "no-store").withCORS(call.request)
            }
        }

        /// The path as it was written, for metrics and docs.
        package let path: String

        fileprivate func match(_ path: [Substring]) -> [String]? {
            guard path.count == segments.count else { return nil }
            var values: [String] = []
            for (part, segment) in zip(path, segments) {
                if segment.hasPrefix("{") {
                    guard !part.isEmpty else { return nil }
                    values.append(QueryParameters.decode(part.utf8, isForm: false))
                } else if part != segment {
                    return nil
                }
            }
            return values
        }
    }

    /// Who may call a route.
    package enum Audience: Sendable {
        /// Apps, players, networks, probes.
        case everybody
        /// Operators: with the admin key, when there is one.
        case operators
    }

    /// All routes.
    package let routes: [Route]

    /// Those without `{…}` segments, which most calls are for, by their path.
    private let plain: [String: [Route]]

    /// A router of `routes`.
    package init(_ routes: [Route]) {
        self.routes = routes
        plain = Dictionary(grouping: routes.filter { !$0.path.contains("{") }) { $0.path }
    }

    /// The route of a method and path, when it is one that never waits.
    package func promptRoute(method: String, path: String) -> Route? {
        guard let routes = plain[path] else { return nil }
        return routes.first {
            $0.promptHandler != nil && ($0.method == method || (method == "HEAD" && $0.method == "GET"))
        }
    }

    /// Finds the handler of a method and path; HEAD goes where GET goes.
    ///
    /// - Throws: 404 when no route has that path, 405 when none of them has that method.
    package func destination(
        method: String,
        path: String
    ) throws(Problem) -> (route: Route, segments: [String]) {
        let wanted = method == "HEAD" ? "GET" : method
        if let route = plain[path]?.first(where: { $0.method == wanted }) { return (route, []) }
        let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        let trimmed = parts == [""] ? [] : parts
        var allowed: [String] = []
        for route in routes {
            guard let segments = route.match(trimmed) else { continue }
            if route.method == wanted { return (route, segments) }
            allowed.append(route.method)
            if route.method == "GET" { allowed.append("HEAD") }
        }
        guard allowed.isEmpty else { throw .methodNotAllowed(method, allowed: allowed) }
        throw .notFound("address \(path.prefix(200))")
    }
}
