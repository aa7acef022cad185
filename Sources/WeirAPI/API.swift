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
    private let random = RandomBits()

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
        let id = newID
        let response: ServerResponse
        var path = "unknown"
        do throws(Problem) {
            let (route, segments) = try router(listener).destination(method: request.method, path: request.path)
            path = route.path
            let call = try admit(request, id, at: arrival, to: route, segments, on: listener)
            defer { leave(route, listener) }
            response = try await route.handler(call)
        } catch {
            response = refusal(error, request, listener)
        }
        return finished(response, id, path: path, duration: arrival.duration(to: services.clock.now))
    }

    /// Answers one request whose route never waits; `nil` leaves any other to ``respond(to:on:)``.
    package func respondPromptly(to request: ServerRequest, on listener: Listener) -> ServerResponse? {
        guard let route = router(listener).promptRoute(method: request.method, path: request.path),
            let handler = route.promptHandler
        else { return nil }
        let arrival = services.clock.now
        let id = newID
        let response: ServerResponse
        do throws(Problem) {
            let call = try admit(request, id, at: arrival, to: route, [], on: listener)
            defer { leave(route, listener) }
            response = try handler(call)
        } catch {
            response = refusal(error, request, listener)
        }
        return finished(response, id, path: route.path, duration: arrival.duration(to: services.clock.now))
    }

    /// Words the answer to what never became a request: it is counted and gets a request id like the others.
    package func refuse(_ fault: ProtocolFault) -> ServerResponse {
        finished(Problem(fault).response, newID, path: "unknown", duration: .zero)
    }

    private var newID: RequestID {
        RequestID.make(atMilliseconds: services.clock.wallNow.milliseconds, random: random.next)
    }

    private func router(_ listener: Listener) -> Router { listener == .admin ? adminRouter : publicRouter }

    /// Lets a request in to its route; to be followed by ``leave(_:_:)``.
    ///
    /// - Throws: What answers somebody who may not call it, or who comes while there is too much to do.
    private func admit(
        _ request: ServerRequest,
        _ id: RequestID,
        at arrival: ContinuousClock.Instant,
        to route: Router.Route,
        _ segments: [String],
        on listener: Listener
    ) throws(Problem) -> RoutedCall {
        let isAdmin = isAdmin(request, on: listener)
        guard isAdmin || route.audience == .everybody else {
            throw services.adminKey == nil ? Problem.foreignPage : Problem.unauthorized
        }
        if let encoding = request.header("Content-Encoding")?.lowercased(), !encoding.isEmpty, encoding != "identity",
            !request.body.isEmpty
        {
            throw .unsupportedEncoding(encoding)
        }
        if isCounted(route, listener) && !services.gate.enter() { throw overloaded(at: arrival) }
        return RoutedCall(
            request: request,
            requestID: id,
            arrival: arrival,
            segments: segments,
            query: QueryParameters(request.query),
            isAdmin: isAdmin
        )
    }

    private func leave(_ route: Router.Route, _ listener: Listener) {
        if isCounted(route, listener) { services.gate.leave() }
    }

    private func isCounted(_ route: Router.Route, _ listener: Listener) -> Bool {
        listener == .public && !route.isUrgent
    }

    private func refusal(_ problem: Problem, _ request: ServerRequest, _ listener: Listener) -> ServerResponse {
        listener == .public ? problem.response.withCORS(request) : problem.response
    }

    private func overloaded(at now: ContinuousClock.Instant) -> Problem {
        if services.gate.isNews(at: now) {
            services.logger.warning(
                "serve.overload",
                "Requests are refused with 503: \(services.gate.limit) are being answered, server.max_in_flight.",
                ["refused": .int(services.gate.refused)]
            )
        }
        return .overloaded
    }

    /// Not inlined: its values would lie in the memory of a task that waits for a network.
    @inline(never)
    private func finished(
        _ response: ServerResponse,
        _ id: RequestID,
        path: String,
        duration: Duration
    ) -> ServerResponse {
        services.counters.answered(path: path, status: response.status, duration: duration)
        let hasID = response.headers.contains { $0.name == Self.requestIDHeader }
        return hasID ? response : response.with(Self.requestIDHeader, id.text)
    }

    /// Names the request in every answer.
    static let requestIDHeader = "X-Weir-Request-Id"

    /// The key decides where there is one; without one only the admin listener, which is on loopback then, may, and not
    /// for a page that the operator's browser happens to show.
    private func isAdmin(_ request: ServerRequest, on listener: Listener) -> Bool {
        guard let key = services.adminKey else { return listener == .admin && request.isFromThisMachine }
        guard let header = request.header("Authorization"), header.lowercased().hasPrefix("bearer ") else {
            return false
        }
        return equalsInConstantTime(Array(header.utf8.dropFirst(7)), Array(key.utf8))
    }
}

extension ServerRequest {
    /// Whether it may come from a program on this machine rather than from a page of somebody else's.
    ///
    /// Browsers send pages' requests to loopback like any others: `Origin` gives those of other origins away (Fetch
    /// standard, Origin header), and a name that only resolves to loopback gives DNS rebinding away.
    fileprivate var isFromThisMachine: Bool {
        guard let host = header("Host")?.lowercased() else { return true }
        if let origin = header("Origin"), origin != "http://\(host)" { return false }
        let isBracketed = host.hasPrefix("[")
        let name = isBracketed ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
        return name == "localhost" || name.hasSuffix(".localhost") || IPAddress(String(name)) != nil
    }
}

/// Compares without telling by time where the first difference is; lengths may differ in time.
private func equalsInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
