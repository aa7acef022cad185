package import WeirHTTP
internal import WeirModel
internal import WeirTelemetry
internal import WeirTime

/// The doors of the gateway: a request comes in, an answer goes out, whatever happens.
package struct API: Sendable {
    /// Which listener a request came in by.
    package enum Listener: Sendable {
        /// Apps, players, networks.
        case `public`
        /// Operators; serves the public routes too.
        case admin
    }

    private let services: Services
    private let publicRouter: Router
    private let adminRouter: Router

    /// The doors of a gateway made of `services`.
    package init(_ services: Services) {
        self.services = services
        let publicRoutes = services.publicRoutes
        publicRouter = Router(publicRoutes)
        adminRouter = Router(publicRoutes + services.adminRoutes)
    }

    /// Answers one request.
    package func respond(to request: ServerRequest, on listener: Listener) async -> ServerResponse {
        let arrival = services.clock.now
        let id = RequestID.make(atMilliseconds: services.clock.wallNow.milliseconds)
        var response: ServerResponse
        var path = "unknown"
        do throws(Problem) {
            let (route, segments) = try (listener == .admin ? adminRouter : publicRouter)
                .destination(method: request.method, path: request.path)
            path = route.path
            let isAdmin = isAdmin(request, on: listener)
            guard isAdmin || route.audience == .everybody else { throw Problem.unauthorized }
            response = try await route.handler(
                RoutedCall(
                    request: request,
                    requestID: id,
                    arrival: arrival,
                    segments: segments,
                    query: QueryParameters(request.query),
                    isAdmin: isAdmin
                )
            )
        } catch {
            response = listener == .public ? error.response.withCORS(request) : error.response
        }
        services.counters.answered(
            path: path,
            status: response.status,
            duration: arrival.duration(to: services.clock.now)
        )
        response.headers.append(("X-Weir-Request-Id", id.text))
        return response
    }

    /// The key decides where there is one; without one only the admin listener, which is on loopback then, may.
    private func isAdmin(_ request: ServerRequest, on listener: Listener) -> Bool {
        guard let key = services.adminKey else { return listener == .admin }
        guard let header = request.header("Authorization"), header.lowercased().hasPrefix("bearer ") else {
            return false
        }
        return equalsInConstantTime(Array(header.utf8.dropFirst(7)), Array(key.utf8))
    }
}

/// Compares without telling by time where the first difference is; lengths may differ in time.
private func equalsInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
