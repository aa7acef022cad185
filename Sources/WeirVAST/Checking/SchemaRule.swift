internal import CXML

/// A broken rule of XML Schema (W3C XML Schema Part 1, validation rules `cvc-…`) in words.
struct SchemaRule {
    /// One sentence with the name of the rule.
    let sentence: String
    /// Whether the rule only repeats what the one before it said.
    let isConsequence: Bool
    /// Whether VAST 4.3 allows what the schema of 4.2 does not know.
    let isAdded43: Bool

    /// The rule behind a finding about an element in `parent`.
    init(_ finding: SchemaCheck.Finding, parent: String) {
        let detail = Detail(finding.message)
        let element = "<\(detail.element)>"
        let subject = detail.attribute.isEmpty ? "the text of \(element)" : "\(detail.attribute) of \(element)"
        var rule = "cvc-valid"
        var words = detail.rest
        switch finding.code {
        case UInt32(XML_SCHEMAV_ELEMENT_CONTENT.rawValue):
            rule = "cvc-complex-type.2.4"
            let expected = detail.expected.isEmpty ? "nothing more" : detail.expected
            words =
                detail.rest.hasPrefix("Missing")
                ? "\(element) ends too early; the schema expects \(expected) in it"
                : "\(element) may not stand here; the schema expects \(expected) at this place in <\(parent)>"
        case UInt32(XML_SCHEMAV_CVC_COMPLEX_TYPE_4.rawValue):
            rule = "cvc-complex-type.4"
            words = "\(element) must have the attribute \(detail.quoted)"
        case UInt32(XML_SCHEMAV_CVC_COMPLEX_TYPE_3_2_1.rawValue), UInt32(XML_SCHEMAV_CVC_COMPLEX_TYPE_3_2_2.rawValue),
            UInt32(XML_SCHEMAV_CVC_COMPLEX_TYPE_3_1.rawValue):
            rule = "cvc-complex-type.3"
            let attribute = detail.attribute.isEmpty ? detail.quoted : detail.attribute
            words = "\(element) may not have the attribute \(attribute)"
        case UInt32(XML_SCHEMAV_CVC_COMPLEX_TYPE_2_3.rawValue):
            rule = "cvc-complex-type.2.3"
            words = "\(element) may hold elements only, no text"
        case UInt32(XML_SCHEMAV_CVC_COMPLEX_TYPE_2_2.rawValue), UInt32(XML_SCHEMAV_CVC_COMPLEX_TYPE_2_1.rawValue),
            UInt32(XML_SCHEMAV_CVC_TYPE_3_1_2.rawValue):
            rule = "cvc-complex-type.2"
            words = "\(element) may hold text only, no elements"
        case UInt32(XML_SCHEMAV_CVC_ENUMERATION_VALID.rawValue):
            rule = "cvc-enumeration-valid"
            words = "\(subject) is \(detail.value), not one of \(detail.set)"
        case UInt32(XML_SCHEMAV_CVC_PATTERN_VALID.rawValue):
            rule = "cvc-pattern-valid"
            words = "\(subject) is \(detail.value), which does not have the form that is asked for"
        case UInt32(XML_SCHEMAV_CVC_DATATYPE_VALID_1_2_1.rawValue)...UInt32(XML_SCHEMAV_CVC_TYPE_3_1_1.rawValue):
            rule = "cvc-datatype-valid"
            words = "\(subject) is \(detail.value), not \(detail.typeInWords)"
        case UInt32(XML_SCHEMAV_CVC_ELT_1.rawValue):
            rule = "cvc-elt.1"
            words = "\(element) is not an element that the schema describes"
        default: break
        }
        sentence = words.prefix(1).uppercased() + words.dropFirst() + " (\(rule))."
        isConsequence = rule == "cvc-datatype-valid"
        isAdded43 = VASTSchema.additions43.contains { $0.element == detail.element && $0.covers(detail) }
    }

