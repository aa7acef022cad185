internal import WeirJSON
internal import WeirTime

/// What holds when a key is absent.
enum Fallback: Sendable {
    /// Nothing in particular.
    case nothing
    /// This value.
    case value(JSONValue)
    /// What this phrase says.
    case words(String)

    /// A whole number.
    static func whole(_ value: Int) -> Fallback { .value(.int(value)) }

    /// A length of time in milliseconds.
    static func time(_ value: Duration) -> Fallback { .value(.int(value.milliseconds)) }

    /// A truth value.
    static func flag(_ value: Bool) -> Fallback { .value(.bool(value)) }

    /// A text.
    static func text(_ value: String) -> Fallback { .value(.string(value)) }
}
