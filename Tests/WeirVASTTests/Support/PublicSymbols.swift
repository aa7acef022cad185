/// The public declarations of WeirVAST as its sources have them, each with its first sentence and where it comes from.
struct PublicSymbols {
    struct Symbol {
        var folder: String
        /// With the types that it stands in: `InLine.title`.
        var name: String
        var summary: String
        var section: String
    }

    private(set) var symbols: [Symbol] = []

    private struct Scope {
        var indent: Int
        var name: String
        var section: String
        var isEnum: Bool
    }

    private var scopes: [Scope] = []
    private var comment: [String] = []

    /// The symbols of one file.
    init(source: String, folder: String) {
        let fallback = Self.folders[folder] ?? ""
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.drop { $0 == " " }
            let indent = line.count - text.count
            if text.hasPrefix("///") {
                comment.append(String(text.dropFirst(3).drop { $0 == " " }))
                continue
            }
            while let top = scopes.last, text.hasPrefix("}"), indent <= top.indent { scopes.removeLast() }
            read(String(text), indent: indent, folder, fallback)
            if !text.hasPrefix("@") { comment = [] }
        }
    }

    private mutating func read(_ text: String, indent: Int, _ folder: String, _ fallback: String) {
        if let match = text.prefixMatch(of: /extension ([\w.\[\]]+)/), indent == 0, text.hasSuffix("{") {
            let name = String(match.1)
            scopes = [Scope(indent: 0, name: name, section: Self.sections[name] ?? fallback, isEnum: false)]
            return
        }
        let inherited = scopes.last?.section ?? fallback
        if let match = text.prefixMatch(of: /public (?:indirect |final )?(struct|enum|protocol|class) (\w+)/) {
            let name = path(String(match.2))
            let section = Self.sections[name] ?? cited ?? (scopes.isEmpty ? fallback : inherited)
            add(name, section, folder)
            if text.hasSuffix("{") {
                scopes.append(Scope(indent: indent, name: name, section: section, isEnum: match.1 == "enum"))
            }
            return
        }
        let isCase = text.hasPrefix("case ") && scopes.last?.isEnum == true && !comment.isEmpty
        let isRequirement = text.hasPrefix("var ") && scopes.last?.name == "AdBody"
        guard text.hasPrefix("public ") || isCase || isRequirement, !text.hasPrefix("public import") else { return }
        for name in Self.names(in: text) {
            add(path(name), Self.sections[path(name)] ?? cited ?? inherited, folder)
        }
    }

    private mutating func add(_ name: String, _ section: String, _ folder: String) {
        symbols.append(Symbol(folder: folder, name: name, summary: comment.first ?? "", section: section))
    }

    private func path(_ name: String) -> String { scopes.last.map { $0.name + "." + name } ?? name }

    /// The section that the comment itself names.
    private var cited: String? {
        let text = comment.joined(separator: " ")
        return text.firstMatch(of: /((?:VAST|VMAP|DAAST) [\d.]+ (?:§[\d.]+[\d](?:, §[\d.]+[\d])*|error table)|RFC \d+)/)
            .map {
                String($0.1)
            }
    }

    private static func names(in text: String) -> [String] {
        if text.hasPrefix("case ") {
            let list = text.dropFirst(5).prefix { $0 != "=" && $0 != "(" }
            return list.split(separator: ",").map { $0.filter { $0 != " " && $0 != "`" } }
        }
        if let match = text.firstMatch(of: /\b(?:var|let|func|typealias) `?(\w+|[<=]+)/) {
            return [String(match.1) + (text.contains("func ") ? "()" : "")]
        }
        return text.contains("subscript") ? ["subscript"] : text.contains("init") ? ["init"] : []
    }

    /// Where the matter of a folder is laid down, for what does not say so itself.
    private static let folders = [
        "Checking": "XML Schema 1.0 Part 1", "Macros": "VAST 4.3 §6", "Reading": "XML 1.0; Weir's own",
        "Resolving": "VAST 4.3 §3.3.1, §3.19", "Scheduling": "VMAP 1.0.1, `AdBreak`", "Selecting": "VAST 4.3 §3.9.1",
        "Tracking": "VAST 4.3 §3.14", "Writing": "the schemas of VAST 2.0 to 4.2", "Model": "VAST 4.3 §3",
    ]

    /// The section of a symbol whose comment does not name it.
    private static let sections: [String: String] = {
        var sections = [
            "VASTDocument": "VAST 4.3 §3.2", "VASTDocument.errors": "VAST 4.3 §3.2.1", "VASTAd": "VAST 4.3 §3.3",
            "VASTAd.sequence": "VAST 4.3 §3.3.1", "AdBody": "VAST 4.3 §3.4, §3.19", "Survey": "VAST 4.3 §3.4",
            "PlayOffset": "VAST 4.3 §3.8, §3.14.1", "TrackedURL": "VAST 4.3 §3.4.4",
            "VMAPDocument": "VMAP 1.0.1, `VMAP`",
            "TimeOffset": "VMAP 1.0.1, `AdBreak`", "AdBreak": "VMAP 1.0.1, `AdBreak`",
            "AdSource": "VMAP 1.0.1, `AdSource`",
            "Beacon": "VAST 4.3 §3.14", "VASTErrorCode": "VAST 4.3 §2.3.6.3", "ReadFailure": "VAST 4.3 §2.3.6.3",
            "BreakResolution": "VMAP 1.0.1, `AdBreak`", "ErrorPing": "VAST 4.3 §2.3.6.3", "MIMEType": "RFC 2046",
            "CompanionSelector": "VAST 4.3 §3.13", "Wrapper.adTagURI": "VAST 4.3 §3.19.1",
            "Wrapper.blockedCategories": "VAST 4.3 §3.19.2", "InLine.title": "VAST 4.3 §3.4.2",
            "InLine.adServingID": "VAST 4.3 §3.4.3", "InLine.categories": "VAST 4.3 §3.4.5",
            "InLine.description": "VAST 4.3 §3.4.6", "InLine.advertiser": "VAST 4.3 §3.4.7",
            "InLine.expires": "VAST 4.3 §3.4.10", "Linear.skipOffset": "VAST 4.3 §3.8",
            "Linear.mediaFiles": "VAST 4.3 §3.9.1", "Linear.mezzanines": "VAST 4.3 §3.9.2",
            "Linear.interactiveCreativeFiles": "VAST 4.3 §3.9.3", "Linear.closedCaptionFiles": "VAST 4.3 §3.9.4",
            "Linear.adParameters": "VAST 4.3 §3.8.2", "Linear.trackingEvents": "VAST 4.3 §3.14",
            "Linear.clicks": "VAST 4.3 §3.10", "Linear.icons": "VAST 4.3 §3.11",
            "Creative.universalAdIDs": "VAST 4.3 §3.7.1",
        ]
        // What an ad and a wrapper have in common stands under three names.
        let shared = [
            "system": "§3.4.1", "impressions": "§3.4.4", "pricing": "§3.4.8", "errors": "§3.4.11",
            "viewableImpressions": "§3.5", "creatives": "§3.6", "verifications": "§3.17", "extensions": "§3.18",
        ]
        for (name, section) in shared {
            for type in ["AdBody", "InLine", "Wrapper"] { sections["\(type).\(name)"] = "VAST 4.3 \(section)" }
        }
        return sections
    }()
}
