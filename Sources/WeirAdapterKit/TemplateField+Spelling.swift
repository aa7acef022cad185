/// How fields are spelled in the texts of templates.
extension TemplateField {
    /// The longest spelling, in bytes.
    private static let longest = 64

    /// Whether this could be the name of a field: small first letter, then letters, digits and `_.-`.
    package static func isSpelling(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
        return text.utf8.count <= longest && text.utf8.allSatisfy(isOfName)
    }

    /// The name of the field that the brace at the front of `rest` opens and nothing closes.
    ///
    /// Such a template would be sent with the bare name in place of its value. Nobody who means the brace itself writes
    /// a field's name right behind it.
    ///
    /// - Parameters:
    ///   - rest: The template from a brace on.
    ///   - hasFilters: Whether filters may stand between the name and the closing brace.
    /// - Returns: The name; `nil` for all else.
    package static func leadingUnclosed(_ rest: Substring, hasFilters: Bool = false) -> String? {
        guard rest.utf8.first == UInt8(ascii: "{") else { return nil }
        let inside = rest.utf8.dropFirst()
        let name = inside.prefix(while: isOfName)
        guard name.count <= longest, let text = String(name), TemplateField(text) != nil else { return nil }
        var after = inside.dropFirst(name.count)
        if after.first == UInt8(ascii: "!") { after = after.dropFirst() }
        if hasFilters, after.first == UInt8(ascii: "|") {
            after = after.drop { $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "}") }
        }
        return after.first == UInt8(ascii: "}") ? nil : text
    }

    /// The complaint about a field whose brace is not closed, to be read behind the template's place.
    package static func unclosed(_ name: String) -> String {
        "opens {\(name) and does not close it. Write {\(name)}, or a blank behind a brace that means itself."
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