    /// The pieces of libxml2's message: `Element 'E', attribute 'a': …`.
    fileprivate struct Detail {
        var element = ""
        var attribute = ""
        var rest = ""
        /// The first quoted piece of the rest.
        var quoted = ""
        private var secondQuoted = ""

        init(_ message: String) {
            let text = Self.withoutNamespaces(message).filter { $0 != "\n" }
            let head = text.prefix { $0 != ":" }
            let names = Self.quotedPieces(head)
            element = names.first ?? ""
            attribute = head.contains("attribute") ? names.last ?? "" : ""
            rest = String(text.dropFirst(head.count + 1).drop { $0 == " " })
            if rest.hasSuffix(".") { rest.removeLast() }
            let facts = Self.withoutFacet(rest)
            let pieces = Self.quotedPieces(facts)
            quoted = pieces.first ?? ""
            secondQuoted = pieces.count > 1 ? pieces[pieces.count - 1] : ""
            // A value may hold quotes itself; what follows it tells where it ends.
            if let open = facts.firstIndex(of: "'"), let end = facts.ranges(of: "' is not").last, open < end.lowerBound
            {
                quoted = String(facts[facts.index(after: open)..<end.lowerBound])
            }
        }

        /// The value, short enough for a sentence.
        var value: String { "\"" + quoted.prefix(60) + (quoted.count > 60 ? "…" : "") + "\"" }

        /// `<A>, <B> or <C>`.
        var expected: String {
            guard let open = rest.lastIndex(of: "("), let close = rest.lastIndex(of: ")"), open < close else {
                return ""
            }
            let names = rest[rest.index(after: open)..<close].split { $0 == "," || $0 == " " }.map { "<\($0)>" }
            guard names.count > 1, let last = names.last else { return names.first ?? "" }
            return names.dropLast().joined(separator: ", ") + " or " + last
        }

        /// The members of an enumeration.
        var set: String {
            guard let open = rest.firstIndex(of: "{"), let close = rest.lastIndex(of: "}"), open < close else {
                return ""
            }
            return rest[rest.index(after: open)..<close].filter { $0 != "'" }
        }

        var typeInWords: String {
            switch secondQuoted {
            case "xs:integer", "xs:int", "xs:nonNegativeInteger": "a whole number"
            case "xs:positiveInteger": "a whole number above zero"
            case "xs:boolean": "true or false"
            case "xs:decimal", "xs:float", "xs:double": "a number"
            case "xs:anyURI": "a URL"
            case "xs:time": "a time HH:MM:SS"
            case "": "of the type that is asked for"
            default: "of the type \(secondQuoted)"
            }
        }

        private static func withoutFacet(_ text: String) -> String {
            guard text.hasPrefix("["), let end = text.firstIndex(of: "]") else { return text }
            return String(text[text.index(after: end)...])
        }

        private static func withoutNamespaces(_ text: String) -> String {
            var result = ""
            var rest = text[...]
            while let open = rest.firstIndex(of: "{") {
                guard let close = rest[open...].firstIndex(of: "}") else { break }
                let inside = rest[rest.index(after: open)..<close]
                result += rest[..<open]
                if !inside.hasPrefix("http") { result += rest[open...close] }
                rest = rest[rest.index(after: close)...]
            }
            return result + rest
        }

        private static func quotedPieces(_ text: some StringProtocol) -> [String] {
            let parts = text.split(separator: "'", omittingEmptySubsequences: false)
            return stride(from: 1, to: parts.count, by: 2).map { String(parts[$0]) }
        }
    }
}

extension VASTSchema {
    /// One thing that VAST 4.3 added to 4.2.
    struct Addition: Sendable {
        var element: String
        var attribute = ""
        var value = ""

        fileprivate func covers(_ detail: SchemaRule.Detail) -> Bool {
            if !value.isEmpty { return detail.attribute == attribute && detail.quoted == value }
            if !attribute.isEmpty { return detail.attribute == attribute || detail.quoted == attribute }
            return true
        }
    }

    /// What VAST 4.3 added to 4.2, whose schema is the newest there is.
    ///
    /// Alternative texts of icons, the advertiser's id and the event `notUsed`. Data URIs of interactive files are URIs,
    /// which the schema of 4.2 allows already.
    static let additions43 = [
        Addition(element: "Icon", attribute: "altText"), Addition(element: "Icon", attribute: "hoverText"),
        Addition(element: "Advertiser", attribute: "id"),
        Addition(element: "Tracking", attribute: "event", value: "notUsed"),
    ]
}
