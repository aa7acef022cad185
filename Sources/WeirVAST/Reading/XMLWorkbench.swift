internal import CXML
internal import WeirTime

/// A parser context of libxml2 with everything that it has learnt: names met in any document are looked up once.
///
/// Workbenches are lent out by ``XMLWorkbench/take()`` and given back after a good parse; a name table that hostile
/// documents have filled is thrown away.
///
/// `@unchecked Sendable`: between `take()` and `giveBack()` it belongs to one parse, which runs on one thread; otherwise it
/// lies behind the lock of the shelf.
final class XMLWorkbench: @unchecked Sendable {
    /// The context; its dictionary keeps each name at one address for as long as it lives.
    let context: xmlParserCtxtPtr
    /// Names of elements and attributes, prefixes and namespaces, in the order in which they were first met.
    private(set) var names: [XMLName] = []

    private var indexes: [UnsafePointer<xmlChar>: Int32] = [:]
    /// A direct-mapped cache in front of it.
    private var cachedPointers = [UnsafePointer<xmlChar>?](repeating: nil, count: 1024)
    private var cachedIndexes = [Int32](repeating: 0, count: 1024)

    /// Workbenches that are kept for the next documents; more are made when needed.
    private static let shelfSize = 8
    /// Documents of all versions together use about 150 names.
    private static let mostNames = 1024
    /// Bytes of a dictionary that is still kept.
    private static let mostDictionaryBytes = 1 << 18

    private static let shelf = Lock<[XMLWorkbench]>([])

    private init?() {
        XMLParser.initialize()
        guard let context = xmlNewParserCtxt() else { return nil }
        self.context = context
        context.pointee.sax.pointee = XMLParser.makeHandler()
    }

    deinit {
        xmlFreeParserCtxt(context)
    }

    /// A workbench for one parse; `nil` only when memory has run out.
    static func take() -> XMLWorkbench? {
        shelf.withLock { $0.popLast() } ?? XMLWorkbench()
    }

    /// Puts it back for the next parse.
    func giveBack() {
        guard names.count <= Self.mostNames, xmlDictGetUsage(context.pointee.dict) <= Self.mostDictionaryBytes else {
            return
        }
        Self.shelf.withLock { shelf in
            if shelf.count < Self.shelfSize { shelf.append(self) }
        }
    }

    /// The place of a name in ``names``; libxml2 interns names, so equal names have equal addresses.
    func index(of name: UnsafePointer<xmlChar>) -> Int32 {
        let slot = Int((UInt(bitPattern: name) &* 0x9E37_79B9_7F4A_7C15) >> 54)
        if cachedPointers[slot] == name { return cachedIndexes[slot] }
        let index: Int32
        if let known = indexes[name] {
            index = known
        } else {
            index = Int32(names.count)
            indexes[name] = index
            names.append(XMLName(UnsafeBufferPointer(start: name, count: Int(xmlStrlen(name)))))
        }
        cachedPointers[slot] = name
        cachedIndexes[slot] = index
        return index
    }
}

/// Memory of trees that are no longer needed.
enum XMLTreeShelf {
    private static let size = 8
    /// Bytes of text of a tree whose memory is kept; those of giants are given back to the system.
    private static let mostText = 1 << 17

    private static let trees = Lock<[XMLTree]>([])

    /// An empty tree, with memory for a document of `bytes`.
    static func take(bytes: Int) -> XMLTree {
        var tree = trees.withLock { $0.popLast() } ?? XMLTree()
        tree.text.reserveCapacity(bytes)
        tree.nodes.reserveCapacity(bytes / 60 + 8)
        tree.attributes.reserveCapacity(bytes / 60 + 8)
        return tree
    }

    /// Keeps the memory of a tree that nobody else holds.
    static func giveBack(_ tree: consuming XMLTree) {
        guard tree.text.capacity <= mostText else { return }
        tree.nodes.removeAll(keepingCapacity: true)
        tree.attributes.removeAll(keepingCapacity: true)
        tree.declarations.removeAll(keepingCapacity: true)
        tree.text.removeAll(keepingCapacity: true)
        tree.names = []
        tree.source = []
        tree.counts = ElementCounts()
        let emptied = tree
        trees.withLock { trees in
            if trees.count < size { trees.append(emptied) }
        }
    }
}
