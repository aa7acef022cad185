/// The parameters of a query string, decoded once.
///
/// `+` means a blank and `%XX` a byte, as in HTML forms; what is not a valid escape stands for itself. At most
/// ``limit`` parameters are read.
package struct QueryParameters: Sendable, Hashable {
    /// The most parameters read of one query.
    package static let limit = 200

    /// Name and value in the order of the query.
    package let pairs: [(name: String, value: String)]

    /// Reads a query, without its question mark.
    package init(_ query: String?) {
        pairs = (query ?? "").utf8.split(separator: UInt8(ascii: "&")).prefix(Self.limit).map { pair in
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let value = equals == pair.endIndex ? pair[equals...] : pair[pair.index(after: equals)...]
            return (Self.decode(pair[..<equals]), Self.decode(value))
        }
    }

    /// The first value of `name`; an empty one counts as absent, as players leave unfilled macros empty.
    package subscript(name: String) -> String? {
        pairs.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// The names that stand more than once, each once.
    package var doubledNames: [String] {
        var seen: [String: Int] = [:]
        for pair in pairs { seen[pair.name, default: 0] += 1 }
        return pairs.map(\.name).filter { name in
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

    /// Undoes form encoding.
    package static func decode(_ text: some Sequence<UInt8>) -> String {
        var bytes: [UInt8] = []
        var pending: [UInt8] = []
        for byte in text {
            if !pending.isEmpty {
                pending.append(byte)
                guard pending.count == 3 else { continue }
                if let high = hexValue(pending[1]), let low = hexValue(pending[2]) {
                    bytes.append(high << 4 | low)
                } else {
                    bytes += pending
                }
                pending = []
            } else if byte == UInt8(ascii: "%") {
                pending = [byte]
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(decoding: bytes + pending, as: UTF8.self)
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
