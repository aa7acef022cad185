/// Writes one document; this file holds the root, the ads and what all parts share.
struct DocumentWriter {
    let version: VASTVersion
    /// Whether what the version cannot express is left out; else all is written.
    let converts: Bool
    /// Whether the document is for a player, and not for a comparison with the schema.
    let serves: Bool
    var out = XMLOutput()
    private var remarks: [Diagnostic] = []
    private var path: [String] = []

    init(version: VASTVersion, converts: Bool, serves: Bool = false) {
        self.version = version
        self.converts = converts
        self.serves = serves
        out.declaration()
    }

    /// A writer of a document inside another one.
    init(version: VASTVersion, converts: Bool, part out: XMLOutput) {
        self.version = version
        self.converts = converts
        serves = false
        self.out = out
    }

    var output: VASTWriter.Output { VASTWriter.Output(bytes: out.bytes, remarks: remarks) }

    /// Versions 2 and 3 have an element order of their own, 4 and later another.
    var isFour: Bool { version >= .v4 }

    mutating func write(_ document: VASTDocument) {
        out.begin("VAST", [("version", document.version), ("xmlns", document.namespace)])
        // Root errors came with the text of 3.0; the schemas have them since 4.0.
        if allows(.v4, "Error of the root", list: document.errors) {
            for url in document.errors { out.opaque("Error", url) }
        }
        for ad in document.ads { write(ad) }
        out.end()
    }

    private mutating func write(_ ad: VASTAd) {
        path = ["VAST", ad.id.map { "Ad[@id='\($0)']" } ?? "Ad"]
        defer { path = [] }
        let sequence = allows(.v3, "sequence", ad.sequence) ? ad.sequence : nil
        let type = allows(.v41, "adType", ad.adType) ? ad.adType?.rawValue : nil
        let conditional = allows(.v4, "conditionalAd", ad.isConditional) ? ad.isConditional : nil
        // VAST 2 requires the id (schema 2.0.1).
        let id = ad.id ?? (converts && version == .v2 ? "" : nil)
        out.begin(
            "Ad",
            [
                ("id", id), ("sequence", sequence.map { String($0) }),
                ("conditionalAd", conditional.map { String($0) }), ("adType", type),
            ]
        )
        switch ad.content {
        case .inLine(let inLine): write(inLine)
        case .wrapper(let wrapper): write(wrapper)
        case .empty: break
        }
        out.end()
    }

    /// Whether the version can express something; if there is something and it cannot, that is reported.
    mutating func allows(_ first: VASTVersion, _ name: String, _ value: (some Any)?) -> Bool {
        guard value != nil else { return false }
        if !converts || version >= first { return true }
        leaveOut(name)
        return false
    }

    /// The same for a list, which is nothing when it is empty.
    mutating func allows(_ first: VASTVersion, _ name: String, list: [some Any]) -> Bool {
        guard !list.isEmpty else { return false }
        return allows(first, name, Optional(list.count))
    }

    mutating func leaveOut(_ name: String) {
        let message = "VAST \(version.rawValue) cannot express \(name); it was left out."
        let remark = Diagnostic(
            code: .notExpressible,
            severity: .warning,
            path: path.joined(separator: "/"),
            message: message
        )
        if !remarks.contains(remark) { remarks.append(remark) }
    }

    /// What was left out of a document inside this one.
    mutating func takeRemarks(of inner: DocumentWriter) {
        for remark in inner.remarks where !remarks.contains(remark) { remarks.append(remark) }
    }

    mutating func write(_ name: String, _ extensions: [VASTExtension]) {
        for value in extensions {
            var own = value.attributes
            if converts, !isFour, own.contains(where: { !$0.name.hasPrefix("xmlns") }) {
                leaveOut("attributes of an extension")
                own.removeAll { !$0.name.hasPrefix("xmlns") }
            }
            out.verbatim(name, [("type", value.type)] + own.map { ($0.name, Optional($0.value)) }, value.content)
        }
    }

    mutating func write(_ name: String, _ url: TrackedURL) {
        out.opaque(name, [("id", url.id)], url.url)
    }

    /// `TrackingEvents`, under the names of the version.
    mutating func write(_ events: [TrackingEvent]) {
        let named: [(String, TrackingEvent)] = events.compactMap { event in
            if !converts { return (event.event.rawValue, event) }
            guard let name = version.name(of: event.event) else {
                leaveOut("the event \(event.event.rawValue)")
                return nil
            }
            return (name, event)
        }
        guard !named.isEmpty else { return }
        out.begin("TrackingEvents")
        for (name, event) in named {
            let offset = converts && version < .v3 ? nil : event.offset.map(text)
            out.opaque("Tracking", [("event", name), ("offset", offset)], event.url)
        }
        out.end()
    }

    func text(_ offset: PlayOffset) -> String {
        switch offset {
        case .time(let time): ClockText.text(time)
        case .percent(let percent): ClockText.text(percent: percent)
        case .unreadable(let text): text
        }
    }
}
