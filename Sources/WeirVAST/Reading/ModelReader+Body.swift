extension ModelReader {
    mutating func readInLine(_ node: Int) -> InLine {
        var inLine = InLine()
        var hasCreatives = false
        for child in tree.children(of: node) {
            let tag = tag(of: child)
            if readShared(tag, child, into: &inLine) {
                hasCreatives = hasCreatives || tag == .creatives
                continue
            }
            switch tag {
            case .adTitle: inLine.title = tree.trimmedText(of: child)
            case .adServingID: inLine.adServingID = nonEmptyText(child)
            case .category: if let category = readCategory(child) { inLine.categories.append(category) }
            case .description: inLine.description = tree.trimmedText(of: child)
            case .advertiser:
                inLine.advertiser = nonEmptyText(child).map { Advertiser(id: attribute(.id, child), name: $0) }
            case .survey: inLine.survey = url(child).map { Survey(type: attribute(.type, child), url: $0) }
            case .expires: inLine.expires = readExpires(child)
            default: unknown(child)
            }
        }
        if inLine.system == nil, !isDAAST { missing("AdSystem", in: node) }
        if inLine.title == nil { missing("AdTitle", in: node) }
        if inLine.impressions.isEmpty { missing("Impression", in: node) }
        if inLine.adServingID == nil { missing("AdServingId", in: node, since: .v41) }
        if !hasCreatives { missing("Creatives", in: node, isFatal: true) }
        return inLine
    }

    mutating func readWrapper(_ node: Int) -> Wrapper {
        var wrapper = Wrapper()
        wrapper.followsAdditionalWrappers = boolean(.followAdditionalWrappers, node)
        wrapper.allowsMultipleAds = boolean(.allowMultipleAds, node)
        wrapper.fallsBackOnNoAd = boolean(.fallbackOnNoAd, node)
        for child in tree.children(of: node) {
            let tag = tag(of: child)
            if readShared(tag, child, into: &wrapper) { continue }
            switch tag {
            case .adTagURI: wrapper.adTagURI = url(child) ?? wrapper.adTagURI
            case .daastAdTagURI where isDAAST || lenient: wrapper.adTagURI = url(child) ?? wrapper.adTagURI
            case .oldAdTagURL where lenient: wrapper.adTagURI = readOldAdTag(child) ?? wrapper.adTagURI
            case .blockedAdCategories:
                if let category = readCategory(child) { wrapper.blockedCategories.append(category) }
            default: unknown(child)
            }
        }
        if wrapper.adTagURI == nil { missing("VASTAdTagURI", in: node, isFatal: true) }
        if wrapper.impressions.isEmpty { missing("Impression", in: node) }
        return wrapper
    }

    /// Reads what `InLine` and `Wrapper` have in common; false when the element is not of that kind.
    private mutating func readShared(_ tag: Tag?, _ child: Int, into body: inout some AdBody) -> Bool {
        switch tag {
        case .adSystem:
            body.system = AdSystem(name: tree.trimmedText(of: child), version: attribute(.version, child))
        case .impression: if let impression = trackedURL(child) { body.impressions.append(impression) }
        case .pricing:
            body.pricing = nonEmptyText(child).map {
                Pricing(model: attribute(.model, child), currency: attribute(.currency, child), value: $0)
            }
        case .error: if let url = url(child) { body.errors.append(url) }
        case .viewableImpression: body.viewableImpressions.append(readViewableImpression(child))
        case .adVerifications: body.verifications.append(contentsOf: readVerifications(child))
        case .extensions: body.extensions.append(contentsOf: readExtensions(child, .extension))
        case .creatives: body.creatives.append(contentsOf: readCreatives(child))
        default: return false
        }
        return true
    }

    /// The old spelling `<VASTAdTagURL><URL>…</URL></VASTAdTagURL>`, or with the URL inside directly.
    private mutating func readOldAdTag(_ node: Int) -> String? {
        warn(.oldSpelling, at: node, "<VASTAdTagURL> is an old spelling of <VASTAdTagURI>.")
        for child in tree.children(of: node) where tag(of: child) == .url { return url(child) }
        return url(node)
    }

    func nonEmptyText(_ node: Int) -> String? {
        let text = tree.trimmedText(of: node)
        return text.isEmpty ? nil : text
    }

    private mutating func readCategory(_ node: Int) -> Category? {
        nonEmptyText(node).map { Category(authority: attribute(.authority, node), code: $0) }
    }

    /// Whole seconds (VAST 4.3 §3.4.10).
    private mutating func readExpires(_ node: Int) -> Duration? {
        let text = tree.trimmedText(of: node)
        if let seconds = Int64(text), (0...315_360_000).contains(seconds) { return .seconds(seconds) }
        if lenient, let time = ClockText.duration(text, lenient: true) { return time }
        warn(.badValue, at: node, "Expires is \(quoted(text)), not a number of seconds.")
        return nil
    }

    private mutating func readViewableImpression(_ node: Int) -> ViewableImpression {
        var result = ViewableImpression(id: attribute(.id, node))
        for child in tree.children(of: node) {
            switch tag(of: child) {
            case .viewable: if let url = url(child) { result.viewable.append(url) }
            case .notViewable: if let url = url(child) { result.notViewable.append(url) }
            case .viewUndetermined: if let url = url(child) { result.undetermined.append(url) }
            default: unknown(child)
            }
        }
        return result
    }

    private mutating func readVerifications(_ node: Int) -> [Verification] {
        var result: [Verification] = []
        for child in tree.children(of: node) {
            guard tag(of: child) == .verification else {
                unknown(child)
                continue
            }
            result.append(readVerification(child))
        }
        return result
    }

    private mutating func readVerification(_ node: Int) -> Verification {
        var result = Verification()
        result.vendor = attribute(.vendor, node)
        for child in tree.children(of: node) {
            switch tag(of: child) {
            case .javaScriptResource: readResource(.javaScript, child, into: &result)
            case .executableResource: readResource(.executable, child, into: &result)
            case .trackingEvents: result.trackingEvents.append(contentsOf: readTracking(child))
            case .verificationParameters: result.parameters = tree.trimmedText(of: child)
            // VAST 4.0 had viewability URLs in this place.
            case .viewableImpression: break
            default: unknown(child)
            }
        }
        return result
    }

    private mutating func readResource(
        _ kind: VerificationResource.Kind,
        _ node: Int,
        into verification: inout Verification
    ) {
        guard let url = url(node) else { return }
        verification.resources.append(
            VerificationResource(
                kind: kind,
                apiFramework: attribute(.apiFramework, node),
                type: attribute(.type, node),
                isBrowserOptional: boolean(.browserOptional, node),
                url: url
            )
        )
    }

    /// The extensions inside a container, each kept byte for byte.
    mutating func readExtensions(_ node: Int, _ kind: Tag) -> [VASTExtension] {
        var result: [VASTExtension] = []
        for child in tree.children(of: node) {
            guard tag(of: child) == kind else {
                unknown(child)
                continue
            }
            result.append(readExtension(child))
        }
        return result
    }

    private mutating func readExtension(_ node: Int) -> VASTExtension {
        let range = tree.verbatimContent(of: node)
        let content = String(decoding: tree.source[range], as: UTF8.self)
        var result = VASTExtension(type: attribute(.type, node), content: content)
        for attribute in tree.attributes(of: node) where attribute.key != .type {
            let prefix = attribute.prefix >= 0 ? tree.names[Int(attribute.prefix)].text + ":" : ""
            let name = prefix + tree.names[Int(attribute.name)].text
            result.attributes.append(VASTExtension.Attribute(name: name, value: tree.value(of: attribute)))
        }
        result.attributes.append(contentsOf: namespaces(usedIn: range, at: node))
        for child in tree.children(of: node) {
            let text = tree.hasChildren(child) ? "" : tree.trimmedText(of: child)
            result.fields.append(VASTExtension.Field(name: tree.name(of: child).text, text: text))
            if tree.nodes[child].tag == .adVerifications {
                result.verifications += readVerifications(child)
            }
        }
        return result
    }

    /// The prefixes declared on the element or further up that the content uses.
    private func namespaces(usedIn range: Range<Int>, at node: Int) -> [VASTExtension.Attribute] {
        var result: [VASTExtension.Attribute] = []
        var current = node
        while current >= 0 {
            let first = Int(tree.nodes[current].firstDeclaration)
            for declaration in tree.declarations[first..<first + Int(tree.nodes[current].declarationCount)] {
                guard declaration.prefix >= 0, declaration.uri >= 0 else { continue }
                let prefix = tree.names[Int(declaration.prefix)].text
                let name = "xmlns:" + prefix
                guard !result.contains(where: { $0.name == name }), tree.contains(prefix + ":", in: range) else {
                    continue
                }
                let uri = tree.names[Int(declaration.uri)].text
                result.append(VASTExtension.Attribute(name: name, value: uri))
            }
            current = Int(tree.nodes[current].parent)
        }
        return result
    }
}
