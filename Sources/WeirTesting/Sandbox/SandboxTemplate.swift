internal import WeirAdapterKit
internal import WeirJSON

/// Fills the `{…}` of a scripted text.
struct SandboxTemplate {
    /// How a query's value is made safe for the text around it.
    enum Escaping {
        case none
        case xml
        case json

        init(contentType: String) {
            if contentType.contains("json") {
                self = .json
            } else if contentType.contains("xml") || contentType.contains("html") {
                self = .xml
            } else {
                self = .none
            }
        }
    }

    /// The most characters between two braces, lest a text full of open ones be searched to its end for each.
    private static let longestName = 128

    var base: String
    var query: [SandboxHit.Parameter]

    /// The text with everything known filled in; other braces stay.
    func fill(_ text: String, _ escaping: Escaping) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
        var filled = ""
        var rest = Substring(text)
        while let brace = rest.firstIndex(of: "{") {
            filled += rest[..<brace]
            rest = rest[brace...]
            if let close = rest.prefix(Self.longestName).firstIndex(of: "}"),
                let value = value(rest[..<close].dropFirst(), escaping)
            {
                filled += value
                rest = rest[rest.index(after: close)...]
            } else {
                filled.append("{")
                rest.removeFirst()
            }
        }
        return filled + rest
    }

    private func value(_ name: Substring, _ escaping: Escaping) -> String? {
        if name == "base" { return base }
        if name.hasPrefix("query_encoded.") { return percentEncoded(parameter(name.dropFirst(14))) }
        if name.hasPrefix("query.") { return escape(parameter(name.dropFirst(6)), escaping) }
        return nil
    }

    private func parameter(_ name: Substring) -> String {
        query.first { $0.name == name }?.value ?? ""
    }

    private func escape(_ text: String, _ escaping: Escaping) -> String {
        switch escaping {
        case .none: text
        case .json: String(JSONValue.string(text).encodedText.dropFirst().dropLast())
        case .xml:
            text.reduce(into: "") { escaped, character in
                switch character {
                case "&": escaped += "&amp;"
                case "<": escaped += "&lt;"
                case ">": escaped += "&gt;"
                case "\"": escaped += "&quot;"
                default: escaped.append(character)
                }
            }
        }
    }
}
