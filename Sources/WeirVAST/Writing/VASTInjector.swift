/// Adds trackers to a document and leaves every other byte as it was.
///
/// For answers that are passed on as they came, unknown parts, comments and formatting included. Where there is nothing
/// to hold on to (a document that is not UTF-8, or not well-formed), nothing is changed and the reason is given.
public enum VASTInjector {
    /// What came of it.
    public struct Output: Hashable, Sendable {
        /// The document with the additions, or as it was.
        public var bytes: [UInt8]
        /// How many ads got additions.
        public var adCount: Int
        /// Why nothing could be added, if nothing could.
        public var failure: ReadFailure?
    }

    /// Adds impressions, errors, and for linear creatives trackers and click trackers, to every ad.
    public static func inject(
        _ additions: Additions,
        into bytes: [UInt8],
        limits: ReadLimits = ReadLimits()
    ) -> Output {
        let mark: [UInt8] = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : []
        let source = Array(bytes.dropFirst(mark.count))
        let isUTF8 = bytes.withUnsafeBytes { input in
            let read = InputEncoding(input, lenient: false)
            return !read.isUnreadable && read.bytes == source
        }
        guard isUTF8 else {
            let failure = ReadFailure(reason: .encoding, message: "Only UTF-8 can be added to without rewriting.")
            return Output(bytes: bytes, adCount: 0, failure: failure)
        }
        let parsed = XMLParser.parse(source, limits: limits, allowsPlainDoctype: true)
        if parsed.failure != nil {
            let failure = VASTReader(options: ReadOptions(isLenient: false, limits: limits)).read(source).failure
            return Output(bytes: bytes, adCount: 0, failure: failure)
        }
        var plan = InjectionPlan(tree: parsed.tree, additions: additions)
        plan.run()
        return Output(bytes: mark + plan.applied(), adCount: plan.adCount, failure: nil)
    }
}

/// Where to insert what.
private struct InjectionPlan {
    let tree: XMLTree
    let additions: Additions
    private(set) var adCount = 0
    /// Offsets of the source and the text to insert there.
    private var insertions: [(offset: Int, text: [UInt8])] = []

    init(tree: XMLTree, additions: Additions) {
        self.tree = tree
        self.additions = additions
    }

    mutating func run() {
        for node in tree.nodes.indices {
            switch tag(node) {
            case .inLine, .wrapper: addToBody(node)
            case .linear: addToLinear(node)
            default: break
            }
        }
    }

    func applied() -> [UInt8] {
        var output: [UInt8] = []
        var cursor = 0
        let ordered = insertions.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
        for (_, insertion) in ordered {
            output += tree.source[cursor..<insertion.offset]
            output += insertion.text
            cursor = insertion.offset
        }
        return output + tree.source[cursor...]
    }

    private mutating func addToBody(_ node: Int) {
        guard isOpen(node) else { return }
        adCount += 1
        let impressions = write(node) { out, prefix in
            for url in additions.impressions { out.opaque(prefix + "Impression", [("id", url.id)], url.url) }
        }
        let errors = write(node) { out, prefix in
            for url in additions.errors { out.opaque(prefix + "Error", url) }
        }
        // Beside the last of their kind they keep the order of every version's schema.
        let anchor = lastChild(node, [.adTitle, .adSystem, .adTagURI])
        insert(errors, after: lastChild(node, [.error]) ?? anchor, in: node)
        insert(impressions, after: lastChild(node, [.impression]) ?? lastChild(node, [.error]) ?? anchor, in: node)
    }

    private mutating func addToLinear(_ node: Int) {
        guard isOpen(node) else { return }
        let events = write(node) { out, prefix in
            for event in additions.trackingEvents {
                let offset = event.offset.map { DocumentWriter(version: .v42, converts: false).text($0) }
                out.opaque(prefix + "Tracking", [("event", event.event.rawValue), ("offset", offset)], event.url)
            }
        }
        let clicks = write(node) { out, prefix in
            for url in additions.clickTracking { out.opaque(prefix + "ClickTracking", [("id", url.id)], url.url) }
        }
        let before = lastChild(node, [.duration]) ?? lastChild(node, [.icons])
        add(events, to: lastChild(node, [.trackingEvents]), named: "TrackingEvents", after: before, in: node)
        // VAST 4 puts VideoClicks last; before, the media files follow it, and players do not mind.
        let last = tree.children(of: node).reduce(nil) { $1 }
        add(clicks, to: lastChild(node, [.videoClicks, .adInteractions]), named: "VideoClicks", after: last, in: node)
    }

    /// Adds to a container, or makes one.
    private mutating func add(_ text: [UInt8], to container: Int?, named name: String, after: Int?, in node: Int) {
        guard !text.isEmpty else { return }
        let prefix = prefix(of: node)
        if let container, isOpen(container) {
            insertions.append((tree.verbatimContent(of: container).upperBound, text))
        } else if let container {
            // `<TrackingEvents/>`: a sibling of the same kind is read as one with it.
            let whole = Array("<\(prefix)\(name)>".utf8) + text + Array("</\(prefix)\(name)>".utf8)
            insertions.append((Int(tree.nodes[container].bodyEnd), whole))
        } else {
            insert(Array("<\(prefix)\(name)>".utf8) + text + Array("</\(prefix)\(name)>".utf8), after: after, in: node)
        }
    }

    private mutating func insert(_ text: [UInt8], after child: Int?, in node: Int) {
        guard !text.isEmpty else { return }
        let offset = child.map { Int(tree.nodes[$0].bodyEnd) } ?? tree.verbatimContent(of: node).lowerBound
        insertions.append((offset, text))
    }

    private func write(_ node: Int, _ content: (inout XMLOutput, String) -> Void) -> [UInt8] {
        var out = XMLOutput()
        content(&out, prefix(of: node))
        return out.bytes
    }

    private func prefix(of node: Int) -> String {
        let index = tree.nodes[node].prefix
        return index >= 0 ? tree.names[Int(index)].text + ":" : ""
    }

    private func lastChild(_ node: Int, _ tags: [Tag]) -> Int? {
        tree.children(of: node).reduce(nil) { found, child in tag(child).map(tags.contains) == true ? child : found }
    }

    private func tag(_ node: Int) -> Tag? { tree.nodes[node].tag }

    /// Whether the element has a start and an end tag.
    private func isOpen(_ node: Int) -> Bool {
        let head = Int(tree.nodes[node].headEnd)
        return head < tree.source.count && tree.source[head] == UInt8(ascii: ">")
    }
}
