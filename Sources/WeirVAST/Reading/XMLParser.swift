internal import CXML
internal import Glibc

/// Runs libxml2's SAX2 parser over a document in memory.
///
/// Nothing is ever fetched, no entity but the five predefined ones is known, a document type declaration stops the
/// parser before it is read, and each limit is checked before the memory is spent.
struct XMLParser {
    /// Why there is no tree.
    enum Failure {
        case notWellFormed(line: Int, column: Int, message: String)
        case doctype
        case limit(name: String, value: Int)
    }

    /// What came of parsing; with a failure, the tree is what was read before it, its ends unset.
    struct Outcome {
        var tree = XMLTree()
        var failure: Failure?

        /// Whether the root was read to its end, so that what is wrong comes after it.
        var isRootClosed: Bool { (tree.nodes.first?.bodyEnd ?? 0) > 0 }
    }

    /// The tree of `source`, which must be UTF-8 whatever its declaration says.
    static func parse(_ source: [UInt8], limits: ReadLimits, allowsPlainDoctype: Bool) -> Outcome {
        guard source.count <= limits.bytes, source.count < Int(Int32.max) else {
            return Outcome(failure: .limit(name: "bytes", value: limits.bytes))
        }
        // What begins otherwise is no XML, and libxml2 would take it for UTF-32 or EBCDIC and call its converters.
        guard let first = source.first, first == UInt8(ascii: "<") || isXMLSpace(first), !source.prefix(4).contains(0)
        else {
            return Outcome(failure: .notWellFormed(line: 1, column: 1, message: "It does not begin with a tag."))
        }
        // libxml2 compares each attribute of an element with all others, so too many must be refused beforehand.
        if source.count > 16384, AttributeCount.exceeds(limits.attributes, in: source) {
            return Outcome(failure: .limit(name: "attributes", value: limits.attributes))
        }
        return source.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else {
                return Outcome(failure: .notWellFormed(line: 1, column: 1, message: "The document is empty."))
            }
            return base.withMemoryRebound(to: CChar.self, capacity: buffer.count) { characters in
                parse(characters, source: source, limits: limits, allowsPlainDoctype: allowsPlainDoctype)
            }
        }
    }

    private static func parse(
        _ characters: UnsafePointer<CChar>,
        source: [UInt8],
        limits: ReadLimits,
        allowsPlainDoctype: Bool
    ) -> Outcome {
        guard let workbench = XMLWorkbench.take() else {
            let message = "The parser could not be started."
            return Outcome(failure: .notWellFormed(line: 1, column: 1, message: message))
        }
        let context = workbench.context
        var builder = XMLTreeBuilder(
            workbench,
            tree: XMLTreeShelf.take(bytes: source.count),
            limits: limits,
            allowsPlainDoctype: allowsPlainDoctype
        )
        let options =
            XML_PARSE_NONET.rawValue | XML_PARSE_NOENT.rawValue | XML_PARSE_IGNORE_ENC.rawValue
            | XML_PARSE_COMPACT.rawValue | XML_PARSE_BIG_LINES.rawValue
        withUnsafeMutablePointer(to: &builder) { pointer in
            context.pointee.userData = UnsafeMutableRawPointer(pointer)
            let document = xmlCtxtReadMemory(context, characters, Int32(source.count), nil, nil, Int32(options))
            // Our handlers build no document; one that appeared all the same is ours to free.
            if let document { xmlFreeDoc(document) }
            context.pointee.userData = nil
        }
        builder.tree.names = workbench.names
        builder.tree.source = source
        var failure = builder.failure
        if failure == nil, context.pointee.wellFormed == 0 || builder.tree.nodes.isEmpty {
            let message = "The document is not well-formed XML."
            failure = builder.syntaxError ?? .notWellFormed(line: 1, column: 1, message: message)
        }
        // A context that has stumbled is not used again.
        if failure == nil { workbench.giveBack() }
        return Outcome(tree: builder.tree, failure: failure)
    }

    /// Sets libxml2 up, once a process.
    static func initialize() { _ = initialization }

    /// Sets libxml2 up once; its set-up is not thread-safe, a global constant's is.
    private static let initialization: Void = xmlInitParser()

    /// What libxml2 calls; its data is the address of an ``XMLTreeBuilder``.
    static func makeHandler() -> xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElementNs = { data, name, prefix, uri, namespaceCount, namespaces, count, _, attributes in
            guard let builder = builder(data), let name else { return }
            builder.pointee.start(
                name: name,
                prefix: prefix,
                uri: uri,
                namespaces: UnsafeBufferPointer(start: namespaces, count: Int(namespaceCount) * 2),
                attributes: UnsafeBufferPointer(start: attributes, count: Int(count) * 5)
            )
        }
        handler.endElementNs = { data, _, _, _ in builder(data)?.pointee.endElement() }
        handler.characters = { data, characters, count in
            builder(data)?.pointee.append(UnsafeBufferPointer(start: characters, count: Int(count)))
        }
        handler.ignorableWhitespace = handler.characters
        handler.cdataBlock = handler.characters
        handler.internalSubset = { data, _, external, system in
            builder(data)?.pointee.doctype(isPlain: external == nil && system == nil)
        }
        handler.serror = { data, error in
            guard let error, error.pointee.level != XML_ERR_WARNING else { return }
            builder(data)?.pointee.report(error.pointee)
        }
        return handler
    }
}

/// The builder behind the pointer that libxml2 hands back; a free function, as C callbacks capture nothing.
private func builder(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLTreeBuilder>? {
    data?.assumingMemoryBound(to: XMLTreeBuilder.self)
}

/// Looks for a start tag with too many attributes, without parsing.
private enum AttributeCount {
    /// Counts `=` outside of quotes between `<` and `>`; comments and CDATA may count too much only if they hold more
    /// than `limit` of them in something that looks like one tag.
    static func exceeds(_ limit: Int, in source: [UInt8]) -> Bool {
        source.withUnsafeBufferPointer { exceeds(limit, in: $0) }
    }

    private static func exceeds(_ limit: Int, in source: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let base = source.baseAddress else { return false }
        var index = 0
        while let found = memchr(base + index, Int32(UInt8(ascii: "<")), source.count - index) {
            index = UnsafeRawPointer(base).distance(to: UnsafeRawPointer(found)) + 1
            guard index < source.count else { return false }
            let next = source[index]
            if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") || next == UInt8(ascii: "/") { continue }
            guard let end = endOfTag(index, limit, source) else { return true }
            index = end
            if index >= source.count { return false }
        }
        return false
    }

    /// The index after a start tag; `nil` when it has more than `limit` attributes.
    private static func endOfTag(_ start: Int, _ limit: Int, _ source: UnsafeBufferPointer<UInt8>) -> Int? {
        var count = 0
        var quote: UInt8 = 0
        for index in start..<source.count {
            let byte = source[index]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            } else if byte == UInt8(ascii: "=") {
                count += 1
                if count > limit { return nil }
            }
        }
        return source.count
    }
}
