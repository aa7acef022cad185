internal import WeirGateway
internal import WeirJSON
internal import WeirModel
internal import WeirPlayback

/// Reads the bodies of `/v1/sessions`.
enum SessionReader {
    /// The most inputs of one call.
    static let inputLimit = 10_000

    /// The bytes are counted once, by the server as they come (`server.max_body_bytes`).
    private static let limits = JSONLimits(bytes: .max, depth: 24, values: 200_000)

    /// Reads what opens a session: a placement, a request as for `/v1/ads`, and what the format reads itself.
    ///
    /// - Throws: ``BadRequest`` with every problem found.
    static func opening(_ body: [UInt8]) throws(BadRequest) -> SessionOpening {
        let value = try json(body)
        let problems = JSONProblems()
        let root = JSONField(value, problems: problems)
        let autoload = root.optionalBool("autoload") ?? true
        let settings = root.optionalObject("settings")
        let tracking = settings?.optionalBool("client_side_tracking") ?? false
        let preloads = settings?.optionalBool("preload_next") ?? false
        let request = try request(root)
        var opening = SessionOpening(
            request: request,
            autoload: autoload,
            clientSideTracking: tracking,
            message: PlaybackMessage(
                "session",
                (value.object?.members ?? [])
                    .filter { $0.key != "request" && $0.key != "placement" }
                    .map { PlaybackDetail($0.key, PlaybackValue($0.value)) }
            )
        )
        opening.preloadsNext = preloads
        return opening
    }

    /// The request is that of `/v1/ads`, with the placement beside it, and the mid-points if the client likes.
    ///
    /// - Throws: ``BadRequest`` with what is wrong in the request, and with what the caller has noted already.
    private static func request(_ root: JSONField) throws(BadRequest) -> AdRequest {
        let asked = root.optionalObject("request")
        let beside = ["placement"] + (root.optionalObject("midpoints") == nil ? [] : ["midpoints"])
        let within = (asked?.value.object?.members ?? []).filter { !beside.contains($0.key) }
        let members = within.map { ($0.key, $0.value) } + beside.map { ($0, root.value[$0] ?? .null) }
        let noted = root.problems.list.map(RequestProblem.init)
        let request: AdRequest
        do { request = try AdRequestReader.read(.object(JSONObject(members))) } catch {
            let found = error.problems.map { problem in
                let first = String(problem.path.prefix { $0 != "." && $0 != "[" })
                let path = beside.contains(first) ? problem.path : "request.\(problem.path)"
                return RequestProblem(path: path, message: problem.message)
            }
            throw BadRequest(problems: noted + found)
        }
        guard noted.isEmpty else { throw BadRequest(problems: noted) }
        return request
    }

    /// Reads inputs, and the number of the last output that the client has.
    ///
    /// - Throws: ``BadRequest`` when it is not a list of inputs; then none of them is taken.
    static func inputs(_ body: [UInt8]) throws(BadRequest) -> (inputs: [SessionInput], after: Int?) {
        let value = try json(body)
        let problems = JSONProblems()
        let root = JSONField(value, problems: problems)
        let after = root.optionalInt("after", range: 0...Int.max)
        guard let list = root.member("inputs") else {
            // A single input may stand alone.
            guard value["type"] != nil else {
                throw BadRequest(problems: [RequestProblem(path: "inputs", message: "is missing")])
            }
            let input = input(root)
            try check(problems)
            return (input.map { [$0] } ?? [], after)
        }
        let inputs = (list.elements(maxCount: inputLimit) ?? []).compactMap(input)
        try check(problems)
        return (inputs, after)
    }

    private static func input(_ field: JSONField) -> SessionInput? {
        guard let root = field.object(), let type = root.requiredString("type", maxBytes: 64) else { return nil }
        let seq = root.optionalInt("seq", range: 1...Int.max)
        return SessionInput(
            seq: seq,
            message: PlaybackMessage(
                type,
                (root.value.object?.members ?? [])
                    .filter { $0.key != "type" && $0.key != "seq" }
                    .map { PlaybackDetail($0.key, PlaybackValue($0.value)) }
            )
        )
    }

    private static func json(_ body: [UInt8]) throws(BadRequest) -> JSONValue {
        do { return try JSONReader.read(body, limits: limits) } catch {
            throw BadRequest(problems: [RequestProblem(path: "", message: "The body is not JSON: \(error)")])
        }
    }

    private static func check(_ problems: JSONProblems) throws(BadRequest) {
        guard !problems.isEmpty else { return }
        throw BadRequest(problems: problems.list.map(RequestProblem.init))
    }
}

extension PlaybackValue {
    /// A JSON value; numbers that fit no double are null.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .flag(flag)
        case .number(let number):
            self = number.int64.map(PlaybackValue.integer) ?? number.double.map(PlaybackValue.number) ?? .null
        case .string(let text): self = .text(text)
        case .array(let values): self = .list(values.map { PlaybackValue($0) })
        case .object(let object):
            self = .object(object.members.map { PlaybackDetail($0.key, PlaybackValue($0.value)) })
        }
    }
}
