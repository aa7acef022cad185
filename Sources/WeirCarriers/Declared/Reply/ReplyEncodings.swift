/// The bytes that base64 stands for, of either alphabet, with or without padding (RFC 4648 §4, §5).
///
/// Line breaks are passed over; `nil` for anything else that is not base64.
func base64Decoded(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    var padding = 0
    for byte in text.utf8 {
        let value: UInt32
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
        case UInt8(ascii: "="):
            padding += 1
            continue
        case 0x0A, 0x0D, 0x20: continue
        default: return nil
        }
        guard padding == 0 else { return nil }
        bits = bits << 6 | value
        count += 1
        if count % 4 == 0 {
            bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits = 0
        }
    }
    guard padding <= 2 else { return nil }
    switch count % 4 {
    case 0: break
    case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
    case 3:
        bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
    default: return nil
    }
    return bytes
}

/// The bytes that a percent-encoded text stands for; a stray `%` stays.
func percentDecoded(_ text: String) -> [UInt8] {
    let source = Array(text.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(source.count)
    var index = 0
    while index < source.count {
        if source[index] == UInt8(ascii: "%"), index + 2 < source.count, let high = hexDigit(source[index + 1]),
            let low = hexDigit(source[index + 2])
        {
            bytes.append(high << 4 | low)
            index += 3
        } else {
            bytes.append(source[index] == UInt8(ascii: "+") ? 0x20 : source[index])
            index += 1
        }
    }
    return bytes
}

private func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
