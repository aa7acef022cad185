/// The parameters of a query string, decoded once.
///
/// `+` means a blank and `%XX` a byte, as in HTML forms; what is not a valid escape stands for itself. At most
/// ``limit`` parameters are read.
package struct QueryParameters: Sendable, Hashable {
    /// The most parameters read of one query.
    package static let limit = 200

    /// Name and value in the order of the query.
    package let pairs: [(name: String, value: String)]

    /// Whether there were more than ``limit``.
    package let isCut: Bool

    /// Reads a query, without its question mark.
    package init(_ query: String?) {
        guard let query, !query.isEmpty else {
            isCut = false
            pairs = []
            return
        }
        let parts = query.utf8.split(separator: UInt8(ascii: "&"), maxSplits: Self.limit)
        isCut = parts.count > Self.limit
        pairs = parts.prefix(Self.limit).map { pair in
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let value = equals == pair.endIndex ? pair[equals...] : pair[pair.index(after: equals)...]
            return (Self.decode(pair[..<equals]), Self.decode(value))
        }
    }

    /// The first value of `name`; an empty one counts as absent, as players leave unfilled macros empty.
    package subscript(name: String) -> String? {
        pairs.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// The names that stand more than once with a value, each once.
    package var doubledNames: [String] {
        let names = pairs.filter { !$0.value.isEmpty }.map(\.name)
        if names.count < 2 { return [] }
        var seen: [String: Int] = [:]
        for name in names { seen[name, default: 0] += 1 }
        return names.filter { name in
            defer { seen[name] = 0 }
            return seen[name, default: 0] > 1
        }
    }

    /// Same pairs in the same order.
    package static func == (left: QueryParameters, right: QueryParameters) -> Bool {
        left.pairs.elementsEqual(right.pairs) { $0 == $1 }
    }

    /// Feeds the pairs.
    package func hash(into hasher: inout Hasher) {
        for pair in pairs {
            hasher.combine(pair.name)
            hasher.combine(pair.value)
        }
    }

    /// Undoes form encoding, or, with `isForm` false, the percent encoding of a path, in which `+` is a plus.
    package static func decode(_ text: some Sequence<UInt8>, isForm: Bool = true) -> String {
        let text = Array(text)
        if !text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) {
            return String(decoding: text, as: UTF8.self)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            index += 1
            if byte == UInt8(ascii: "%"), index + 2 <= text.count, let high = hexValue(text[index]),
                let low = hexValue(text[index + 1])
            {
                bytes.append(high << 4 | low)
                index += 2
            } else {
                bytes.append(isForm && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

private func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}
