package import WeirJSON

/// What a field of a log event says.
package enum LogValue: Hashable, Sendable {
    /// A value that may be shown; secrets that the ``Redactor`` knows are still replaced in it.
    case shown(JSONValue)

    /// A URL: the values of its query and its user information are never shown.
    case url(String)

    /// A value that must not be shown; it is not even kept.
    case secret
}

extension LogValue: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral
{
    /// A string.
    package init(stringLiteral value: String) { self = .shown(.string(value)) }

    /// A whole number.
    package init(integerLiteral value: Int) { self = .shown(.int(value)) }

    /// A truth value.
    package init(booleanLiteral value: Bool) { self = .shown(.bool(value)) }

    /// A number.
    package init(floatLiteral value: Double) { self = .shown(.double(value)) }

    /// Nothing, written as `null`.
    package init(nilLiteral: ()) { self = .shown(.null) }

    /// A string; `nil` is `null`.
    package static func string(_ value: String?) -> LogValue { .shown(value.map(JSONValue.string) ?? .null) }

    /// A whole number; `nil` is `null`.
    package static func int(_ value: (some BinaryInteger)?) -> LogValue {
        .shown(value.map { JSONValue.int($0) } ?? .null)
    }

    /// A truth value.
    package static func bool(_ value: Bool) -> LogValue { .shown(.bool(value)) }
}

/// The fields of a log event, in order: `["network": "gam", "latency_ms": .int(latency)]`.
package struct LogFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// A name and what it says.
    package struct Field: Hashable, Sendable {
        package var name: String
        package var value: LogValue
    }

    /// The fields, each name once.
    package private(set) var list: [Field] = []

    /// The fields; of a doubled name the last one stays.
    package init(dictionaryLiteral elements: (String, LogValue)...) {
        for (name, value) in elements { set(name, value) }
    }

    /// Adds a field or replaces the one of the same name.
    package mutating func set(_ name: String, _ value: LogValue) {
        if let place = list.firstIndex(where: { $0.name == name }) {
            list[place].value = value
        } else {
            list.append(Field(name: name, value: value))
        }
    }

    /// These fields and `others`, which win.
    package func merging(_ others: LogFields) -> LogFields {
        if list.isEmpty { return others }
        var merged = self
        for field in others.list { merged.set(field.name, field.value) }
        return merged
    }
}
