internal import WeirModel
public import WeirTime

/// A URL, header value or body with `{fields}` that each ask fills in.
///
/// `{name}` becomes the field's value, or nothing when the ask does not say; `{name!}` makes the line item
/// `skipped(missing_field)` instead. Braces around anything that is not the spelling of a field stand for themselves; a
/// brace before a field's name that is not closed behind it is a mistake.
/// VAST macros in brackets, such as `[CACHEBUSTING]`, are filled as well. docs/configuration.md lists both.
public struct RequestTemplate: Sendable, Hashable {
    /// How a value is made safe for the place where it is put.
    public enum Encoding: Sendable, Hashable {
        /// Percent-encoded but for letters, digits and `-._~` (RFC 3986 §2.3).
        case url
        /// As it is; control characters are refused.
        case header
        /// Escaped as the inside of a JSON string.
        case json
    }

    /// A template that names a field nobody knows, or does not close the braces around one.
    public struct BadField: Error, Sendable, Hashable {
        /// The name behind the opening brace.
        public var name: String
        /// Whether the field is known and its braces are not closed.
        public var isUnclosed = false

        /// What is wrong, and what was probably meant; to be read behind the template's place.
        public var message: String {
            isUnclosed
                ? TemplateField.unclosed(name) : "names the unknown field {\(name)}. \(TemplateField.hint(for: name))"
        }
    }

    private enum Part: Sendable, Hashable {
        case literal(String)
        case field(TemplateField, isRequired: Bool)
        case macro(TagMacro)
    }

    private let parts: [Part]

    /// The template as it was written.
    public let source: String

    /// Reads a template.
    ///
    /// - Throws: ``BadField`` for the first field that does not exist or is not closed.
    public init(_ source: String) throws(BadField) {
        self.source = source
        parts = try Self.parse(source)
    }

    private static func parse(_ source: String) throws(BadField) -> [Part] {
        var parts: [Part] = []
        var literal = ""
        var rest = Substring(source)
        while let mark = rest.firstIndex(where: { $0 == "{" || $0 == "[" || $0 == "%" }) {
            literal += rest[..<mark]
            rest = rest[mark...]
            guard let (part, length) = try leadingPart(rest) else {
                literal.append(rest.removeFirst())
                continue
            }
            if !literal.isEmpty { parts.append(.literal(literal)) }
            literal = ""
            parts.append(part)
            rest = rest.dropFirst(length)
        }
        literal += rest
        if !literal.isEmpty { parts.append(.literal(literal)) }
        return parts
    }

    /// The field or macro at the front of `rest`, and its length there.
    private static func leadingPart(_ rest: Substring) throws(BadField) -> (Part, Int)? {
        if let (macro, spelling) = TagMacro.leading(rest) { return (.macro(macro), spelling.count) }
        if let name = TemplateField.leadingUnclosed(rest) { throw BadField(name: name, isUnclosed: true) }
        guard rest.first == "{", let close = rest.firstIndex(of: "}"),
            let spelling = FieldSpelling(rest[rest.index(after: rest.startIndex)..<close])
        else { return nil }
        guard let field = TemplateField(spelling.name) else { throw BadField(name: spelling.name) }
        return (.field(field, isRequired: spelling.isRequired), rest[...close].count)
    }

    /// Fills the fields in.
    ///
    /// - Parameters:
    ///   - ask: Where the values come from.
    ///   - settings: The values of `{settings.KEY}`.
    ///   - encoding: How values are made safe.
    ///   - clock: For `{remaining_ms}`.
    /// - Returns: The text.
    /// - Throws: `skipped(missing_field)` when a required field is missing or a header value holds control characters.
    public func expand(
        _ ask: AdAsk,
        settings: [String: String] = [:],
        as encoding: Encoding,
        clock: any GatewayClock
    ) throws(AdapterError) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal):
                text += literal
            case .macro(let macro):
                for (index, value) in macro.values(in: ask, clock: clock).enumerated() {
                    if index > 0 { text += "," }
                    text += try encoding.apply(to: value, named: macro.rawValue)
                }
            case .field(let field, let isRequired):
                let value = field.value(in: ask, settings: settings, clock: clock)
                if isRequired, value?.isEmpty ?? true {
                    throw AdapterError(
                        .skipped,
                        .missingField,
                        "The request does not say \(field.name), which the network needs."
                    )
                }
                text += try encoding.apply(to: value ?? "", named: field.name)
            }
        }
        return text
    }
}

/// The inside of a pair of braces, when it is spelled like a field.
private struct FieldSpelling {
    var name: String
    var isRequired: Bool

    init?(_ text: Substring) {
        isRequired = text.last == "!"
        let spelled = isRequired ? text.dropLast() : text
        guard TemplateField.isSpelling(spelled) else { return nil }
        name = String(spelled)
    }
}

extension RequestTemplate.Encoding {
    fileprivate func apply(to value: String, named name: String) throws(AdapterError) -> String {
        switch self {
        case .url:
            return percentEncoded(value)
        case .header:
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw AdapterError(
                    .skipped,
                    .missingField,
                    "The value of \(name) holds control characters and cannot be a header."
                )
            }
            return value
        case .json:
            return jsonEscaped(value)
        }
    }
}

/// Percent-encodes every byte but letters, digits and `-._~` (RFC 3986 §2.3).
public func percentEncoded(_ text: String) -> String {
    let hex: StaticString = "0123456789ABCDEF"
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            bytes.append(byte)
        default:
            bytes.append(UInt8(ascii: "%"))
            bytes.append(hex.utf8Start[Int(byte >> 4)])
            bytes.append(hex.utf8Start[Int(byte & 15)])
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

private func jsonEscaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": escaped += "\\\""
        case "\\": escaped += "\\\\"
        case "\u{0}"..<"\u{20}":
            let code = String(scalar.value, radix: 16)
            escaped += "\\u" + String(repeating: "0", count: 4 - code.count) + code
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}
