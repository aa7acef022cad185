internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// What a template may do to a field's value before it is sent: `{ifa|lower}`.
enum DeclaredFilter: Sendable, Hashable {
    /// Small letters.
    case lower
    /// Capital letters.
    case upper
    /// At most so many characters.
    case cut(Int)
    /// The first of a list.
    case first
    /// Milliseconds as whole seconds.
    case seconds
    /// A number whose decimal point is moved to the right by so many places, or to the left.
    case shift(Int)
    /// An instant in milliseconds as a date.
    case date(DeclaredDate)
    /// What stands in for a missing value.
    case fallback(String)
    /// One word for another; `*` is any other, and without it any other is missing.
    case map([String: String], other: String?)
    /// Percent-encoded.
    case url
    /// Escaped as the inside of a JSON string.
    case json
    /// Escaped as XML text and attribute.
    case xml
    /// RFC 4648 §4.
    case base64
    /// Not encoded for the place where it stands.
    case raw
    /// In JSON: a whole number.
    case int
    /// In JSON: a number.
    case number
    /// In JSON: true or false.
    case flag
    /// In JSON: a string.
    case text
    /// In JSON: a list of strings.
    case list

    /// The names, for did-you-mean and docs.
    static let names = [
        "url", "json", "xml", "base64", "raw", "lower", "upper", "cut", "first", "seconds", "shift", "date", "default",
        "map", "int", "number", "bool", "text", "list",
    ]

    /// Whether a URL must not encode the value once more.
    var isForURLs: Bool { self == .url || self == .raw }

    /// Whether an author who writes it has thought of where the value will stand.
    var isEncoding: Bool {
        switch self {
        case .url, .json, .xml, .base64, .raw: true
        default: false
        }
    }

    /// What it makes a JSON value of; `nil` when it says nothing about that.
    var type: DeclaredType? {
        switch self {
        case .int: .int
        case .number: .number
        case .flag: .flag
        case .list: .list
        case .text, .url, .json, .xml, .base64: .text
        default: nil
        }
    }

    /// The value it makes of `value`; `nil` is missing.
    func apply(to value: String?) -> String? {
        if case .fallback(let text) = self { return value.flatMap { $0.isEmpty ? nil : $0 } ?? text }
        guard let value else { return nil }
        switch self {
        case .lower: return value.lowercased()
        case .upper: return value.uppercased()
        case .cut(let length): return String(value.prefix(length))
        case .first: return String(value.prefix { $0 != "," })
        case .seconds: return Int64(value).map { String($0 / 1000) }
        // A field's number has no exponent of its own.
        case .shift(let places): return ExactDecimal("\(value)e\(places)")?.description
        case .date(let date): return Int64(value).map(date.text)
        case .map(let words, let other): return words[value] ?? other
        case .url: return percentEncoded(value)
        case .json: return String(JSONValue.string(value).encodedText.dropFirst().dropLast())
        case .xml: return xmlEscaped(value)
        case .base64: return base64Encoded(Array(value.utf8))
        case .fallback, .raw, .int, .number, .flag, .text, .list: return value
        }
    }
}

/// What a JSON template makes of a value.
enum DeclaredType: Sendable, Hashable {
    case text
    case int
    case number
    case flag
    case list
    /// A list whose elements are numbers.
    case numbers
}

extension DeclaredFilter {
    /// A filter that cannot be read: what is wrong, and the nearest right one.
    struct Unreadable: Error, Hashable {
        var message: String
        var hint: String?
    }

    /// The furthest that `shift` moves a decimal point.
    static let furthestShift = 12

    /// The longest result of `cut`.
    static let longestCut = 8192

    /// Reads `lower`, `default:TEXT`, `map:male=M,female=F,*=O`.
    init(_ spelling: Substring) throws(Unreadable) {
        let parts = spelling.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let argument = parts.count > 1 ? String(parts[1]) : nil
        if let simple = Self.simple(name) {
            guard argument == nil else {
                throw Unreadable(message: "gives the filter \(name) an argument, and it takes none.")
            }
            self = simple
            return
        }
        guard Self.names.contains(name) else {
            throw Unreadable(
                message: "names the unknown filter \"\(name.prefix(40))\".",
                hint: NearestName.of(name, among: Self.names).map { "Did you mean \"\($0)\"?" }
                    ?? "Known: \(Self.names.joined(separator: ", "))."
            )
        }
        guard let argument else {
            throw Unreadable(
                message: "gives the filter \(name) no argument.",
                hint: "Write it like \(Self.example(name))."
            )
        }
        self = try Self.filter(name, argument)
    }

    private static func simple(_ name: String) -> DeclaredFilter? {
        switch name {
        case "url": .url
        case "json": .json
        case "xml": .xml
        case "base64": .base64
        case "raw": .raw
        case "lower": .lower
        case "upper": .upper
        case "first": .first
        case "seconds": .seconds
        case "int": .int
        case "number": .number
        case "bool": .flag
        case "text": .text
        case "list": .list
        default: nil
        }
    }

    private static func filter(_ name: String, _ argument: String) throws(Unreadable) -> DeclaredFilter {
        switch name {
        case "default":
            return .fallback(argument)
        case "cut":
            guard let length = Int(argument), (1...longestCut).contains(length) else {
                throw Unreadable(message: "must give cut a length from 1 to \(longestCut).")
            }
            return .cut(length)
        case "shift":
            guard let places = Int(argument), (-furthestShift...furthestShift).contains(places) else {
                throw Unreadable(
                    message: "must give shift a number of places from -\(furthestShift) to \(furthestShift)."
                )
            }
            return .shift(places)
        case "date":
            return .date(try DeclaredDate(argument))
        default:
            return try mapping(argument)
        }
    }

    private static func mapping(_ argument: String) throws(Unreadable) -> DeclaredFilter {
        var words: [String: String] = [:]
        var other: String?
        for pair in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[0].isEmpty else {
                throw Unreadable(message: "must give map pairs.", hint: "Write it like \(example("map")).")
            }
            if sides[0] == "*" { other = String(sides[1]) } else { words[String(sides[0])] = String(sides[1]) }
        }
        return .map(words, other: other)
    }

    private static func example(_ name: String) -> String {
        switch name {
        case "default": "{width|default:640}"
        case "cut": "{ua|cut:200}"
        case "shift": "{floor|shift:2}"
        case "date": "{now|date:%Y-%m-%d}"
        default: "{user_gender|map:male=M,female=F,*=O}"
        }
    }
}

/// Base64 with padding (RFC 4648 §4).
func base64Encoded(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let piece = bytes[start..<min(start + 3, bytes.count)]
        let bits = piece.enumerated().reduce(UInt32(0)) { $0 | UInt32($1.element) << (16 - 8 * UInt32($1.offset)) }
        for place in 0..<4 {
            let letter = letters[Int(bits >> (18 - 6 * UInt32(place)) & 63)]
            text.append(place <= piece.count ? letter : UInt8(ascii: "="))
        }
    }
    return String(decoding: text, as: UTF8.self)
}

private func xmlEscaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        case "'": escaped += "&#39;"
        // XML 1.0 §2.2: other control characters cannot stand in a document at all.
        case "\u{0}"..<"\u{20}" where scalar != "\t" && scalar != "\n" && scalar != "\r": escaped += " "
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}
