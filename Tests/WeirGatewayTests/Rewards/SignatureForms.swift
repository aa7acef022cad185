/// The order of P-256's group (FIPS 186-4, D.1.2.3).
let order: [UInt8] = [
    0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA,
    0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
]

/// r and s of a signature in DER, 32 bytes each.
func integers(_ der: [UInt8]) -> [[UInt8]] {
    var rest = der[2...]
    return (0..<2).map { _ in
        let length = Int(rest[rest.startIndex + 1])
        let digits = rest.dropFirst(2).prefix(length)
        rest = rest.dropFirst(2 + length)
        let trimmed = Array(digits.drop { $0 == 0 })
        return [UInt8](repeating: 0, count: 32 - trimmed.count) + trimmed
    }
}

/// The DER of r and s.
func encoded(_ numbers: [[UInt8]]) -> [UInt8] {
    let body = numbers.flatMap { number -> [UInt8] in
        let trimmed = Array(number.drop { $0 == 0 })
        let digits = (trimmed.first ?? 0) & 0x80 == 0 ? trimmed : [0] + trimmed
        return [0x02, UInt8(digits.count)] + digits
    }
    return [0x30, UInt8(body.count)] + body
}

/// r and s one behind the other (IEEE P1363).
func flat(_ der: [UInt8]) -> [UInt8] { integers(der).flatMap { $0 } }

/// `minuend` − `number`, both of 32 bytes.
func subtracted(_ number: [UInt8], from minuend: [UInt8]) -> [UInt8] {
    var result = minuend
    var borrow = 0
    for index in minuend.indices.reversed() {
        var digit = Int(minuend[index]) - Int(number[index]) - borrow
        borrow = digit < 0 ? 1 : 0
        if digit < 0 { digit += 256 }
        result[index] = UInt8(digit)
    }
    return result
}

/// RFC 4648 §5, without padding.
func bytes(ofBase64URL text: String) -> [UInt8]? {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var bytes: [UInt8] = []
    var bits = 0
    var count = 0
    for character in text.utf8 {
        guard let value = alphabet.firstIndex(of: character) else { return nil }
        bits = (bits << 6 | value) & 0xFFFF
        count += 6
        if count >= 8 {
            count -= 8
            bytes.append(UInt8(bits >> count & 255))
        }
    }
    return bytes
}
