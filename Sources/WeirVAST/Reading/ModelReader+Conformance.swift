extension ModelReader {
    /// Looks for what the model has no place for: unknown attributes, and text where only elements may stand.
    ///
    /// What stands inside extensions and unknown elements is nobody's business.
    mutating func checkConformance() {
        var node = 0
        while node < tree.nodes.count {
            guard let tag = tree.nodes[node].tag ?? tree.names[Int(tree.nodes[node].name)].miscasedTag else {
                node = max(node + 1, Int(tree.nodes[node].end))
                continue
            }
            checkAttributes(of: node)
            if tag == .extension || tag == .creativeExtension {
                node = max(node + 1, Int(tree.nodes[node].end))
                continue
            }
            if tag.isContainer, !tree.isBlank(node) {
                let message = "Text stands directly in <\(tag.rawValue)>, which holds elements only; ignored."
                warn(.strayText, at: node, message)
            }
            node += 1
        }
    }

    private mutating func checkAttributes(of node: Int) {
        for index in tree.attributeRange(of: node) where tree.attributes[index].key == nil {
            guard tree.attributes[index].prefix < 0 else { continue }
            let name = Int(tree.attributes[index].name)
            let text = tree.names[name].text
            if let key = tree.names[name].miscasedKey {
                once(.wrongCase, key: "@" + text, at: node, "\(text) should be spelt \(key.rawValue).")
            } else {
                let element = tree.name(of: node).text
                let message = "<\(element)> has no attribute \(quoted(text)); ignored."
                note(.unknownAttribute, lenient ? .info : .error, at: node, message)
            }
        }
    }
}

extension Tag {
    /// Whether the element holds elements only.
    fileprivate var isContainer: Bool {
        switch self {
        case .vast, .daast, .vmap, .ad, .inLine, .wrapper, .viewableImpression, .adVerifications, .verification,
            .extensions, .creatives, .creative, .creativeExtensions, .linear, .nonLinearAds, .nonLinear, .companionAds,
            .companion, .mediaFiles, .closedCaptionFiles, .trackingEvents, .videoClicks, .adInteractions, .icons, .icon,
            .iconClicks, .iconClickFallbackImages, .iconClickFallbackImage, .adBreak, .adSource:
            true
        default: false
        }
    }
}
