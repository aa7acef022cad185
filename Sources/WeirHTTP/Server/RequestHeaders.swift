/// The header lines of a request, in their order, names without regard to case.
package struct RequestHeaders: Sendable {
    /// Where one line lies in the bytes.
    struct Field {
        var name: Range<Int>
        var value: Range<Int>
    }

    private let bytes: [UInt8]
    private let fields: [Field]

    /// Lines that lie in `bytes`.
    init(bytes: [UInt8], fields: [Field]) {
        self.bytes = bytes
        self.fields = fields
    }

    /// Lines of these names and values.
    package init(_ pairs: [(name: String, value: String)] = []) {
        var bytes: [UInt8] = []
        var fields: [Field] = []
        for pair in pairs {
            let start = bytes.count
            bytes += pair.name.utf8
            let middle = bytes.count
            bytes += pair.value.utf8
            fields.append(Field(name: start..<middle, value: middle..<bytes.count))
        }
        self.bytes = bytes
        self.fields = fields
    }

    /// How many lines there are.
    package var count: Int { fields.count }

    /// The first line of that name.
    package subscript(name: String) -> String? {
        fields.first { matches($0, name) }.map { text($0.value) }
    }

    /// Every line of that name.
    package func values(_ name: String) -> [String] {
        fields.filter { matches($0, name) }.map { text($0.value) }
    }

    /// All lines.
    package var pairs: [(name: String, value: String)] {
        fields.map { (text($0.name), text($0.value)) }
    }

    private func matches(_ field: Field, _ name: String) -> Bool {
        field.name.count == name.utf8.count && bytes[field.name].equalsIgnoringCase(name)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}

extension Collection<UInt8> {
    /// Whether these bytes spell `text`, ASCII letters without regard to case.
    func equalsIgnoringCase(_ text: String) -> Bool {
        let other = text.utf8
        if count != other.count { return false }
        let isEqual = withContiguousStorageIfAvailable { mine in
            other.withContiguousStorageIfAvailable { theirs in
                mine.indices.allSatisfy { mine[$0].asciiLowercased == theirs[$0].asciiLowercased }
            }
        }
        if let isEqual = isEqual ?? nil { return isEqual }
        return zip(self, other).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}

extension UInt8 {
    /// The lower-case letter for `A` to `Z`, itself otherwise.
    var asciiLowercased: UInt8 { self &- 65 < 26 ? self | 32 : self }
}
