internal import WeirGateway
internal import WeirHTTP
internal import WeirJSON
internal import WeirMediation
internal import WeirModel
internal import WeirStore

/// `POST /v1/events`: what apps say that happened, one event or several.
extension Services {
    /// The most events of one body.
    private static let eventLimit = 100
    /// The bytes are counted once, by the server as they come (`server.max_body_bytes`).
    private static let bodyLimits = JSONLimits(bytes: .max, depth: 16, values: 10_000)
    private static let eventTypes = ["earned_reward", "presented"]
    /// The longest custom data or user id that an event may set, in bytes.
    private static let textLimit = 8192

    func events(_ call: RoutedCall) async throws(Problem) -> ServerResponse {
        let body: JSONValue
        do { body = try JSONReader.read(call.request.body, limits: Self.bodyLimits) } catch {
            throw .badRequest(
                BadRequest(problems: [RequestProblem(path: "", message: "The body is not JSON: \(error)")])
            )
        }
        guard let list = body["events"] else {
            let event = try RewardEvent(body, at: "")
            guard let answer = try await answer(event) else { throw .forgedToken }
            var json = JSONWriter()
            json.write(answer)
            return .json(json.bytes).withCORS(call.request)
        }
        guard let entries = list.array, (1...Self.eventLimit).contains(entries.count) else {
            throw .badRequest(
                BadRequest(problems: [
                    RequestProblem(path: "events", message: "must have 1 to \(Self.eventLimit) events")
                ])
            )
        }
        var read: [RewardEvent] = []
        for (index, entry) in entries.enumerated() { read.append(try RewardEvent(entry, at: "events[\(index)].")) }
        var answers: [RewardDesk.Answer] = []
        for event in read {
            answers.append(try await answer(event) ?? RewardDesk.Answer(state: "refused", reason: "forged_token"))
        }
        var json = JSONWriter()
        json.object { json in
            json.array("results") { json in
                for answer in answers { json.write(answer) }
            }
        }
        return .json(json.bytes).withCORS(call.request)
    }

    /// `nil` for a token that is not ours.
    private func answer(_ event: RewardEvent) async throws(Problem) -> RewardDesk.Answer? {
        let unit = rewards.adUnit(of: event.token)
        // An ad unit that is gone promises nothing on a client's word; a view that is known keeps its own mode.
        let mode = unit.flatMap { adapters.lineup.catalog.adUnit($0) }?.rewardMode ?? .ssv
        do throws(StoreError) {
            guard event.isEarned else {
                let isOurs = try await rewards.presented(
                    event.token,
                    mode: mode,
                    user: event.user,
                    customData: event.customData
                )
                return isOurs ? RewardDesk.Answer(state: "noted") : nil
            }
            return try await rewards.earned(event.token, mode: mode)
        } catch {
            throw .rewardStorage(error.reason)
        }
    }

    /// One event, read.
    private struct RewardEvent {
        var isEarned: Bool
        var token: String
        var user: String?
        var customData: String?

        init(_ json: JSONValue, at path: String) throws(Problem) {
            var problems: [RequestProblem] = []
            let type = json["type"]?.string ?? ""
            if !Services.eventTypes.contains(type) {
                let known = Services.eventTypes.joined(separator: " or ")
                problems.append(RequestProblem(path: path + "type", message: "must be \(known)"))
            }
            token = json["presentation_token"]?.string ?? ""
            if token.isEmpty {
                let given = json["presentation_token"].flatMap { $0.isNull || $0.string != nil ? nil : $0.kindName }
                let message = given.map { "must be a string, the token of an ad, not \($0)" } ?? "is required"
                problems.append(RequestProblem(path: path + "presentation_token", message: message))
            }
            for key in ["user_id", "custom_data"] {
                guard let value = json[key], !value.isNull else { continue }
                let message: String
                if let text = value.string {
                    guard text.utf8.count > Services.textLimit else { continue }
                    message = "is longer than \(Services.textLimit) bytes"
                } else {
                    message = "must be a string, not \(value.kindName)"
                }
                problems.append(RequestProblem(path: path + key, message: message))
            }
            guard problems.isEmpty else { throw .badRequest(BadRequest(problems: problems)) }
            isEarned = type == "earned_reward"
            user = json["user_id"]?.string
            customData = json["custom_data"]?.string
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ answer: RewardDesk.Answer) {
        object { json in
            json.member("grant_id", answer.grant)
            json.member("state", answer.state)
            if let reason = answer.reason { json.member("reason", reason) }
        }
    }
}
