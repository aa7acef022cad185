/// Builds XML text in which no value can break out of its place.
struct XMLOutput {
    private(set) var bytes: [UInt8] = []
    private var open: [(name: String, start: Int)] = []
    /// Stands before the name of every element, such as `vast:`.
    private let prefix: String

    init(prefix: String = "") {
        self.prefix = prefix
        bytes.reserveCapacity(4096)
    }

    mutating func declaration() {
        raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    }

    /// Opens an element; attributes without a value are left out.
    mutating func begin(_ name: String, _ attributes: [(String, String?)] = []) {
        raw("<")
        raw(prefix)
        raw(name)
        for case (let key, let value?) in attributes {
            raw(" ")
            raw(key)
            raw("=\"")
            escaped(value, isAttribute: true)
            raw("\"")
        }
        raw(">")
        open.append((name, bytes.count))
    }

    /// Closes the element opened last; as an empty one when nothing was written since.
    mutating func end() {
        guard let (name, start) = open.popLast() else { return }
        if bytes.count == start {
            bytes[start - 1] = UInt8(ascii: "/")
            raw(">")
        } else {
            raw("</")
            raw(prefix)
            raw(name)
            raw(">")
        }
    }

    /// An element that holds text.
    mutating func text(_ name: String, _ text: String) { self.text(name, [], text) }

    /// An element that holds text.
    mutating func text(_ name: String, _ attributes: [(String, String?)], _ text: String) {
        begin(name, attributes)
        escaped(text)
        end()
    }

    /// An element that holds a URL or other opaque text in a CDATA section.
    mutating func opaque(_ name: String, _ text: String) { opaque(name, [], text) }

    /// An element that holds a URL or other opaque text in a CDATA section.
    mutating func opaque(_ name: String, _ attributes: [(String, String?)], _ text: String) {
        begin(name, attributes)
        cdata(text)
        end()
    }

    /// An element whose content is well-formed XML already.
    mutating func verbatim(_ name: String, _ attributes: [(String, String?)], _ content: String) {
        begin(name, attributes)
        raw(content)
        end()
    }

    mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func escaped(_ text: String, isAttribute: Bool = false) {
        if appendPlain(text) { return }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": raw("&amp;")
            case "<": raw("&lt;")
            case ">": raw("&gt;")
            case "\"" where isAttribute: raw("&quot;")
            case "\r": raw("&#13;")
            case "\n" where isAttribute: raw("&#10;")
            case "\t" where isAttribute: raw("&#9;")
            default: append(scalar)
            }
        }
    }

    /// `]]>` inside is split over two sections; a carriage return, which a parser would turn into a line feed, goes
    /// between two sections as a reference.
    private mutating func cdata(_ text: String) {
        guard !text.isEmpty else { return }
        raw("<![CDATA[")
        if appendPlain(text) { return raw("]]>") }
        var brackets = 0
        for scalar in text.unicodeScalars {
            if scalar == ">", brackets >= 2 { raw("]]><![CDATA[") }
            if scalar == "\r" { raw("]]>&#13;<![CDATA[") } else { append(scalar) }
            brackets = scalar == "]" ? brackets + 1 : 0
        }
        raw("]]>")
    }

    /// Appends text that needs no care whatever its place, as most does: visible ASCII without markup, quotes or brackets.
    private mutating func appendPlain(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { utf8 in
            for byte in utf8 where byte < 0x20 || byte >= 0x7F || Self.special[Int(byte)] { return false }
            bytes.append(contentsOf: utf8)
            return true
        }
    }

    private static let special: [Bool] = (0..<128).map { "&<>\"]".utf8.contains(UInt8($0)) }

    /// Drops what XML 1.0 does not allow at all (production 2, Char).
    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF:
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        default: break
        }
    }
}
