/// Writes JSON straight into bytes, without a tree in between.
///
/// Containers are opened and closed by hand or by closure; commas and colons come by themselves. The caller keeps the
/// order that JSON asks for (a key before each member's value); closing what was not opened is a programming error.
///
///     var json = JSONWriter()
///     json.object { json in
///         json.member("placement", "preroll")
///         json.array("errors") { json in json.string("…") }
///     }
public struct JSONWriter: Sendable {
    /// What has been written so far.
    public private(set) var bytes: [UInt8]

    private let isPretty: Bool
    private var depth = 0
    private var isFirst = true
    private var followsKey = false

    /// A writer; a pretty one breaks lines and indents by two spaces.
    public init(pretty: Bool = false, reserving capacity: Int = 512) {
        isPretty = pretty
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// What has been written so far, as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Opens an object.
    public mutating func beginObject() { open(UInt8(ascii: "{")) }

    /// Closes the object.
    public mutating func endObject() { close(UInt8(ascii: "}")) }

    /// Opens an array.
    public mutating func beginArray() { open(UInt8(ascii: "[")) }

    /// Closes the array.
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    /// Writes the key of the next member.
    public mutating func key(_ key: String) {
        separate()
        appendQuoted(key)
        bytes.append(UInt8(ascii: ":"))
        if isPretty { bytes.append(0x20) }
        followsKey = true
    }

    /// Writes a string.
    public mutating func string(_ value: String) {
        separate()
        appendQuoted(value)
    }

    /// Writes a string that is there as UTF-8 bytes; the caller answers for its being valid.
    public mutating func string(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        separate()
        self.bytes.append(UInt8(ascii: "\""))
        appendEscaped(bytes)
        self.bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a whole number.
    @inlinable
    public mutating func int(_ value: some BinaryInteger) {
        if let value = Int64(exactly: value) { integer(value) } else { raw(String(value).utf8) }
    }

    /// Writes a whole number of 64 bits; what ``int(_:)`` comes to.
    @usableFromInline
    mutating func integer(_ value: Int64) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }

    /// Writes a number; infinities and NaN, which JSON cannot say, become `null`.
    public mutating func double(_ value: Double) {
        if value.isFinite { raw(value.description.utf8) } else { null() }
    }

    /// Writes a number as it is.
    public mutating func number(_ value: JSONNumber) { raw(value.text.utf8) }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) { raw((value ? "true" : "false").utf8) }

    /// Writes `null`.
    public mutating func null() { raw("null".utf8) }

    /// Writes a value that is JSON already; the caller answers for its being one.
    public mutating func raw(_ json: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// A comma and a line break where the next piece needs them.
    private mutating func separate() {
        if followsKey {
            followsKey = false
            return
        }
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        if depth > 0 { breakLine() }
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        depth += 1
        isFirst = true
    }

    private mutating func close(_ bracket: UInt8) {
        precondition(depth > 0 && !followsKey, "A container is closed that is not open, or a key has no value.")
        depth -= 1
        if !isFirst { breakLine() }
        bytes.append(bracket)
        isFirst = false
    }

    private mutating func breakLine() {
        guard isPretty else { return }
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: 2 * depth))
    }

    private mutating func appendQuoted(_ value: String) {
        var value = value
        bytes.append(UInt8(ascii: "\""))
        value.withUTF8 { appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends runs that need no escape at once.
    private mutating func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
        var runStart = 0
        while true {
            let runEnd = Self.firstToEscape(utf8, from: runStart)
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[runStart..<runEnd]))
            if runEnd == utf8.count { return }
            appendEscape(utf8[runEnd])
            runStart = runEnd + 1
        }
    }

    /// Where the next control character, quote or backslash is, or the end; looks at eight bytes at a time.
    private static func firstToEscape(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        let raw = UnsafeRawBufferPointer(utf8)
        while index + 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // A byte less than n borrows from its top bit; bytes above 0x7F have none of the three (their top bit is set).
            let control = word &- 0x2020_2020_2020_2020
            let quote = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
            let backslash = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
            if (control | quote | backslash) & ~word & 0x8080_8080_8080_8080 != 0 { break }
            index += 8
        }
        while index < utf8.count, utf8[index] >= 0x20, utf8[index] != 0x22, utf8[index] != 0x5C { index += 1 }
        return index
    }

    private mutating func appendEscape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: byte < 16 ? "u000".utf8 : "u001".utf8)
            bytes.append(contentsOf: String(byte & 15, radix: 16).utf8)
        }
    }
}
