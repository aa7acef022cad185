internal import WeirJSON

/// A hash that is the same in every process and on every machine; for telling versions apart, not for security.
struct StableHash {
    /// FNV-1a's offset basis and prime for 64 bits.
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325
    private static let prime: UInt64 = 0x0000_0100_0000_01B3

    mutating func feed(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* Self.prime }
    }

    /// Feeds a value so that neither blanks nor the order of keys matter.
    ///
    /// The recursion is as deep as the file, which the reader bounded.
    mutating func feed(_ value: JSONValue) {
        switch value {
        case .array(let elements):
            feed("[".utf8)
            for element in elements {
                feed(element)
                feed(",".utf8)
            }
            feed("]".utf8)
        case .object(let object):
            feed("{".utf8)
            for member in object.members.sorted(by: { $0.key < $1.key }) {
                feed(.string(member.key))
                feed(member.value)
                feed(",".utf8)
            }
            feed("}".utf8)
        default:
            feed(value.encoded())
        }
    }

    /// The first `digits` of the hash's sixteen hexadecimal digits.
    func text(digits: Int = 16) -> String {
        let hex = String(state, radix: 16)
        return String((String(repeating: "0", count: 16 - hex.count) + hex).prefix(digits))
    }
}
