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

    /// Adds impressions, errors, companions, and for linear creatives trackers and click trackers, to every ad.
    ///
    /// A document that its version's schema accepts is accepted afterwards too.
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
    private let version: VASTVersion
    private(set) var adCount = 0
    /// Offsets of the source and the text to insert there.
    private var insertions: [(offset: Int, text: [UInt8])] = []

    init(tree: XMLTree, additions: Additions) {
        self.tree = tree
        self.additions = additions
        version = VASTVersion(tree.attribute(.version, of: 0, lenient: true) ?? "") ?? .v42
    }

    private var isFour: Bool { version >= .v4 }

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
        let impressions = write(node) { out in
            for url in additions.impressions { out.opaque("Impression", [("id", url.id)], url.url) }
        }
        let errors = write(node) { out in
            for url in additions.errors { out.opaque("Error", url) }
        }
        // Beside the last of their kind they keep the order of every version's schema.
        let anchor = lastChild(
            node,
            isFour ? [.adSystem] : [.adTitle, .adSystem, .description, .advertiser, .pricing, .survey, .adTagURI]
        )
        insert(errors, after: lastChild(node, [.error]) ?? anchor, in: node)
        let before = lastChild(node, isFour ? [.error, .extensions, .adSystem] : [.error]) ?? anchor
        insert(impressions, after: lastChild(node, [.impression]) ?? before, in: node)
        addCompanions(node)
    }

    /// A creative of its own for the companions.
    private mutating func addCompanions(_ node: Int) {
        guard !additions.companions.isEmpty else { return }
        let companions = write(node) { out in
            out.begin("Creative")
            var writer = DocumentWriter(version: version, converts: false, part: out)
            writer.write(CompanionAds(companions: additions.companions), isWrapper: tag(node) == .wrapper)
            out = writer.out
            if isFour, tag(node) == .inLine {
                out.text(
                    "UniversalAdId",
                    [("idRegistry", "unknown"), ("idValue", version == .v4 ? "unknown" : nil)],
                    "unknown"
                )
            }
            out.end()
        }
        let before = lastChild(
            node,
            isFour
                ? [
                    .adSystem, .error, .extensions, .impression, .pricing, .viewableImpression, .adVerifications,
                    .blockedAdCategories,
                ] : [.adSystem, .adTitle, .adTagURI, .error, .impression]
        )
        add(companions, to: lastChild(node, [.creatives]), named: "Creatives", after: before, in: node)
    }

    private mutating func addToLinear(_ node: Int) {
        guard isOpen(node) else { return }
        let events = write(node) { out in
            for event in additions.trackingEvents {
                let offset = event.offset.map { DocumentWriter(version: .v42, converts: false).text($0) }
                out.opaque("Tracking", [("event", event.event.rawValue), ("offset", offset)], event.url)
            }
        }
        let clicks = write(node) { out in
            for url in additions.clickTracking { out.opaque("ClickTracking", [("id", url.id)], url.url) }
        }
        // VAST 4 puts the events first and the clicks last; before, both stand between duration and media files.
        let beforeEvents = lastChild(node, isFour ? [.icons] : [.icons, .creativeExtensions, .duration])
        let beforeClicks =
            isFour
            ? tree.children(of: node).reduce(nil) { $1 }
            : lastChild(node, [.icons, .creativeExtensions, .duration, .trackingEvents, .adParameters])
        add(events, to: lastChild(node, [.trackingEvents]), named: "TrackingEvents", after: beforeEvents, in: node)
        if let container = lastChild(node, [.videoClicks, .adInteractions]), isOpen(container) {
            insert(
                clicks,
                after: lastChild(container, isFour ? [.clickTracking] : [.clickThrough, .clickTracking]),
                in: container
            )
        } else {
            let container = lastChild(node, [.videoClicks, .adInteractions])
            add(clicks, to: container, named: "VideoClicks", after: beforeClicks, in: node)
        }
    }

    /// Adds to a container, or makes one.
    private mutating func add(_ text: [UInt8], to container: Int?, named name: String, after: Int?, in node: Int) {
        guard !text.isEmpty else { return }
        let prefix = prefix(of: node)
        if let container, isOpen(container) {
            insertions.append((tree.verbatimContent(of: container).upperBound, text))
        } else if let container {
            // `<TrackingEvents/>` is opened on both sides of its slash, so that even here no byte is lost.
            let slash = Int(tree.nodes[container].headEnd)
            insertions.append((slash, [UInt8(ascii: ">")] + text + [UInt8(ascii: "<")]))
            insertions.append((slash + 1, Array("\(prefix)\(name)".utf8)))
        } else {
            insert(Array("<\(prefix)\(name)>".utf8) + text + Array("</\(prefix)\(name)>".utf8), after: after, in: node)
        }
    }

    private mutating func insert(_ text: [UInt8], after child: Int?, in node: Int) {
        guard !text.isEmpty else { return }
        let offset = child.map { Int(tree.nodes[$0].bodyEnd) } ?? tree.verbatimContent(of: node).lowerBound
        insertions.append((offset, text))
    }

    private func write(_ node: Int, _ content: (inout XMLOutput) -> Void) -> [UInt8] {
        var out = XMLOutput(prefix: prefix(of: node))
        content(&out)
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
