/// Strings, numbers, literals, and the sentences for what is none of them.
extension JSONScanner {
    /// The offset after the closing quote of the string that begins here.
    func stringEnd() throws(JSONError) -> Int {
        var index = offset + 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index = try escapeEnd(index)
            case 0..<0x20:
                throw failure("A string contains \(name(bytes[index])); write it as an escape.", at: index)
            default: index += 1
            }
        }
        throw failure("The text ends inside a string.", at: offset)
    }

    /// The offset after the escape whose backslash is at `start`; a pair of surrogates is one escape.
    private func escapeEnd(_ start: Int) throws(JSONError) -> Int {
        guard start + 1 < bytes.count else { throw failure("The text ends inside a string.", at: offset) }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"): break
        default: throw failure("`\\` followed by \(name(bytes[start + 1])) is no JSON escape.", at: start)
        }
        switch try codeUnit(start) {
        case 0:
            throw failure("The character U+0000 is refused: the libraries below would end the string there.", at: start)
        case 0xD800..<0xDC00:
            let second = start + 6
            guard second + 1 < bytes.count, bytes[second] == UInt8(ascii: "\\"), bytes[second + 1] == UInt8(ascii: "u"),
                (0xDC00..<0xE000).contains(try codeUnit(second))
            else { throw failure("Half a surrogate pair is no character.", at: start) }
            return second + 6
        case 0xDC00..<0xE000: throw failure("Half a surrogate pair is no character.", at: start)
        default: return start + 6
        }
    }

    /// The value of `\uXXXX` at `start`.
    private func codeUnit(_ start: Int) throws(JSONError) -> UInt16 {
        var value: UInt16 = 0
        for index in start + 2..<start + 6 {
            guard index < bytes.count, let digit = hexValue(bytes[index]) else {
                throw failure("`\\u` needs four hexadecimal digits.", at: start)
            }
            value = value << 4 | digit
        }
        return value
    }

    /// The offset after the number that begins here.
    func endOfNumber() throws(JSONError) -> Int {
        switch numberEnd(in: bytes, from: offset) {
        case .end(let end) where end - offset > JSONLimits.numberBytes:
            throw failure("A number is longer than \(JSONLimits.numberBytes) bytes.", at: offset)
        case .end(let end): return end
        case .wrong(let place) where place < bytes.count && isDigit(bytes[place]):
            throw failure("A number may not begin with a needless zero.", at: place)
        case .wrong(let place):
            let what = place < bytes.count ? name(bytes[place]) : "the end of the text"
            throw failure("A number needs a digit here, not \(what).", at: place)
        }
    }

    /// The offset after `literal`, which must stand here.
    func literalEnd(_ literal: StaticString) throws(JSONError) -> Int {
        let length = literal.utf8CodeUnitCount
        let end = offset + length
        let matches =
            end <= bytes.count
            && literal.withUTF8Buffer { wanted in (0..<length).allSatisfy { wanted[$0] == bytes[offset + $0] } }
        guard matches else { throw unexpected(bytes[offset]) }
        return end
    }

    /// What is wrong with a value that begins with `byte`.
    func unexpected(_ byte: UInt8) -> JSONError {
        let reason =
            switch byte {
            case UInt8(ascii: "'"): "Strings stand in double quotes, not in single ones."
            case UInt8(ascii: "/"): "Comments are not part of JSON."
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                "`\(word())` is no JSON value; only true, false and null stand without quotes."
            default: "A value was expected, not \(name(byte))."
            }
        return failure(reason, at: offset)
    }

    /// An error at `place`.
    func failure(_ reason: String, at place: Int) -> JSONError {
        JSONError(position: JSONPosition(offset: place, in: bytes), reason: reason)
    }

    /// The byte as a sentence shows it.
    func name(_ byte: UInt8) -> String {
        switch byte {
        case 0x21..<0x7F: return "`\(Character(Unicode.Scalar(byte)))`"
        case 0..<0x20, 0x7F: return "the control character U+00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        case 0x20: return "a space"
        default: return "a character outside ASCII"
        }
    }

    /// The letters that begin here, as many as a sentence can show.
    private func word() -> String {
        let letters = bytes[offset...].prefix(24).prefix { isDigit($0) || ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
        return String(decoding: letters, as: UTF8.self)
    }
}

private func hexValue(_ byte: UInt8) -> UInt16? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
}
