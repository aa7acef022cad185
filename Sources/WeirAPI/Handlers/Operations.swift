internal import WeirGateway
internal import WeirHTTP
internal import WeirJSON
internal import WeirStore
internal import WeirTelemetry
internal import WeirTime

/// What operators ask.
extension Services {
    func explain(_ call: RoutedCall) throws(Problem) -> ServerResponse {
        let request = try call.adRequest()
        do {
            return .json(try gateway.explain(request).redacted(by: redactor).json)
        } catch { throw .unknownPlacement(error.reason) }
    }

    /// The latest decisions, the newest first.
    func requests(_ call: RoutedCall) async throws(Problem) -> ServerResponse {
        var problems: [RequestProblem] = []
        let result = call.query["result"]
        if let result, AdResponse.Result(rawValue: result) == nil {
            problems.append(RequestProblem(path: "result", message: "must be fill or no_fill"))
        }
        let limit = call.query["limit"].map { Int($0) } ?? 50
        if !(limit.map((1...DecisionFilter.greatestLimit).contains) ?? false) {
            problems.append(
                RequestProblem(path: "limit", message: "must be from 1 to \(DecisionFilter.greatestLimit)")
            )
        }
        guard problems.isEmpty, let limit else { throw .badRequest(BadRequest(problems: problems)) }
        let filter = DecisionFilter(
            placement: call.query["placement"],
            result: result,
            network: call.query["network"],
            limit: limit
        )
        let records = try await stored { () throws(StoreError) in try await store.recent(filter) }
        var json = JSONWriter(reserving: 256 + records.count * 256)
        json.object { json in
            json.array("requests") { json in
                for record in records { json.summary(record) }
            }
        }
        return .json(json.bytes)
    }

    /// One decision, as it was answered.
    func request(_ call: RoutedCall) async throws(Problem) -> ServerResponse {
        let id = call.segments[0]
        let record = try await stored { () throws(StoreError) in try await store.decision(requestID: id) }
        guard let record else { throw .notFound("recorded request \(id.prefix(64))") }
        return .json(record.body)
    }

    private func stored<Value>(_ read: () async throws(StoreError) -> Value) async throws(Problem) -> Value {
        do { return try await read() } catch { throw .storage(error.description) }
    }

    func checkConfiguration(_ call: RoutedCall) async -> ServerResponse {
        .json(await configuration.check(call.request.body).report)
    }

    func reloadConfiguration(_ call: RoutedCall) async -> ServerResponse {
        let verdict = await configuration.reload()
        guard let version = verdict.version else { return .json(verdict.report, status: 422) }
        var json = JSONWriter()
        json.object { json in
            json.member("config", version)
            json.member("needs_restart", verdict.needsRestart)
        }
        return .json(json.bytes)
    }

    func currentConfiguration(_ call: RoutedCall) async -> ServerResponse {
        .json(await configuration.current())
    }

    func exposition(_ call: RoutedCall) -> ServerResponse {
        ServerResponse(
            status: 200,
            headers: [("Content-Type", Metrics.contentType)],
            body: .bytes(metrics.exposition())
        )
    }
}

extension JSONWriter {
    /// Writes one row of `GET /v1/requests`.
    fileprivate mutating func summary(_ record: DecisionRecord) {
        object { json in
            json.member("request_id", record.requestID)
            json.member("at", record.at.rfc3339)
            json.member("placement", record.placement)
            json.member("ad_unit", record.adUnit)
            json.member("format", record.format)
            json.member("result", record.result)
            json.member("network", record.network)
            json.member("line_item", record.lineItem)
            json.member("latency_ms", record.latencyMilliseconds)
            json.member("config", record.config)
        }
    }
}
