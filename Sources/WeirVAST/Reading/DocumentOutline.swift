/// A document as a list of its elements in document order, for showing it to people beside its remarks.
///
/// Lines and columns are counted as ``Diagnostic`` counts them, so that each remark finds its element.
public struct DocumentOutline: Hashable, Sendable {
    /// One element.
    public struct Element: Hashable, Sendable {
        /// The name, with its prefix if it has one.
        public var name: String
        /// Attributes as written, names with their prefixes.
        public var attributes: [Attribute]
        /// The text, trimmed.
        public var text: String
        /// How many elements it stands in.
        public var depth: Int
        /// The line of its start tag, from 1.
        public var line: Int
        /// The column of its start tag in bytes, from 1.
        public var column: Int
    }

    /// One attribute.
    public struct Attribute: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String
    }

    /// The elements in document order; of a broken document, up to where it breaks.
    public private(set) var elements: [Element] = []

    /// The outline of a document; empty when nothing can be parsed.
    public init(_ bytes: [UInt8], options: ReadOptions = .lenient) {
        let parsed = bytes.withUnsafeBytes { VASTReader(options: options).parse($0) }
        guard case .parsed(let outcome, _) = parsed else { return }
        let tree = outcome.tree
        let lines = tree.lineStarts()
        var depths: [Int] = []
        elements.reserveCapacity(tree.nodes.count)
        for node in tree.nodes.indices {
            let parent = Int(tree.nodes[node].parent)
            depths.append(parent < 0 ? 0 : depths[parent] + 1)
            let place = tree.place(of: node, lineStarts: lines)
            elements.append(
                Element(
                    name: tree.qualifiedName(prefix: tree.nodes[node].prefix, name: tree.nodes[node].name),
                    attributes: tree.attributes(of: node).map {
                        Attribute(name: tree.qualifiedName(prefix: $0.prefix, name: $0.name), value: tree.value(of: $0))
                    },
                    text: tree.trimmedText(of: node),
                    depth: depths[node],
                    line: place.line,
                    column: place.column
                )
            )
        }
    }
}

extension XMLTree {
    /// The line and the column of an element's start tag, both from 1.
    func place(of node: Int, lineStarts: [Int]) -> (line: Int, column: Int) {
        let offset = openingOffset(of: node)
        var (low, high) = (0, lineStarts.count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, offset - (lineStarts.isEmpty ? 0 : lineStarts[low]) + 1)
    }

    fileprivate func qualifiedName(prefix: Int32, name: Int32) -> String {
        (prefix >= 0 ? names[Int(prefix)].text + ":" : "") + names[Int(name)].text
    }
}
