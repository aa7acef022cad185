extension ModelReader {
    /// The right namespace, and the misprint of VMAP 1.0; `https` is met as well.
    private static let namespaces: Set<String> = [
        "http://www.iab.net/videosuite/vmap", "https://www.iab.net/videosuite/vmap", "http://www.iab.net/vmap-1.0",
        "https://www.iab.net/vmap-1.0",
    ]

    mutating func readVMAP(_ node: Int) -> VMAPDocument {
        var document = VMAPDocument(version: attribute(.version, node) ?? "")
        document.namespace = namespace(of: node)
        if !Self.namespaces.contains(document.namespace ?? "") {
            warn(.namespace, at: node, "The namespace of VMAP is http://www.iab.net/videosuite/vmap.")
        }
        if document.version.isEmpty { require(.version, of: node) }
        for child in tree.children(of: node) {
            switch vmapTag(of: child) {
            case .adBreak: document.adBreaks.append(readAdBreak(child))
            case .extensions: document.extensions.append(contentsOf: readExtensions(child, .extension))
            default: unknown(child)
            }
        }
        return document
    }

    private func namespace(of node: Int) -> String? {
        let uri = tree.nodes[node].namespace
        return uri >= 0 ? tree.names[Int(uri)].text : nil
    }

    /// The tag of an element that must be in VMAP's namespace; in lenient mode the local name is enough.
    private mutating func vmapTag(of node: Int) -> Tag? {
        let tag = tag(of: node)
        if Self.namespaces.contains(namespace(of: node) ?? "") { return tag }
        guard lenient else { return nil }
        let name = tree.name(of: node).text
        once(.namespace, key: name, at: node, "<\(name)> is not in the namespace of VMAP.")
        return tag
    }

    private mutating func readAdBreak(_ node: Int) -> AdBreak {
        var adBreak = AdBreak(timeOffset: readTimeOffset(node))
        adBreak.id = attribute(.breakId, node)
        adBreak.breakTypes = readBreakTypes(node)
        adBreak.repeatAfter = time(.repeatAfter, node)
        if adBreak.repeatAfter != nil, adBreak.timeOffset == .start || adBreak.timeOffset == .end {
            warn(.badValue, at: node, "repeatAfter has no meaning beside the offset start or end.")
        }
        for child in tree.children(of: node) {
            switch vmapTag(of: child) {
            case .adSource: adBreak.source = readAdSource(child)
            case .trackingEvents: adBreak.trackingEvents.append(contentsOf: readTracking(child))
            case .extensions: adBreak.extensions.append(contentsOf: readExtensions(child, .extension))
            default: unknown(child)
            }
        }
        return adBreak
    }

    private mutating func readBreakTypes(_ node: Int) -> [String] {
        require(.breakType, of: node)
        let text = attribute(.breakType, node) ?? ""
        let types = text.split(separator: ",").map { $0.filter { $0 != " " }.lowercased() }.filter { !$0.isEmpty }
        for type in types where !["linear", "nonlinear", "display"].contains(type) {
            warn(.badValue, at: node, "breakType \(quoted(type)) is not linear, nonlinear or display.")
        }
        return types.isEmpty ? ["linear"] : types
    }

    private mutating func readTimeOffset(_ node: Int) -> TimeOffset {
        let text = attribute(.timeOffset, node) ?? ""
        let offset = TimeOffset(text: text, lenient: lenient)
        if case .unreadable = offset {
            warn(.badValue, at: node, "timeOffset is \(quoted(text)); the break cannot be scheduled.")
        }
        return offset
    }

    private mutating func readAdSource(_ node: Int) -> AdSource {
        var source = AdSource(content: .empty)
        source.id = attribute(.id, node)
        source.allowsMultipleAds = boolean(.allowMultipleAds, node)
        source.followsRedirects = boolean(.followRedirects, node)
        for child in tree.children(of: node) {
            switch vmapTag(of: child) {
            case .vastAdData, .vastData: source.content = readVASTAdData(child)
            case .vmapAdTagURI:
                if let uri = url(child) {
                    source.content = .adTag(templateType: attribute(.templateType, child), uri: uri)
                }
            case .customAdData:
                source.content = .custom(
                    templateType: attribute(.templateType, child),
                    data: tree.trimmedText(of: child)
                )
            default: unknown(child)
            }
        }
        if source.content == .empty { missing("VASTAdData, AdTagURI or CustomAdData", in: node) }
        return source
    }

    /// A document inside the schedule; as text in a CDATA section, which is wrong but met, in lenient mode.
    private mutating func readVASTAdData(_ node: Int) -> AdSource.Content {
        for child in tree.children(of: node) where tag(of: child) == .vast || tag(of: child) == .daast {
            isDAAST = tag(of: child) == .daast
            defer { isDAAST = false }
            return .vast(readVAST(child))
        }
        let text = tree.trimmedText(of: node)
        guard lenient, !text.isEmpty else { return .empty }
        warn(.oldSpelling, at: node, "The VAST document stands in a CDATA section.")
        let inner = VASTReader(options: options).read(text)
        guard let document = inner.vast else { return .empty }
        diagnostics.append(contentsOf: inner.diagnostics.prefix(10))
        return .vast(document)
    }
}

extension TimeOffset {
    /// Reads `start`, `end`, a time, `n%` or `#n`.
    init(text: String, lenient: Bool) {
        let word = lenient ? text.lowercased() : text
        if word == "start" {
            self = .start
        } else if word == "end" {
            self = .end
        } else if let percent = ClockText.percent(text), percent <= 100 {
            self = .percent(percent)
        } else if text.hasPrefix("#"), let position = Int(text.dropFirst()), position > 0 {
            self = .position(position)
        } else if let time = ClockText.duration(text, lenient: lenient) {
            self = .time(time)
        } else {
            self = .unreadable(text)
        }
    }
}
