extension ModelReader {
    /// Reads whatever the root element is.
    mutating func readRoot() -> Reading.Content {
        let root = tag(of: 0)
        switch root {
        case .vast: return .vast(readVAST(0))
        case .daast:
            isDAAST = true
            return .daast(readVAST(0))
        case .vmap: return .vmap(readVMAP(0))
        case .vast1:
            let message = "VAST 1 is not supported (root <VideoAdServingTemplate>)."
            note(.unsupportedVersion, .error, at: 0, message)
            return .unreadable(ReadFailure(reason: .vast1, message: message))
        default:
            let message = "The root element is <\(tree.name(of: 0).text)>, not VAST, DAAST or VMAP."
            note(.unknownRoot, .error, at: 0, message)
            return .unreadable(ReadFailure(reason: .unknownRoot, message: message))
        }
    }

    mutating func readVAST(_ node: Int) -> VASTDocument {
        var document = VASTDocument(version: readVersion(node), namespace: defaultNamespace(of: node))
        version = isDAAST ? nil : VASTVersion(document.version)
        var sequences: Set<Int> = []
        var firstError: Int?
        for child in tree.children(of: node) {
            switch tag(of: child) {
            case .ad:
                let ad = readAd(child)
                if let sequence = ad.sequence, !sequences.insert(sequence).inserted {
                    warn(.duplicateSequence, at: child, "Two ads have sequence \(sequence); document order decides.")
                }
                document.ads.append(ad)
            case .error:
                firstError = firstError ?? child
                if let url = url(child) { document.errors.append(url) }
            default: unknown(child)
            }
        }
        if let firstError, !document.ads.isEmpty {
            warn(.errorBesideAd, at: firstError, "The root holds <Error> beside <Ad>; it may hold one or the other.")
        }
        return document
    }

    private mutating func readVersion(_ node: Int) -> String {
        guard let version = attribute(.version, node), !version.isEmpty else {
            require(.version, of: node)
            return ""
        }
        let isKnown =
            isDAAST ? version == "1.0" || version == "1.1" : version == "2.0.1" || VASTVersion(rawValue: version) != nil
        if !isKnown {
            warn(.version, at: node, "Version \(quoted(version)) is not known; read as the newest.")
        }
        return version
    }

    /// The default namespace declared on the element itself.
    func defaultNamespace(of node: Int) -> String? {
        let first = Int(tree.nodes[node].firstDeclaration)
        let declarations = tree.declarations[first..<first + Int(tree.nodes[node].declarationCount)]
        guard let uri = declarations.first(where: { $0.prefix < 0 })?.uri, uri >= 0 else { return nil }
        return tree.names[Int(uri)].text
    }

    private mutating func readAd(_ node: Int) -> VASTAd {
        var ad = VASTAd(content: .empty)
        ad.id = attribute(.id, node)
        ad.sequence = integer(.sequence, node).flatMap { $0 > 0 ? $0 : nil }
        ad.isConditional = boolean(.conditionalAd, node)
        ad.adType = attribute(.adType, node).flatMap { $0.isEmpty ? nil : AdType(rawValue: $0.lowercased()) }
        for child in tree.children(of: node) {
            switch tag(of: child) {
            case .inLine where ad.content == .empty: ad.content = .inLine(readInLine(child))
            case .wrapper where ad.content == .empty: ad.content = .wrapper(readWrapper(child))
            case .inLine, .wrapper:
                warn(.duplicateElement, at: child, "An <Ad> holds one <InLine> or <Wrapper>; this one is ignored.")
            default: unknown(child)
            }
        }
        if ad.content == .empty { missing("InLine or Wrapper", in: node, isFatal: true) }
        return ad
    }
}
