internal import WeirGateway
internal import WeirHTTP
internal import WeirJSON
internal import WeirModel
internal import WeirPlayback
internal import WeirTime

/// `/v1/sessions`: IMA's loader and manager for any language.
struct Sessions: Sendable {
    private let services: Services
    private var host: SessionHost { services.gateway.sessions }

    init(_ services: Services) {
        self.services = services
    }

    /// Makes a session and loads its ads, unless `autoload` is false.
    func open(_ call: RoutedCall) async throws(Problem) -> ServerResponse {
        try call.requireJSON()
        var opening: SessionOpening
        do { opening = try SessionReader.opening(call.request.body) } catch { throw .badRequest(error) }
        // A player asks from the viewer's own device, unless it says otherwise.
        var device = opening.request.device
        device.ip = device.ip ?? services.trustedProxies.clientAddress(of: call.request)
        device.userAgent = device.userAgent ?? call.request.header("User-Agent")
        opening.request.device = device
        do throws(SessionHost.Obstacle) {
            let view = try await host.open(opening, load: load(call))
            return .json(JSONWriter.opened(view), status: 201)
                .with("Location", "/v1/sessions/\(view.answer.id)")
                .withCORS(call.request)
        } catch {
            throw Problem(error, placement: opening.request.placement)
        }
    }

    /// Takes inputs and answers with what came of them.
    func inputs(_ call: RoutedCall) async throws(Problem) -> ServerResponse {
        try call.requireJSON()
        let batch: (inputs: [SessionInput], after: Int?)
        do { batch = try SessionReader.inputs(call.request.body) } catch { throw .badRequest(error) }
        do throws(SessionHost.Missing) {
            let answer = try await host.take(
                batch.inputs,
                of: call.segments[0],
                after: batch.after,
                load: load(call)
            )
            return .json(JSONWriter.answer(answer)).withCORS(call.request)
        } catch {
            throw Problem(error)
        }
    }

    /// Everything that can be read of a session.
    func read(_ call: RoutedCall) throws(Problem) -> ServerResponse {
        do throws(SessionHost.Missing) {
            return .json(JSONWriter.session(try host.view(call.segments[0]))).withCORS(call.request)
        } catch {
            throw Problem(error)
        }
    }

    /// Ends a session; what it still had to say comes back.
    func end(_ call: RoutedCall) async throws(Problem) -> ServerResponse {
        do throws(SessionHost.Missing) {
            let answer = try await host.end(call.segments[0])
            return .json(JSONWriter.answer(answer)).withCORS(call.request)
        } catch {
            throw Problem(error)
        }
    }

    /// The outputs after a number: as a stream of events, or once as JSON for who accepts nothing else.
    func outputs(_ call: RoutedCall) throws(Problem) -> ServerResponse {
        let id = call.segments[0]
        let asked = call.query["after"] ?? call.request.header("Last-Event-ID") ?? "0"
        guard let after = Int(asked), after >= 0 else {
            throw .badRequest(
                BadRequest(problems: [RequestProblem(path: "after", message: "must be the number of an output")])
            )
        }
        let follower: SessionFollower?
        do throws(SessionHost.Missing) {
            let accepted = call.request.header("Accept")?.lowercased() ?? "*/*"
            if accepted.contains("application/json"), !accepted.contains("text/event-stream") {
                let answer = try host.outputs(id, after: after)
                return .json(JSONWriter.answer(answer)).withCORS(call.request)
            }
            follower = try host.follow(id)
        } catch {
            throw Problem(error)
        }
        guard let follower else { throw .tooManyFollowers }
        return stream(follower, after: after, call)
    }

    // MARK: Private parts

    private func load(_ call: RoutedCall) -> SessionHost.Load {
        { [services] request in
            do throws(Problem) {
                let response = try await services.mediate(request, call)
                services.record(response)
                guard response.result == .fill else {
                    return FetchedAds(.failure(AdFailure(noFill: response)), requestID: response.requestID)
                }
                return FetchedAds(.success(response), requestID: response.requestID)
            } catch {
                let failure = AdFailure(stage: .load, code: AdFailure.failedToRequestAds, message: error.detail)
                return FetchedAds(.failure(failure), requestID: nil)
            }
        }
    }

    /// How often a quiet stream says that it is alive, so that proxies keep it (HTML §9.2.7).
    private static let heartbeat: Duration = .seconds(15)

    private func stream(_ follower: SessionFollower, after: Int, _ call: RoutedCall) -> ServerResponse {
        let (clock, draining) = (services.clock, services.draining)
        return ServerResponse(
            status: 200,
            headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
            body: .stream { writer in
                await Self.follow(follower, after: after, clock: clock, writer, until: draining)
            }
        ).withCORS(call.request)
    }

    /// Writes what is new on every ring; ends with the session, the client or the gateway.
    private static func follow(
        _ follower: SessionFollower,
        after: Int,
        clock: any GatewayClock,
        _ writer: BodyWriter,
        until draining: Flag
    ) async {
        enum Ring { case fresh, quiet, end }
        let (bells, bell) = AsyncStream.makeStream(of: Ring.self, bufferingPolicy: .bufferingNewest(4))
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in follower.rings { bell.yield(.fresh) }
                bell.yield(.end)
            }
            group.addTask {
                // A sleep fails when the task is cancelled, and with nothing else.
                while (try? await clock.sleep(for: heartbeat)) != nil { bell.yield(.quiet) }
            }
            group.addTask {
                await draining.wait()
                bell.yield(.end)
            }
            var last = after
            var shownUI: [PlaybackDetail]?
            for await ring in bells {
                let text = ring == .quiet ? Array(":\n\n".utf8) : news(follower, &last, &shownUI)
                guard await writer.write(text), ring != .end else { break }
            }
            group.cancelAll()
        }
    }

    private static func news(
        _ follower: SessionFollower,
        _ last: inout Int,
        _ shownUI: inout [PlaybackDetail]?
    ) -> [UInt8] {
        let answer = follower.news(after: last)
        var text: [UInt8] = []
        for output in answer.outputs {
            text += Array("id: \(output.seq)\nevent: \(output.output.output.type)\ndata: ".utf8)
            text += JSONWriter.output(output, answer) + Array("\n\n".utf8)
            last = output.seq
        }
        if let ui = answer.ui, ui != shownUI {
            shownUI = ui
            text += Array("event: ui\ndata: ".utf8) + JSONWriter.ui(ui) + Array("\n\n".utf8)
        }
        return text
    }
}

extension AdFailure {
    /// A waterfall that filled nothing, in a player's words: IMA's 1009, with the last reason there was.
    fileprivate init(noFill response: AdResponse) {
        let last = response.attempts.last { $0.start != nil } ?? response.attempts.last
        self.init(
            stage: .load,
            code: AdFailure.emptyResponse,
            message: last.map { "No ad: \($0.outcome.message)" } ?? "No ad: the waterfall is empty."
        )
    }
}

extension RoutedCall {
    /// Refuses a body that is declared as something else than JSON.
    func requireJSON() throws(Problem) {
        let type = request.header("Content-Type")?.lowercased().prefix { $0 != ";" }.filter { $0 != " " }
        if let type, type != "application/json", !type.hasSuffix("+json") { throw .unsupportedMediaType(type) }
    }
}
