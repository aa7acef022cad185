internal import WeirHTTP
internal import WeirJSON
internal import WeirRuntime
internal import WeirTime

/// Answers the requests that reach the sandbox.
struct SandboxRequests: Sendable {
    let recorder: SandboxRecorder
    let base: String

    func answer(_ request: ServerRequest) async -> ServerResponse {
        if request.path.hasPrefix("/_") { return control(request) }
        let hit = SandboxHit(request)
        let number = recorder.record(hit)
        if request.method == "OPTIONS", request.header("Access-Control-Request-Method") != nil {
            recorder.note(number, status: 204)
            return preflight(request)
        }
        guard let reply = recorder.answer(for: request.path) else {
            recorder.note(number, status: 404)
            return index(request)
        }
        return await play(reply, request, hit, number)
    }

    /// Waits as long as the script says, then answers; notes when the client goes first.
    private func play(
        _ reply: SandboxReply,
        _ request: ServerRequest,
        _ hit: SandboxHit,
        _ number: Int
    ) async -> ServerResponse {
        let clock = RuntimeClock()
        let answer = SandboxAnswer(
            reply: reply,
            template: SandboxTemplate(base: base, query: hit.query),
            clock: clock
        )
        await withTaskCancellationHandler {
            let delay = reply.delay.length(hit)
            if delay > .zero { try? await clock.sleep(for: delay) }
        } onCancel: {
            recorder.noteClosed(number)
        }
        var response = answer.response(to: request)
        if !Task.isCancelled { recorder.note(number, status: response.status) }
        if case .stream(let body) = response.body {
            let recorder = recorder
            response.body = .stream { writer in
                await withTaskCancellationHandler {
                    await body(writer)
                } onCancel: {
                    recorder.noteClosed(number)
                }
            }
        }
        return response
    }

    private func preflight(_ request: ServerRequest) -> ServerResponse {
        var headers = SandboxAnswer.crossOrigin(request)
        headers.append(("Access-Control-Allow-Methods", "GET, HEAD, POST, OPTIONS"))
        headers.append(("Access-Control-Allow-Headers", request.header("Access-Control-Request-Headers") ?? "*"))
        return ServerResponse(status: 204, headers: headers)
    }

    /// What there is, for somebody who looks around; under `/` it is no error.
    private func index(_ request: ServerRequest) -> ServerResponse {
        let list = recorder.paths.map { "  \(base)\($0)\n" }.joined()
        let head =
            request.path == "/" ? "Weir's sandbox networks answer here:" : "The script has no \(request.path). It has:"
        return ServerResponse(
            status: request.path == "/" ? 200 : 404,
            contentType: "text/plain; charset=utf-8",
            text: "\(head)\n\(list)"
        )
    }

    // MARK: The sandbox's own paths

    private func control(_ request: ServerRequest) -> ServerResponse {
        switch (request.method, request.path) {
        case ("GET", "/_hits"): return hits(request)
        case ("DELETE", "/_hits"):
            recorder.clearHits()
            return ServerResponse(status: 204)
        case ("GET", "/_script"):
            return json(200, ["paths": .array(recorder.paths.map(JSONValue.string))])
        case ("POST", "/_script"): return change(request)
        default:
            return ServerResponse(
                status: 404,
                contentType: "text/plain; charset=utf-8",
                text: "GET or DELETE /_hits, GET or POST /_script.\n"
            )
        }
    }

    private func hits(_ request: ServerRequest) -> ServerResponse {
        let wanted = queryItems(Substring(request.query ?? "")).first { $0.name == "path" }?.value
        let hits = recorder.hits.filter { wanted == nil || $0.path == wanted }
        return json(200, ["count": .int(hits.count), "hits": .array(hits.map(\.json))])
    }

    private func change(_ request: ServerRequest) -> ServerResponse {
        do {
            var body = try JSONReader.read(request.body)
            let removed = removedPaths(&body)
            let script = try SandboxScript(body, folder: nil)
            recorder.change(set: script, remove: removed)
            return json(200, ["paths": .array(recorder.paths.map(JSONValue.string))])
        } catch let error as SandboxScriptError {
            return json(
                400,
                ["errors": .array(error.problems.map { ["path": .string($0.path), "message": .string($0.message)] })]
            )
        } catch {
            return json(400, ["errors": [["path": "", "message": "The body is not JSON: \("\(error)")"]]])
        }
    }

    /// The paths that are `null`, which are taken out of the body.
    private func removedPaths(_ body: inout JSONValue) -> [String] {
        guard var root = body.object, var paths = root["paths"]?.object else { return [] }
        let removed = paths.members.filter(\.value.isNull).map(\.key)
        for path in removed { paths[path] = nil }
        root["paths"] = .object(paths)
        body = .object(root)
        return removed
    }

    private func json(_ status: Int, _ value: JSONValue) -> ServerResponse {
        ServerResponse(
            status: status,
            headers: [("Content-Type", "application/json")],
            body: .bytes(value.encoded(pretty: true) + [0x0A])
        )
    }
}

extension SandboxHit {
    fileprivate init(_ request: ServerRequest) {
        self.init(
            number: 0,
            method: request.method,
            path: request.path,
            query: queryItems(Substring(request.query ?? "")).map { Parameter(name: $0.name, value: $0.value) },
            headers: request.headers.pairs.map { SandboxReply.Header($0.name, $0.value) },
            body: String(decoding: request.body.prefix(Self.bodyBytes), as: UTF8.self),
            milliseconds: 0,
            status: nil,
            closedEarlyMilliseconds: nil
        )
    }
}

extension SandboxReply.Delay {
    /// How long the answer to a hit waits.
    func length(_ hit: SandboxHit) -> Duration {
        switch self {
        case .fixed(let delay): return delay
        case .query(let name, let otherwise):
            guard let text = hit.parameter(name), let milliseconds = Int(text) else { return otherwise }
            return .milliseconds(min(max(0, milliseconds), SandboxReply.longestDelay))
        }
    }
}
