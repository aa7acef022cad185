extension DocumentWriter {
    /// Writes a schedule; elements of VMAP carry the prefix `vmap`.
    mutating func write(_ document: VMAPDocument) {
        let version = document.version.isEmpty ? "1.0" : document.version
        let namespace = "http://www.iab.net/videosuite/vmap"
        out.begin("vmap:VMAP", [("xmlns:vmap", namespace), ("version", version)])
        for adBreak in document.adBreaks { write(adBreak) }
        writeVMAPExtensions(document.extensions)
        out.end()
    }

    private mutating func write(_ adBreak: AdBreak) {
        out.begin(
            "vmap:AdBreak",
            [
                ("timeOffset", text(adBreak.timeOffset)), ("breakType", adBreak.breakTypes.joined(separator: ",")),
                ("breakId", adBreak.id), ("repeatAfter", adBreak.repeatAfter.map(ClockText.text)),
            ]
        )
        if let source = adBreak.source { write(source) }
        if !adBreak.trackingEvents.isEmpty {
            out.begin("vmap:TrackingEvents")
            for event in adBreak.trackingEvents {
                let offset = event.offset.map(text)
                out.opaque("vmap:Tracking", [("event", event.event.rawValue), ("offset", offset)], event.url)
            }
            out.end()
        }
        writeVMAPExtensions(adBreak.extensions)
        out.end()
    }

    private mutating func write(_ source: AdSource) {
        out.begin(
            "vmap:AdSource",
            [
                ("id", source.id), ("allowMultipleAds", source.allowsMultipleAds.map { String($0) }),
                ("followRedirects", source.followsRedirects.map { String($0) }),
            ]
        )
        switch source.content {
        case .vast(let document):
            out.begin("vmap:VASTAdData")
            // The document inside is laid out by its own version.
            var inner = DocumentWriter(version: VASTVersion(document.version) ?? .v42, converts: converts, part: out)
            inner.write(document)
            out = inner.out
            takeRemarks(of: inner)
            out.end()
        case .adTag(let type, let uri): out.opaque("vmap:AdTagURI", [("templateType", type)], uri)
        case .custom(let type, let data): out.opaque("vmap:CustomAdData", [("templateType", type)], data)
        case .empty: break
        }
        out.end()
    }

    private mutating func writeVMAPExtensions(_ extensions: [VASTExtension]) {
        guard !extensions.isEmpty else { return }
        out.begin("vmap:Extensions")
        write("vmap:Extension", extensions)
        out.end()
    }

    private func text(_ offset: TimeOffset) -> String {
        switch offset {
        case .start: "start"
        case .end: "end"
        case .time(let time): ClockText.text(time)
        case .percent(let percent): ClockText.text(percent: percent)
        case .position(let position): "#\(position)"
        case .unreadable(let text): text
        }
    }
}
