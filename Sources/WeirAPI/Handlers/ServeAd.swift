internal import WeirGateway
internal import WeirHTTP
internal import WeirModel
internal import WeirStore
internal import WeirTime
internal import WeirVAST

/// `POST /v1/ads`: one mediated ad.
struct ServeAd: Sendable {
    /// A decision as it was answered.
    private struct Served: Sendable {
        var requestID: RequestID
        var body: [UInt8]

        /// The answer under the id by which operators find the decision, also when it is given again.
        func response(_ request: ServerRequest) -> ServerResponse {
            .json(body).with(API.requestIDHeader, requestID.text).withCORS(request)
        }
    }

    private let services: Services
    private let answers: IdempotencyCache<Served>

    init(_ services: Services) {
        self.services = services
        answers = IdempotencyCache(clock: services.clock) { $0.body.count }
    }

    func handle(_ call: RoutedCall) async throws(Problem) -> ServerResponse {
        let request = try call.adRequest()
        let wantsTrace = try call.wantsTrace()
        guard let key = call.request.header("Idempotency-Key"), !key.isEmpty else {
            return try await serve(request, call, wantsTrace: wantsTrace).response(call.request)
        }
        guard key.utf8.count <= IdempotencyCache<Served>.keyBytes else {
            throw .badRequest(
                BadRequest(problems: [
                    RequestProblem(
                        path: "Idempotency-Key",
                        message: "is longer than \(IdempotencyCache<Served>.keyBytes) bytes"
                    )
                ])
            )
        }
        return try await serveOnce(key, request, call, wantsTrace: wantsTrace).response(call.request)
    }

    /// What makes a repeat: the same key and the same body, with a trace or without.
    ///
    /// A key that is used again for another body gets an answer of its own, never somebody else's ad.
    private static func identity(_ key: String, _ call: RoutedCall, _ wantsTrace: Bool) -> String {
        var hasher = Hasher()
        call.request.body.withUnsafeBytes { hasher.combine(bytes: $0) }
        return "\(key)\u{1F}\(hasher.finalize())\u{1F}\(wantsTrace)"
    }

    /// A repeat of a key gets the first answer and asks no network.
    @inline(never)
    private func serveOnce(
        _ key: String,
        _ request: AdRequest,
        _ call: RoutedCall,
        wantsTrace: Bool
    ) async throws(Problem) -> Served {
        // A problem is not remembered: the caller may correct the request and use the key again.
        let failure = Box<Problem>()
        let answer = await answers.answer(to: Self.identity(key, call, wantsTrace)) {
            do throws(Problem) { return try await serve(request, call, wantsTrace: wantsTrace) } catch {
                failure.value.withLock { $0 = error }
                return nil
            }
        }
        if let answer { return answer }
        throw failure.value.withLock { $0 } ?? .clientGone
    }

    private func serve(_ request: AdRequest, _ call: RoutedCall, wantsTrace: Bool) async throws(Problem) -> Served {
        recorded(try await services.mediate(request, call, wantsTrace: wantsTrace))
    }

    /// Not inlined: its values would lie in the memory of a task that waits for a network.
    @inline(never)
    private func recorded(_ response: AdResponse) -> Served {
        let body = response.json(redactor: services.redactor)
        services.record(response, answer: body)
        return Served(requestID: response.requestID, body: body)
    }
}

extension Services {
    /// Keeps a decision; what networks were sent stays out of it.
    func record(_ response: AdResponse, answer: [UInt8]? = nil) {
        guard response.trace != nil else {
            return store.record(DecisionRecord(response, body: answer ?? response.json(redactor: redactor)))
        }
        var plain = response
        plain.trace = nil
        store.record(DecisionRecord(response, body: plain.json(redactor: redactor)))
    }

    /// Walks the gateway's road for a call.
    func mediate(
        _ request: AdRequest,
        _ call: RoutedCall,
        wantsTrace: Bool = false,
        vastVersion: String? = nil
    ) async throws(Problem) -> AdResponse {
        do {
            let response = try await gateway.serve(
                request,
                Gateway.Call(
                    requestID: call.requestID,
                    arrival: call.arrival,
                    traceParent: TraceContext(call.request.header("traceparent"))?.passedOn(),
                    wantsTrace: wantsTrace,
                    vastVersion: vastVersion
                )
            )
            counters.served(response)
            return response.hasBilling ? withBilling(response, call.request) : response
        } catch {
            throw error.code == .unknownPlacement ? .unknownPlacement(error.reason) : .clientGone
        }
    }
}

extension Services {
    /// The answer whose ads tell this gateway when they are shown, as far as somebody is to be billed for them.
    @inline(never)
    private func withBilling(_ response: AdResponse, _ request: ServerRequest) -> AdResponse {
        guard let origin = trustedProxies.origin(of: request) else { return response }
        func withBeacon(_ served: ServedAd) -> ServedAd {
            guard let notice = served.billing else { return served }
            var served = served
            let url = "\(origin)/v1/t/\(beacons.billing(notice))"
            served.ad.inLine.impressions.append(TrackedURL(id: AdResponse.billingID, url: url))
            return served
        }
        var response = response
        (response.ads, response.spares) = (response.ads.map(withBeacon), response.spares.map(withBeacon))
        return response
    }
}

extension RoutedCall {
    /// The JSON body as an ad request.
    func adRequest() throws(Problem) -> AdRequest {
        try requireJSON()
        do { return try AdRequestReader.read(request.body) } catch { throw .badRequest(error) }
    }

    /// Whether the caller asked for a trace, which shows what networks were sent and needs an operator.
    func wantsTrace() throws(Problem) -> Bool {
        guard let trace = query["trace"], trace != "0" else { return false }
        guard isAdmin else { throw .unauthorized }
        return true
    }
}

extension DecisionRecord {
    /// The row of an answer.
    fileprivate init(_ response: AdResponse, body: [UInt8]) {
        self.init(
            requestID: response.requestID.text,
            at: response.arrivedAt,
            placement: response.placement.text,
            adUnit: response.adUnit.id.text,
            format: response.adUnit.format.rawValue,
            result: response.result.rawValue,
            network: response.ads.first?.network.text,
            lineItem: response.ads.first?.lineItem.text,
            latencyMilliseconds: response.latency.milliseconds,
            config: response.configuration,
            body: body
        )
    }
}
