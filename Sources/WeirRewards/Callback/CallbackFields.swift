/// The parameters of a callback: split on the raw `&` and `=`, each name and value then decoded once.
///
/// Splitting before decoding is what keeps `custom_data=x%26reward_amount%3D9999` one field: the signature covers the
/// decoded text and would not notice the difference.
package struct CallbackFields: Sendable, Hashable {
    /// One parameter.
    package struct Field: Sendable, Hashable {
        /// Its name, decoded.
        package var name: String
        /// Its value, decoded; empty when there is no `=`.
        package var value: String
    }

    /// The most parameters read.
    package static let limit = 64

    /// In the order in which they came.
    package private(set) var fields: [Field] = []

    /// Fields put together by hand, in this order; of two of one name the first counts.
    package init(_ fields: [Field]) {
        for field in fields where self[field.name] == nil { self.fields.append(field) }
    }

    /// Reads a query or a form body.
    ///
    /// - Parameters:
    ///   - raw: The bytes as they came, without a question mark.
    ///   - plusIsBlank: Whether `+` means a blank, as in HTML forms.
    /// - Throws: ``CallbackFault`` for too many parameters, an escape that is none, a name that stands twice.
    package init(_ raw: some Collection<UInt8>, plusIsBlank: Bool = false) throws(CallbackFault) {
        for part in raw.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            if part.isEmpty && raw.isEmpty { break }
            guard fields.count < Self.limit else {
                throw CallbackFault(.tooLarge, "more than \(Self.limit) parameters")
            }
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let value = equals == part.endIndex ? part[equals...] : part[part.index(after: equals)...]
            guard let name = Self.text(part[..<equals], plusIsBlank), let value = Self.text(value, plusIsBlank) else {
                throw CallbackFault(.badEscape, "an escape in the query is none, or its text is not UTF-8")
            }
            guard !name.isEmpty else { throw CallbackFault(.badParameter, "a parameter has no name") }
            guard self[name] == nil else {
                throw CallbackFault(.doubledParameter, "the parameter \(name.prefix(64)) stands twice")
            }
            fields.append(Field(name: name, value: value))
        }
    }

    /// The value of `name`; `nil` when there is no such parameter, which is not the same as an empty one (S2.10).
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// Whether the names rise, byte by byte, as AdMob writes them.
    var isAscending: Bool {
        zip(fields, fields.dropFirst()).allSatisfy {
            $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        }
    }

    private static func text(_ raw: some Collection<UInt8>, _ plusIsBlank: Bool) -> String? {
        guard plusIsBlank else { return PercentText.decode(raw) }
        return PercentText.decode(raw.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 })
    }
}
