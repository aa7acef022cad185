internal import CXML

/// Receives the parser's events and lays the tree out.
struct XMLTreeBuilder {
    var tree = XMLTree()
    private(set) var failure: XMLParser.Failure?
    private(set) var syntaxError: XMLParser.Failure?

    private let workbench: XMLWorkbench
    private let context: xmlParserCtxtPtr
    private let limits: ReadLimits
    private let allowsPlainDoctype: Bool
    private var open: [Int32] = []

    init(_ workbench: XMLWorkbench, tree: XMLTree, limits: ReadLimits, allowsPlainDoctype: Bool) {
        self.workbench = workbench
        self.tree = tree
        self.limits = limits
        self.allowsPlainDoctype = allowsPlainDoctype
        context = workbench.context
        open.reserveCapacity(16)
    }

    mutating func start(
        name: UnsafePointer<xmlChar>,
        prefix: UnsafePointer<xmlChar>?,
        uri: UnsafePointer<xmlChar>?,
        namespaces: UnsafeBufferPointer<UnsafePointer<xmlChar>?>,
        attributes: UnsafeBufferPointer<UnsafePointer<xmlChar>?>
    ) {
        guard failure == nil else { return }
        if open.count >= limits.depth { return stop("depth", limits.depth) }
        if tree.nodes.count >= limits.elements { return stop("elements", limits.elements) }
        if attributes.count / 5 > limits.attributes { return stop("attributes", limits.attributes) }
        let textStart = Int32(tree.text.count)
        let index = workbench.index(of: name)
        let tag = workbench.names[Int(index)].tag
        var node = XMLTree.Node(
            name: index,
            tag: tag,
            namespace: uri.map { workbench.index(of: $0) } ?? -1,
            prefix: prefix.map { workbench.index(of: $0) } ?? -1,
            parent: open.last ?? -1,
            end: 0,
            firstAttribute: Int32(tree.attributes.count),
            attributeCount: 0,
            textStart: textStart,
            textEnd: textStart,
            headEnd: offset,
            bodyEnd: 0,
            firstDeclaration: Int32(tree.declarations.count),
            declarationCount: Int32(namespaces.count / 2)
        )
        if !namespaces.isEmpty { addDeclarations(namespaces) }
        if !attributes.isEmpty { addAttributes(attributes) }
        node.attributeCount = Int32(tree.attributes.count) - node.firstAttribute
        node.textStart = Int32(tree.text.count)
        node.textEnd = node.textStart
        if let tag {
            tree.counts.add(tag)
            if tree.counts.ads > limits.ads { return stop("ads", limits.ads) }
        }
        open.append(Int32(tree.nodes.count))
        tree.nodes.append(node)
    }

    mutating func endElement() {
        guard failure == nil, let node = open.popLast() else { return }
        tree.nodes[Int(node)].end = Int32(tree.nodes.count)
        tree.nodes[Int(node)].bodyEnd = offset
    }

    /// Adds text to the open element: to its run if nothing came between, else in the place of a blank run.
    mutating func append(_ characters: UnsafeBufferPointer<xmlChar>) {
        guard failure == nil, let node = open.last.map(Int.init) else { return }
        let end = Int32(tree.text.count)
        if tree.nodes[node].textEnd != end {
            guard !characters.allSatisfy(isXMLSpace), tree.isBlank(node) else { return }
            tree.nodes[node].textStart = end
        }
        if Int(end - tree.nodes[node].textStart) + characters.count > limits.text { return stop("text", limits.text) }
        tree.text.append(contentsOf: characters)
        tree.nodes[node].textEnd = Int32(tree.text.count)
    }

    /// A declaration with a subset or an external id could define entities: it is refused before it is read.
    mutating func doctype(isPlain: Bool) {
        let next = context.pointee.input?.pointee.cur?.pointee
        guard isPlain, allowsPlainDoctype, next != UInt8(ascii: "[") else {
            failure = failure ?? .doctype
            xmlStopParser(context)
            return
        }
    }

    mutating func report(_ error: xmlError) {
        guard syntaxError == nil, error.domain != Int32(XML_FROM_NAMESPACE.rawValue) else { return }
        let text = error.message.map { String(cString: $0) } ?? "The document is not well-formed XML."
        syntaxError = .notWellFormed(
            line: Int(error.line),
            column: Int(error.int2),
            message: String(text.prefix { $0 != "\n" })
        )
    }

    private mutating func stop(_ name: String, _ value: Int) {
        failure = .limit(name: name, value: value)
        xmlStopParser(context)
    }

    private var offset: Int32 {
        guard let input = context.pointee.input, let current = input.pointee.cur, let base = input.pointee.base else {
            return 0
        }
        return Int32(clamping: Int(input.pointee.consumed) + (current - base))
    }

    private mutating func addDeclarations(_ namespaces: UnsafeBufferPointer<UnsafePointer<xmlChar>?>) {
        for position in stride(from: 0, to: namespaces.count, by: 2) {
            let prefix = namespaces[position].map { workbench.index(of: $0) } ?? -1
            let uri = namespaces[position + 1].map { workbench.index(of: $0) } ?? -1
            tree.declarations.append(XMLTree.Declaration(prefix: prefix, uri: uri))
        }
    }

    /// Five pointers each: local name, prefix, URI, first byte of the value, and the byte after its last.
    private mutating func addAttributes(_ attributes: UnsafeBufferPointer<UnsafePointer<xmlChar>?>) {
        for position in stride(from: 0, to: attributes.count, by: 5) {
            guard let name = attributes[position], let value = attributes[position + 3],
                let end = attributes[position + 4]
            else { continue }
            let start = Int32(tree.text.count)
            if end - value > limits.text { return stop("text", limits.text) }
            tree.text.append(contentsOf: UnsafeBufferPointer(start: value, count: end - value))
            let index = workbench.index(of: name)
            let prefix = attributes[position + 1].map { workbench.index(of: $0) } ?? -1
            tree.attributes.append(
                XMLTree.Attribute(
                    name: index,
                    key: prefix < 0 ? workbench.names[Int(index)].key : nil,
                    prefix: prefix,
                    start: start,
                    end: Int32(tree.text.count)
                )
            )
        }
    }
}
