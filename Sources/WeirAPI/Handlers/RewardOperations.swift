internal import WeirGateway
internal import WeirHTTP
internal import WeirJSON
internal import WeirStore
internal import WeirTime

/// What operators ask about rewards.
extension Services {
    /// What `state` may be: a grant's, or a delivery's.
    private static let rewardStates =
        GrantRecord.State.allCases.map(\.rawValue)
        + GrantRecord.Delivery.allCases.filter { $0 != .none }.map(\.rawValue)

    /// The latest grants, the newest first.
    func listRewards(_ call: RoutedCall) async throws(Problem) -> ServerResponse {
        var problems: [RequestProblem] = []
        let state = call.query["state"]
        if let state, !Self.rewardStates.contains(state) {
            let known = Self.rewardStates.joined(separator: ", ")
            problems.append(RequestProblem(path: "state", message: "must be one of \(known)"))
        }
        let limit = call.query["limit"].map { Int($0) } ?? 50
        if !(limit.map((1...GrantFilter.greatestLimit).contains) ?? false) {
            problems.append(RequestProblem(path: "limit", message: "must be from 1 to \(GrantFilter.greatestLimit)"))
        }
        guard problems.isEmpty, let limit else { throw .badRequest(BadRequest(problems: problems)) }
        let filter = GrantFilter(user: call.query["user"], state: state, limit: limit)
        let grants: [GrantRecord]
        do { grants = try await rewards.grants(filter) } catch { throw .storage(error.description) }
        var json = JSONWriter(reserving: 256 + grants.count * 512)
        json.object { json in
            json.array("rewards") { json in
                for grant in grants { json.object { $0.members(of: grant) { _ in } } }
            }
        }
        return .json(json.bytes)
    }

    /// One grant with every try and every callback.
    func reward(_ call: RoutedCall) async throws(Problem) -> ServerResponse {
        let id = call.segments[0]
        let history: GrantHistory?
        do { history = try await rewards.grant(id) } catch { throw .storage(error.description) }
        guard let history else { throw .notFound("reward \(id.prefix(64))") }
        var json = JSONWriter()
        json.object { json in
            json.members(of: history.grant) { json in
                json.array("attempts") { json in
                    for attempt in history.tries { json.write(attempt) }
                }
            }
            json.array("callbacks") { json in
                for callback in history.callbacks { json.write(callback) }
            }
        }
        return .json(json.bytes)
    }

    /// Tells the publisher once more.
    func redeliverReward(_ call: RoutedCall) async throws(Problem) -> ServerResponse {
        let id = call.segments[0]
        let isThere: Bool
        let tells = rewards.tellsPublisher
        do throws(StoreError) {
            // Without an address it would wait for ever.
            isThere = tells ? try await rewards.redeliver(id) : try await rewards.grant(id)?.grant.state == .granted
        } catch {
            throw .storage(error.description)
        }
        guard isThere else { throw .notFound("granted reward \(id.prefix(64))") }
        guard tells else { throw .noPublisherCallback }
        var json = JSONWriter()
        json.object { json in
            json.member("transaction_id", id)
            json.member("delivery", GrantRecord.Delivery.waiting.rawValue)
        }
        return .json(json.bytes, status: 202)
    }
}

extension JSONWriter {
    /// The members of one grant; `more` adds to its delivery.
    fileprivate mutating func members(of grant: GrantRecord, _ more: (inout JSONWriter) -> Void) {
        let view = grant.presentation
        member("transaction_id", grant.id)
        member("state", grant.state.rawValue)
        member("reason", grant.reason)
        member("user_id", view.user)
        member("custom_data", view.customData)
        object("reward") { json in
            json.member("item", view.item)
            json.member("amount", view.amount)
        }
        member("ad_unit", view.adUnit)
        member("placement", view.placement)
        member("network", view.network)
        member("line_item", view.lineItem)
        member("request_id", view.view)
        member("reward_mode", view.mode)
        member("presented_at", view.at.rfc3339)
        member("client_at", grant.clientAt?.rfc3339)
        member("network_at", grant.networkAt?.rfc3339)
        member("granted_at", grant.grantedAt?.rfc3339)
        object("delivery") { json in
            json.member("state", grant.delivery.rawValue)
            json.member("tries", grant.tries)
            json.member("next_try_at", grant.nextTry?.rfc3339)
            more(&json)
        }
    }

    fileprivate mutating func write(_ attempt: DeliveryTry) {
        object { json in
            json.member("number", attempt.number)
            json.member("at", attempt.at.rfc3339)
            json.member("status", attempt.status)
            json.member("error", attempt.error)
            json.member("duration_ms", attempt.milliseconds)
            json.member("key_id", attempt.key)
        }
    }

    fileprivate mutating func write(_ callback: CallbackRecord) {
        object { json in
            json.member("network", callback.network)
            json.member("transaction_id", callback.transaction)
            json.member("at", callback.at.rfc3339)
            json.member("method", callback.method)
            json.member("state", callback.state.rawValue)
            json.member("reason", callback.reason)
            json.member("detail", callback.detail)
            json.member("repeats", callback.repeats)
        }
    }
}
