/// A value that knows where it stands and notes what is wrong with it instead of throwing.
///
/// A reader asks for every member it knows; problems gather in ``problems``, all at once, each with its path. Optional
/// members may be absent or `null`. A method that returns `nil` for a required member has noted why.
///
///     let problems = JSONProblems()
///     let body = JSONField(value, problems: problems)
///     let placement = body.requiredString("placement")
///     let ip = body.optionalObject("device")?.optionalString("ip")
///     guard problems.isEmpty else { … }
public struct JSONField {
    /// The longest string accepted unless a caller says otherwise, in bytes.
    public static let stringBytes = 65_536

    /// The value.
    public let value: JSONValue

    /// Where it stands.
    public let path: JSONPath

    /// Where complaints go.
    public let problems: JSONProblems

    /// A field; usually the root of a document.
    public init(_ value: JSONValue, path: JSONPath = .root, problems: JSONProblems) {
        self.value = value
        self.path = path
        self.problems = problems
    }

    /// The member `key`; `nil` when it is absent or `null`, or when this is no object.
    public func member(_ key: String) -> JSONField? {
        guard let value = value[key], !value.isNull else { return nil }
        return JSONField(value, path: path.key(key), problems: problems)
    }

    /// The member `key`; its absence is noted.
    public func requiredMember(_ key: String) -> JSONField? {
        if let member = member(key) { return member }
        problems.note(JSONProblem(kind: .missing, path: path.key(key), message: "is required"))
        return nil
    }

    /// Notes that this value is not allowed.
    public func complain(_ message: String, hint: String? = nil) {
        problems.note(JSONProblem(kind: .badValue, path: path, message: message, hint: hint))
    }

    /// Notes that the member `key` is not allowed, or is missing.
    public func complain(about key: String, _ message: String, hint: String? = nil, kind: JSONProblem.Kind = .badValue)
    {
        problems.note(JSONProblem(kind: kind, path: path.key(key), message: message, hint: hint))
    }

    /// Notes that this should have been `wanted` (`a string`); always `nil`, for `return`.
    public func mismatch<Wanted>(_ wanted: String) -> Wanted? {
        problems.note(
            JSONProblem(kind: .wrongType, path: path, message: "must be \(wanted), not \(value.kindName)")
        )
        return nil
    }

    /// Notes every member whose key is not in `known`, with the nearest known name as a hint.
    public func refuseUnknownKeys(known: [String]) {
        guard let object = value.object else { return }
        for key in object.keys where !known.contains(key) {
            let nearest = NearestName.of(key, among: known)
            problems.note(
                JSONProblem(
                    kind: .unknownKey,
                    path: path.key(key),
                    message: "is not a known key",
                    hint: nearest.map { "Did you mean `\($0)`?" }
                )
            )
        }
    }
}
