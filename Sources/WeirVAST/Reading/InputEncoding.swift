/// Turns the bytes of an answer into UTF-8: UTF-8, UTF-16, ISO-8859-1 and windows-1252, with or without a mark.
struct InputEncoding {
    /// The document in UTF-8, without a byte order mark.
    private(set) var bytes: [UInt8] = []
    /// What was tolerated.
    private(set) var remarks: [Diagnostic] = []
    /// Whether the encoding is one that cannot be read.
    private(set) var isUnreadable = false

    init(_ input: UnsafeRawBufferPointer, lenient: Bool) {
        if input.starts(with: [0xEF, 0xBB, 0xBF]) {
            bytes = Array(input.dropFirst(3))
        } else if input.starts(with: [0xFF, 0xFE]) {
            readUTF16(input.dropFirst(2), isBigEndian: false)
        } else if input.starts(with: [0xFE, 0xFF]) {
            readUTF16(input.dropFirst(2), isBigEndian: true)
        } else if input.starts(with: [0x3C, 0x00]) {
            readUTF16(input[...], isBigEndian: false)
        } else if input.starts(with: [0x00, 0x3C]) {
            readUTF16(input[...], isBigEndian: true)
        } else {
            readDeclared(input)
        }
        if lenient, !isUnreadable { replaceInvalidBytes() }
    }

    private mutating func readDeclared(_ input: UnsafeRawBufferPointer) {
        let name = Self.declaredName(in: input)
        switch name {
        case "", "utf-8", "utf8", "us-ascii", "ascii": bytes = Array(input)
        case "utf-16", "utf-16le", "utf-16be", "unicode":
            remark(.encoding, "The declaration says \(name), the bytes are not: read as UTF-8.")
            bytes = Array(input)
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1": readBytes(input) { UInt16($0) }
        case "windows-1252", "cp1252", "cp-1252": readBytes(input, Self.windows1252)
        default:
            isUnreadable = true
            remarks.append(
                Diagnostic(
                    code: .encoding,
                    severity: .error,
                    line: 1,
                    column: 1,
                    message: "The encoding \(name) is not supported; send UTF-8."
                )
            )
        }
    }

    /// The `encoding` of the XML declaration, in lower case; empty when there is none in the first 200 bytes.
    private static func declaredName(in input: UnsafeRawBufferPointer) -> String {
        let start = input.firstIndex { !isXMLSpace($0) } ?? input.endIndex
        let head = input[start...].prefix(200)
        guard head.starts(with: "<?xml".utf8) else { return "" }
        let declaration = head[..<(head.firstIndex(of: UInt8(ascii: ">")) ?? head.endIndex)]
        let word = Array("encoding".utf8)
        guard let key = declaration.indices.first(where: { declaration[$0...].starts(with: word) }) else { return "" }
        let rest = declaration[(key + word.count)...].drop { isXMLSpace($0) || $0 == UInt8(ascii: "=") }
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return "" }
        return String(decoding: rest.dropFirst().prefix { $0 != quote }, as: UTF8.self).lowercased()
    }

    private mutating func readBytes(_ input: UnsafeRawBufferPointer, _ scalar: (UInt8) -> UInt16) {
        bytes.reserveCapacity(input.count + input.count / 8)
        for byte in input {
            if byte < 0x80 { bytes.append(byte) } else { append(Unicode.Scalar(scalar(byte)) ?? "\u{FFFD}") }
        }
    }

    private mutating func readUTF16(_ input: Slice<UnsafeRawBufferPointer>, isBigEndian: Bool) {
        bytes.reserveCapacity(input.count)
        var units: [UInt16] = []
        units.reserveCapacity(input.count / 2)
        var index = input.startIndex
        while index + 1 < input.endIndex {
            let first = UInt16(input[index])
            let second = UInt16(input[index + 1])
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
            index += 2
        }
        if units.first == 0xFEFF { units.removeFirst() }
        bytes = Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// Reads stray bytes as windows-1252, which is what they are when a server says UTF-8 and does not mean it.
    private mutating func replaceInvalidBytes() {
        guard !Self.isASCII(bytes), !Self.isValidUTF8(bytes) else { return }
        let input = bytes
        bytes = []
        bytes.reserveCapacity(input.count + 64)
        var index = 0
        while index < input.count {
            let length = Self.sequenceLength(input, index)
            if length > 0 {
                bytes.append(contentsOf: input[index..<index + length])
                index += length
            } else {
                append(Unicode.Scalar(Self.windows1252(input[index])) ?? "\u{FFFD}")
                index += 1
            }
        }
        remark(.invalidCharacters, "Some bytes are not UTF-8: read as windows-1252.")
    }

    /// Looks at eight bytes at a time.
    private static func isASCII(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var index = 0
            while index + 8 <= buffer.count {
                if buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 {
                    return false
                }
                index += 8
            }
            return buffer[index...].allSatisfy { $0 < 0x80 }
        }
    }

    private static func isValidUTF8(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }

    /// The length of the well-formed UTF-8 sequence at `index`, or zero.
    private static func sequenceLength(_ bytes: [UInt8], _ index: Int) -> Int {
        let first = bytes[index]
        if first < 0x80 { return 1 }
        let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0
        guard length > 0, index + length <= bytes.count else { return 0 }
        return isValidUTF8(Array(bytes[index..<index + length])) ? length : 0
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    private mutating func remark(_ code: DiagnosticCode, _ message: String) {
        remarks.append(Diagnostic(code: code, severity: .warning, line: 1, column: 1, message: message))
    }

    /// The upper half of windows-1252 differs from ISO-8859-1 between 0x80 and 0x9F.
    private static func windows1252(_ byte: UInt8) -> UInt16 {
        let table: [UInt16] = [
            0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
            0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
            0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
        ]
        return (0x80...0x9F).contains(byte) ? table[Int(byte) - 0x80] : UInt16(byte)
    }
}
