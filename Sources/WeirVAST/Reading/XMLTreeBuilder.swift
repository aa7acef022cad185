internal import CXML

/// Receives the parser's events and lays the tree out.
struct XMLTreeBuilder {
    var tree = XMLTree()
    private(set) var failure: XMLParser.Failure?
    private(set) var syntaxError: XMLParser.Failure?

    private let context: xmlParserCtxtPtr
    private let limits: ReadLimits
    private let allowsPlainDoctype: Bool
    private var open: [Int32] = []
    private var adCount = 0
    /// libxml2 interns names, so equal names have equal addresses while the parser lives.
    private var indexes: [UnsafePointer<xmlChar>: Int32] = [:]
    /// A direct-mapped cache in front of it.
    private var cachedPointers = [UnsafePointer<xmlChar>?](repeating: nil, count: 1024)
    private var cachedIndexes = [Int32](repeating: 0, count: 1024)

    init(context: xmlParserCtxtPtr, limits: ReadLimits, allowsPlainDoctype: Bool) {
        self.context = context
        self.limits = limits
        self.allowsPlainDoctype = allowsPlainDoctype
        indexes.reserveCapacity(64)
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
        var node = XMLTree.Node(
            name: index(of: name),
            namespace: uri.map { index(of: $0, isPlain: true) } ?? -1,
            prefix: prefix.map { index(of: $0, isPlain: true) } ?? -1,
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
        addDeclarations(namespaces)
        addAttributes(attributes)
        node.attributeCount = Int32(tree.attributes.count) - node.firstAttribute
        node.textStart = Int32(tree.text.count)
        node.textEnd = node.textStart
        if tree.names[Int(node.name)].tag == .ad {
            adCount += 1
            if adCount > limits.ads { return stop("ads", limits.ads) }
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
            let prefix = namespaces[position].map { index(of: $0, isPlain: true) } ?? -1
            let uri = namespaces[position + 1].map { index(of: $0, isPlain: true) } ?? -1
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
            tree.attributes.append(
                XMLTree.Attribute(
                    name: index(of: name),
                    prefix: attributes[position + 1].map { index(of: $0, isPlain: true) } ?? -1,
                    start: start,
                    end: Int32(tree.text.count)
                )
            )
        }
    }

    private mutating func index(of name: UnsafePointer<xmlChar>, isPlain: Bool = false) -> Int32 {
        let slot = Int((UInt(bitPattern: name) &* 0x9E37_79B9_7F4A_7C15) >> 54)
        if cachedPointers[slot] == name { return cachedIndexes[slot] }
        let index: Int32
        if let known = indexes[name] {
            index = known
        } else {
            index = Int32(tree.names.count)
            indexes[name] = index
            if isPlain {
                tree.names.append(XMLName(plain: String(cString: name)))
            } else {
                tree.names.append(XMLName(UnsafeBufferPointer(start: name, count: Int(xmlStrlen(name)))))
            }
        }
        cachedPointers[slot] = name
        cachedIndexes[slot] = index
        return index
    }
}
