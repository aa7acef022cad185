internal import Glibc

/// One walk over XML bytes that tells tags from comments, CDATA and processing instructions, and counts them.
struct MarkupWalk {
    private(set) var rootName: String?
    private(set) var hasAd = false
    private(set) var hasAdTag = false
    private(set) var errorURLs: [String] = []

    private var depth = 0
    private var errorStart: Int?

    /// Walks; returns whether the root element was closed.
    mutating func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while let open = bytes.first(UInt8(ascii: "<"), from: index) {
            guard let end = pieceEnd(bytes, from: open) else { return false }
            if isTag(bytes, at: open) { note(bytes, open..<end) }
            index = end
            if rootName != nil, depth == 0 { return true }
        }
        return false
    }

    /// The offset behind the comment, CDATA section, instruction or tag that begins at `open`; `nil` when it does not end.
    private func pieceEnd(_ bytes: UnsafeBufferPointer<UInt8>, from open: Int) -> Int? {
        if bytes.holds("<!--", at: open) { return bytes.end(of: "-->", from: open + 4) }
        if bytes.holds("<![CDATA[", at: open) { return bytes.end(of: "]]>", from: open + 9) }
        if bytes.holds("<?", at: open) { return bytes.end(of: "?>", from: open + 2) }
        var brackets = 0
        var index = open
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let close = bytes.first(byte, from: index) else { return nil }
                index = close + 1
            case UInt8(ascii: "["): brackets += 1
            case UInt8(ascii: "]"): brackets -= 1
            case UInt8(ascii: ">") where brackets <= 0: return index
            default: break
            }
        }
        return nil
    }

    /// Whether the piece at `open` is a tag, not a comment, CDATA section, instruction or declaration.
    private func isTag(_ bytes: UnsafeBufferPointer<UInt8>, at open: Int) -> Bool {
        guard open + 1 < bytes.count else { return false }
        return bytes[open + 1] != UInt8(ascii: "!") && bytes[open + 1] != UInt8(ascii: "?")
    }

    private mutating func note(_ bytes: UnsafeBufferPointer<UInt8>, _ tag: Range<Int>) {
        if bytes[tag.lowerBound + 1] == UInt8(ascii: "/") {
            depth -= 1
            if depth == 1, let start = errorStart {
                keepError(bytes, start..<tag.lowerBound)
                errorStart = nil
            }
            return
        }
        let name = localName(bytes, tag)
        if rootName == nil { rootName = String(decoding: bytes[name], as: UTF8.self) }
        if bytes.equals("Ad", name) { hasAd = true }
        if bytes.equals("AdTagURI", name) { hasAdTag = true }
        guard bytes[tag.upperBound - 2] != UInt8(ascii: "/") else { return }
        if depth == 1, bytes.equals("Error", name) { errorStart = tag.upperBound }
        depth += 1
    }

    /// Where the element's name stands in its start tag, without a namespace prefix.
    private func localName(_ bytes: UnsafeBufferPointer<UInt8>, _ tag: Range<Int>) -> Range<Int> {
        var start = tag.lowerBound + 1
        var end = start
        while end < tag.upperBound - 1 {
            let byte = bytes[end]
            if byte <= 0x20 || byte == UInt8(ascii: "/") { break }
            if byte == UInt8(ascii: ":") { start = end + 1 }
            end += 1
        }
        return start..<max(start, end)
    }

    private mutating func keepError(_ bytes: UnsafeBufferPointer<UInt8>, _ content: Range<Int>) {
        guard errorURLs.count < MarkupGlance.errorURLCount else { return }
        let url = plainText(Substring(decoding: bytes[content], as: UTF8.self))
        if url.isWebAddress { errorURLs.append(url) }
    }
}

/// The text of an element that holds nothing but text: CDATA opened, the five entities of XML undone, blanks trimmed.
private func plainText(_ content: Substring) -> String {
    var text = content.trimmingBlanks
    if text.hasPrefix("<![CDATA["), text.hasSuffix("]]>") {
        return String(text.dropFirst(9).dropLast(3).trimmingBlanks)
    }
    var plain = ""
    while let mark = text.firstIndex(of: "&") {
        plain += text[..<mark]
        text = text[mark...]
        if let entity = entities.first(where: { text.hasPrefix($0.name) }) {
            plain += entity.text
            text = text.dropFirst(entity.name.count)
        } else {
            plain += "&"
            text = text.dropFirst()
        }
    }
    return plain + text
}

private let entities: [(name: String, text: String)] = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
]

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var rest = self
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return rest.drop(while: \.isWhitespace)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The first place of `byte` at or behind `start`.
    fileprivate func first(_ byte: UInt8, from start: Int) -> Int? {
        guard start < count, let base = baseAddress, let found = memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Whether `text` stands at `place`.
    fileprivate func holds(_ text: StaticString, at place: Int) -> Bool {
        guard place + text.utf8CodeUnitCount <= count else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { self[place + $0] == text.utf8Start[$0] }
    }

    /// The offset behind the first `text` at or behind `start`.
    fileprivate func end(of text: StaticString, from start: Int) -> Int? {
        var index = start
        while let place = first(text.utf8Start[0], from: index) {
            if holds(text, at: place) { return place + text.utf8CodeUnitCount }
            index = place + 1
        }
        return nil
    }

    /// Whether the bytes in `range` spell `name`, whatever their case.
    fileprivate func equals(_ name: StaticString, _ range: Range<Int>) -> Bool {
        range.count == name.utf8CodeUnitCount
            && zip(range, 0..<range.count).allSatisfy { self[$0] | 0x20 == name.utf8Start[$1] | 0x20 }
    }
}
