internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// A text with `{fields}`, `{required!}`, `{filtered|lower}` and `[MACROS]`, taken apart once.
struct DeclaredTemplate: Sendable, Hashable {
    /// Where the text goes: what its values are made safe for.
    enum Place: Sendable, Hashable {
        /// A URL, a query or a form: percent-encoded, unless the last filter is `url` or `raw`.
        case url
        /// A header's value: control characters are refused.
        case header
        /// Anywhere else: as it is.
        case plain
    }

    /// A part of the text.
    enum Part: Sendable, Hashable {
        case literal([UInt8])
        case field(DeclaredFieldUse)
        case macro(TagMacro)
    }

    /// The longest template, in bytes.
    static let longest = 8192

    /// What it is made of.
    let parts: [Part]

    /// The fields it names.
    var uses: [DeclaredFieldUse] {
        parts.compactMap { part in
            if case .field(let use) = part { use } else { nil }
        }
    }

    /// The field use that is the whole template, as `"{width}"` is.
    var wholeUse: DeclaredFieldUse? {
        guard parts.count == 1, case .field(let use) = parts[0] else { return nil }
        return use
    }

    /// The text, when nothing is to be filled in.
    var constant: String? {
        if parts.isEmpty { return "" }
        guard parts.count == 1, case .literal(let bytes) = parts[0] else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A text without fields.
    init(literal: String) {
        parts = literal.isEmpty ? [] : [.literal(Array(literal.utf8))]
    }

    /// Reads a template.
    ///
    /// - Throws: what is wrong with the first field that cannot be read.
    init(_ source: String) throws(DeclaredFilter.Unreadable) {
        guard source.utf8.count <= Self.longest else {
            throw DeclaredFilter.Unreadable(message: "is longer than \(Self.longest) bytes.")
        }
        var parts: [Part] = []
        var literal = ""
        var rest = Substring(source)
        while let mark = rest.firstIndex(where: { $0 == "{" || $0 == "[" || $0 == "%" }) {
            literal += rest[..<mark]
            rest = rest[mark...]
            guard let (part, length) = try Self.leadingPart(rest) else {
                literal.append(rest.removeFirst())
                continue
            }
            if !literal.isEmpty { parts.append(.literal(Array(literal.utf8))) }
            literal = ""
            parts.append(part)
            rest = rest.dropFirst(length)
        }
        literal += rest
        if !literal.isEmpty { parts.append(.literal(Array(literal.utf8))) }
        self.parts = parts
    }

    /// The field or macro at the front of `rest`, and its length there.
    ///
    /// Braces around what is not spelled like a field stand for themselves.
    private static func leadingPart(_ rest: Substring) throws(DeclaredFilter.Unreadable) -> (Part, Int)? {
        if let (macro, spelling) = TagMacro.leading(rest) { return (.macro(macro), spelling.count) }
        if let name = TemplateField.leadingUnclosed(rest, hasFilters: true) {
            throw DeclaredFilter.Unreadable(message: TemplateField.unclosed(name))
        }
        guard rest.first == "{", let close = rest.firstIndex(of: "}") else { return nil }
        let inside = rest[rest.index(after: rest.startIndex)..<close]
        let pieces = inside.split(separator: "|", omittingEmptySubsequences: false)
        guard let head = pieces.first, TemplateField.isSpelling(head.last == "!" ? head.dropLast() : head) else {
            return nil
        }
        var use = DeclaredFieldUse(field: try field(String(head.last == "!" ? head.dropLast() : head)))
        use.isRequired = head.last == "!"
        for piece in pieces.dropFirst() { use.filters.append(try DeclaredFilter(piece)) }
        return (.field(use), rest[...close].count)
    }

    private static func field(_ name: String) throws(DeclaredFilter.Unreadable) -> TemplateField {
        if let field = TemplateField(name) { return field }
        throw DeclaredFilter.Unreadable(
            message: "names the unknown field {\(name)}.",
            hint: TemplateField.hint(for: name)
        )
    }

    /// Appends the text to `bytes`, fields filled in.
    ///
    /// - Returns: Whether every field had a value; one that had none is empty in the text.
    /// - Throws: `skipped(missing_field)` for a required field that is missing, and for a header value that holds
    ///   control characters.
    @discardableResult
    func append(to bytes: inout [UInt8], _ scope: DeclaredScope, as place: Place) throws(AdapterError) -> Bool {
        var isComplete = true
        for part in parts {
            switch part {
            case .literal(let literal):
                bytes += literal
            case .macro(let macro):
                for (index, value) in macro.values(in: scope.ask, clock: scope.clock).enumerated() {
                    if index > 0 { bytes.append(UInt8(ascii: ",")) }
                    try Self.append(value, to: &bytes, as: place, named: macro.rawValue, isEncoded: false)
                }
            case .field(let use):
                guard let value = try scope.value(of: use) else {
                    isComplete = false
                    continue
                }
                try Self.append(value, to: &bytes, as: place, named: use.field.name, isEncoded: use.isForURLs)
            }
        }
        return isComplete
    }

    /// The text, fields filled in; `nil` when one of them has no value.
    func text(_ scope: DeclaredScope, as place: Place) throws(AdapterError) -> String? {
        var bytes: [UInt8] = []
        guard try append(to: &bytes, scope, as: place) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(
        _ value: String,
        to bytes: inout [UInt8],
        as place: Place,
        named name: String,
        isEncoded: Bool
    ) throws(AdapterError) {
        switch place {
        case .url where !isEncoded:
            appendPercentEncoded(value, to: &bytes)
        case .header:
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw AdapterError(
                    .skipped,
                    .missingField,
                    "The value of \(name) holds control characters and cannot be a header."
                )
            }
            bytes += value.utf8
        case .url, .plain:
            bytes += value.utf8
        }
    }
}

/// Appends `text`, every byte but letters, digits and `-._~` as `%XX` (RFC 3986 §2.3).
func appendPercentEncoded(_ text: String, to bytes: inout [UInt8]) {
    let hex: StaticString = "0123456789ABCDEF"
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
}
