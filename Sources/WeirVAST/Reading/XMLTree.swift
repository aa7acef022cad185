internal import Glibc

/// A parsed document, flat: elements in document order, each knowing where its subtree ends.
///
/// Nothing is allocated per element; strings are made only for what the model keeps.
struct XMLTree {
    struct Node {
        var name: Int32
        /// The element that the name means in its own case.
        var tag: Tag?
        /// Namespace URI and prefix, as indexes of `names`, or -1.
        var namespace: Int32
        var prefix: Int32
        var parent: Int32
        /// The index after the last element inside this one.
        var end: Int32
        var firstAttribute: Int32
        var attributeCount: Int32
        var textStart: Int32
        var textEnd: Int32
        /// Offset in `source` of the `>` or `/` that closes the start tag.
        var headEnd: Int32
        /// Offset in `source` after the element.
        var bodyEnd: Int32
        /// Namespace declarations on this element.
        var firstDeclaration: Int32
        var declarationCount: Int32
    }

    struct Attribute {
        var name: Int32
        /// The attribute that the name means in its own case; none with a prefix.
        var key: Key?
        /// The prefix as an index of `names`, or -1.
        var prefix: Int32
        var start: Int32
        var end: Int32
    }

    /// `xmlns:prefix="uri"`; indexes of `names`, prefix -1 for the default namespace.
    struct Declaration {
        var prefix: Int32
        var uri: Int32
    }

    var nodes: [Node] = []
    var attributes: [Attribute] = []
    var declarations: [Declaration] = []
    var names: [XMLName] = []
    var text: [UInt8] = []
    var source: [UInt8] = []
    var counts = ElementCounts()

    func name(of node: Int) -> XMLName { names[Int(nodes[node].name)] }

    func children(of node: Int) -> Children { Children(tree: self, parent: node) }

    func hasChildren(_ node: Int) -> Bool { Int(nodes[node].end) > node + 1 }

    /// The element's text without white space around it.
    func trimmedText(of node: Int) -> String {
        string(trimmed(Int(nodes[node].textStart)..<Int(nodes[node].textEnd)))
    }

    /// The element's text as it stands.
    func rawText(of node: Int) -> String {
        String(decoding: text[Int(nodes[node].textStart)..<Int(nodes[node].textEnd)], as: UTF8.self)
    }

    func isBlank(_ node: Int) -> Bool {
        let end = Int(nodes[node].textEnd)
        var index = Int(nodes[node].textStart)
        while index < end {
            guard isXMLSpace(text[index]) else { return false }
            index += 1
        }
        return true
    }

    func attributes(of node: Int) -> ArraySlice<Attribute> { attributes[attributeRange(of: node)] }

    func attributeRange(of node: Int) -> Range<Int> {
        let first = Int(nodes[node].firstAttribute)
        return first..<first + Int(nodes[node].attributeCount)
    }

    /// Where an attribute stands among `attributes`; the exact name wins over one in another case.
    func attributeIndex(_ key: Key, of node: Int, lenient: Bool) -> Int? {
        let range = attributeRange(of: node)
        for index in range where attributes[index].key == key { return index }
        guard lenient else { return nil }
        return range.first { index in
            attributes[index].key == nil && attributes[index].prefix < 0
                && names[Int(attributes[index].name)].miscasedKey == key
        }
    }

    /// The value of an attribute without white space around it.
    func attribute(_ key: Key, of node: Int, lenient: Bool) -> String? {
        attributeBytes(key, of: node, lenient: lenient).map { string($0) }
    }

    /// The range in `text` of an attribute's value without white space around it.
    func attributeBytes(_ key: Key, of node: Int, lenient: Bool) -> Range<Int>? {
        attributeIndex(key, of: node, lenient: lenient).map { index in
            trimmed(Int(attributes[index].start)..<Int(attributes[index].end))
        }
    }

    func value(of attribute: Attribute) -> String {
        String(decoding: text[Int(attribute.start)..<Int(attribute.end)], as: UTF8.self)
    }

    /// What stands between the tags, byte for byte.
    func verbatimContent(of node: Int) -> Range<Int> {
        let head = Int(nodes[node].headEnd)
        let end = Int(nodes[node].bodyEnd)
        guard head < source.count, source[head] == UInt8(ascii: ">"), end <= source.count, head + 1 <= end else {
            return 0..<0
        }
        let close = source[(head + 1)..<end].lastIndex(of: UInt8(ascii: "<")) ?? end
        return (head + 1)..<close
    }

    /// Whether the bytes of `text` stand somewhere in a part of the source.
    func contains(_ text: String, in range: Range<Int>) -> Bool {
        let pattern = Array(text.utf8)
        guard let first = pattern.first, range.count >= pattern.count else { return false }
        return source.withUnsafeBufferPointer { source in
            (range.lowerBound...range.upperBound - pattern.count).contains { start in
                source[start] == first && source[start..<start + pattern.count].elementsEqual(pattern)
            }
        }
    }

    /// The offset at which each line begins.
    func lineStarts() -> [Int] {
        var starts = [0]
        source.withUnsafeBytes { buffer in
            var index = 0
            while index < buffer.count, let base = buffer.baseAddress,
                let found = memchr(base + index, 10, buffer.count - index)
            {
                index = base.distance(to: UnsafeRawPointer(found)) + 1
                starts.append(index)
            }
        }
        return starts
    }

    /// The offset of the `<` that opens the element.
    func openingOffset(of node: Int) -> Int {
        let head = min(Int(nodes[node].headEnd), source.count)
        return source[..<head].lastIndex(of: UInt8(ascii: "<")) ?? 0
    }

    /// A part of `text` without the white space around it.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, isXMLSpace(text[lower]) { lower += 1 }
        while upper > lower, isXMLSpace(text[upper - 1]) { upper -= 1 }
        return lower..<upper
    }

    /// A part of `text` as a whole number, when it is nothing but up to nine digits.
    func plainInteger(_ range: Range<Int>) -> Int? {
        guard !range.isEmpty, range.count <= 9 else { return nil }
        var value = 0
        for index in range {
            guard (0x30...0x39).contains(text[index]) else { return nil }
            value = value * 10 + Int(text[index] - 0x30)
        }
        return value
    }

    /// A part of `text`, which is UTF-8 as the parser has checked.
    func string(_ range: Range<Int>) -> String {
        text.withUnsafeBufferPointer { String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self) }
    }

    /// The elements directly inside another.
    struct Children: Sequence, IteratorProtocol {
        private let nodes: [Node]
        private var cursor: Int
        private let end: Int

        init(tree: XMLTree, parent: Int) {
            nodes = tree.nodes
            cursor = parent + 1
            end = Int(tree.nodes[parent].end)
        }

        mutating func next() -> Int? {
            guard cursor < end else { return nil }
            defer { cursor = Int(nodes[cursor].end) }
            return cursor
        }
    }
}

/// Blank, tab, line feed and carriage return.
func isXMLSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
