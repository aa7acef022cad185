internal import WeirJSON
internal import WeirModel

/// Compares what a case expects with what was there.
///
/// An expected object names members that must match and leaves the others alone; an array must match element by
/// element. `"$any"` matches whatever is there, `"$absent"` only what is not, `"$regex:…"` a text or number as a whole,
/// `"$contains:…"` a text that holds another; a list beside a text must match it with every element. Numbers are compared
/// by their value: `1.5` is `1.50`.
struct CaseMatcher {
    private(set) var differences: [String] = []

    mutating func compare(_ expected: JSONValue, _ actual: JSONValue?, at path: JSONPath) {
        switch (expected, actual) {
        case (.string("$absent"), nil), (.string("$absent"), .null): break
        case (.string("$absent"), let actual?): note(path, "must be absent", actual)
        case (_, nil): note(path, "is absent; expected \(expected.encodedText)", nil)
        case (.string("$any"), _): break
        case (.string(let pattern), let actual?) where pattern.hasPrefix("$regex:"):
            match(String(pattern.dropFirst(7)), actual, path)
        case (.string(let part), .string(let text)) where part.hasPrefix("$contains:"):
            if !text.contains(part.dropFirst(10)) { note(path, "must contain \(part.dropFirst(10))", .string(text)) }
        case (.array(let parts), .string(let text)):
            for part in parts { compare(part, .string(text), at: path) }
        case (.object(let members), .object(let object)):
            for member in members.members { compare(member.value, object[member.key], at: path.key(member.key)) }
        case (.array(let elements), .array(let actual)):
            if elements.count != actual.count {
                note(path, "has \(actual.count) elements, not \(elements.count)", .array(actual))
            }
            for (index, pair) in zip(elements, actual).enumerated() { compare(pair.0, pair.1, at: path.index(index)) }
        case (.number(let wanted), .number(let seen)) where wanted.isSame(as: seen): break
        case (_, let actual?):
            if expected != actual { note(path, "must be \(expected.encodedText)", actual) }
        }
    }

    private mutating func match(_ pattern: String, _ actual: JSONValue, _ path: JSONPath) {
        guard let text = actual.string ?? actual.number?.text else {
            return note(path, "must match \(pattern)", actual)
        }
        do {
            if try Regex(pattern).wholeMatch(in: text) == nil { note(path, "must match \(pattern)", actual) }
        } catch {
            note(path, "cannot be matched: \(pattern) is no regular expression", nil)
        }
    }

    private mutating func note(_ path: JSONPath, _ complaint: String, _ actual: JSONValue?) {
        let seen = actual.map { ", but is \($0.encodedText)" } ?? ""
        differences.append("\(path) \(complaint)\(seen)")
    }
}

extension JSONNumber {
    /// Whether it is the same number, however it is written; what does not fit is compared as text.
    fileprivate func isSame(as other: JSONNumber) -> Bool {
        guard let own = ExactDecimal(text), let its = ExactDecimal(other.text) else { return self == other }
        return own == its
    }
}
