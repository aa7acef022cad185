/// One thing that is wrong with a document, and where.
public struct JSONProblem: Hashable, Sendable {
    /// What kind of wrong.
    public enum Kind: String, Hashable, Sendable {
        /// Something required is not there.
        case missing

        /// The value is of another type.
        case wrongType = "wrong_type"

        /// The type is right, the value is not allowed.
        case badValue = "bad_value"

        /// No such key is known.
        case unknownKey = "unknown_key"
    }

    /// What kind of wrong.
    public var kind: Kind

    /// Where: `waterfall[2].rate`.
    public var path: JSONPath

    /// What, as the end of a sentence whose subject is the path: `must be a whole number, not a string`.
    public var message: String

    /// What to write instead, when there is a guess: a whole sentence.
    public var hint: String?

    /// A problem.
    public init(kind: Kind, path: JSONPath, message: String, hint: String? = nil) {
        self.kind = kind
        self.path = path
        self.message = message
        self.hint = hint
    }
}

/// The problems found so far in one document; all fields of the document share it.
///
/// Lives inside one reading function and never leaves its thread.
public final class JSONProblems {
    /// How many problems are kept; a document with more is wrong enough.
    public static let limit = 100

    /// The problems, in the order in which they were found.
    public private(set) var list: [JSONProblem] = []

    /// No problems yet.
    public init() {}

    /// Whether nothing is wrong.
    public var isEmpty: Bool { list.isEmpty }

    /// Notes a problem; past the limit it is dropped.
    public func note(_ problem: JSONProblem) {
        if list.count < Self.limit { list.append(problem) }
    }
}
