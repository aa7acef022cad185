public import WeirJSON

/// One request that reached the sandbox.
public struct SandboxHit: Sendable, Hashable {
    /// Its number, from 1.
    public var number: Int
    /// The method.
    public var method: String
    /// The path, as sent.
    public var path: String
    /// The query's parameters, decoded, in order.
    public var query: [Parameter]
    /// The header fields, in order.
    public var headers: [SandboxReply.Header]
    /// The body, at most ``bodyBytes`` of it.
    public var body: String
    /// When it came, in milliseconds from the sandbox's start.
    public var milliseconds: Int64
    /// The status it was answered with; `nil` while it waits, or when its client went first.
    public var status: Int?
    /// When its client went before the answer was complete, in milliseconds from the sandbox's start.
    public var closedEarlyMilliseconds: Int64?

    /// A parameter of a query.
    public struct Parameter: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value; empty when there is no `=`.
        public var value: String
    }

    /// The most kept of a body.
    public static let bodyBytes = 16_384

    /// The first parameter called `name`.
    public func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The first header field called `name`, whatever its case.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Whether the client went before the answer was complete.
    public var closedEarly: Bool { closedEarlyMilliseconds != nil }

    /// The hit as `GET /_hits` spells it.
    public var json: JSONValue {
        [
            "number": .int(number), "method": .string(method), "path": .string(path),
            "query": .object(JSONObject(query.map { ($0.name, .string($0.value)) })),
            "headers": .object(JSONObject(headers.map { ($0.name, .string($0.value)) })),
            "body": .string(body), "at_ms": .int(milliseconds), "status": status.map(JSONValue.int) ?? .null,
            "closed_early": .bool(closedEarly),
            "closed_at_ms": closedEarlyMilliseconds.map(JSONValue.int) ?? .null,
        ]
    }
}
