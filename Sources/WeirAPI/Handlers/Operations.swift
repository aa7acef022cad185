internal import WeirGateway
internal import WeirHTTP
internal import WeirJSON
internal import WeirModel
internal import WeirTelemetry

/// What operators ask.
extension Services {
    /// The most answers of one list.
    static let longestList = 1000

    func explain(_ call: RoutedCall) throws(Problem) -> ServerResponse {
        let request = try call.adRequest()
        do { return .json(try gateway.explain(request).json) } catch { throw .unknownPlacement(error.reason) }
    }

    func requests(_ call: RoutedCall) throws(Problem) -> ServerResponse {
        var problems: [RequestProblem] = []
        let result = call.query["result"].map { AdResponse.Result(rawValue: $0) }
        if let result, result == nil {
            problems.append(RequestProblem(path: "result", message: "must be fill or no_fill"))
        }
        let limit = call.query["limit"].map { Int($0) } ?? 50
        if !(limit.map((1...Self.longestList).contains) ?? false) {
            problems.append(RequestProblem(path: "limit", message: "must be from 1 to \(Self.longestList)"))
        }
        guard problems.isEmpty, let limit else { throw .badRequest(BadRequest(problems: problems)) }
        let decisions = recent.decisions(
            placement: call.query["placement"].map { PlacementID($0) },
            result: result ?? nil,
            limit: limit
        )
        var json = JSONWriter()
        json.object { json in
            json.array("requests") { json in
                for decision in decisions { json.summary(decision) }
            }
        }
        return .json(json.bytes)
    }

    func request(_ call: RoutedCall) throws(Problem) -> ServerResponse {
        let id = RequestID(call.segments[0])
        guard let decision = recent.decision(id) else { throw .notFound("recent request \(id.text.prefix(64))") }
        return .json(decision.json(redactor: redactor))
    }

    func checkConfiguration(_ call: RoutedCall) async -> ServerResponse {
        .json(await configuration.check(call.request.body).report)
    }

    func reloadConfiguration(_ call: RoutedCall) async -> ServerResponse {
        let verdict = await configuration.reload()
        guard let version = verdict.version else { return .json(verdict.report, status: 422) }
        var json = JSONWriter()
        json.object { $0.member("config", version) }
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
