/// Turns a tree into the model and collects remarks; this file holds what all elements share.
struct ModelReader {
    private(set) var tree: XMLTree
    let options: ReadOptions
    var diagnostics: [Diagnostic] = []
    /// DAAST does without some elements that VAST requires.
    var isDAAST = false
    /// The version of the document that is being read; `nil` when it is not known.
    var version: VASTVersion?
    private var suppressed = 0
    private var seenOnce: Set<String> = []
    /// Offsets of the lines, found when there is something to say about one.
    private var lineStarts: [Int] = []

    init(tree: XMLTree, options: ReadOptions) {
        self.tree = tree
        self.options = options
    }

    var lenient: Bool { options.isLenient }

    /// Hands the tree on, so that its memory can be used again.
    mutating func giveUpTree() -> XMLTree {
        let tree = tree
        self.tree = XMLTree()
        return tree
    }

    /// The remarks in document order; the last one says how many more there were.
    func finishedDiagnostics() -> [Diagnostic] {
        if diagnostics.count < 2, suppressed == 0 { return diagnostics }
        let ordered = diagnostics.enumerated().sorted { left, right in
            (left.element.line, left.element.column, left.offset) < (
                right.element.line, right.element.column, right.offset
            )
        }.map(\.element)
        guard suppressed > 0 else { return ordered }
        let last = Diagnostic(code: .limit, severity: .info, message: "\(suppressed) more remarks are not listed.")
        return ordered + [last]
    }

    /// The element's tag; one in another case counts in lenient mode, with a remark.
    mutating func tag(of node: Int) -> Tag? {
        if let tag = tree.nodes[node].tag { return tag }
        let index = Int(tree.nodes[node].name)
        guard lenient, let tag = tree.names[index].miscasedTag else { return nil }
        let text = tree.names[index].text
        once(.wrongCase, key: text, at: node, "<\(text)> should be spelt <\(tag.rawValue)>.")
        return tag
    }

    func attribute(_ key: Key, _ node: Int) -> String? {
        tree.attribute(key, of: node, lenient: lenient)
    }

    /// The attribute as a whole number; `allowingFraction` rounds what should not have one.
    mutating func integer(_ key: Key, _ node: Int) -> Int? {
        guard let range = tree.attributeBytes(key, of: node, lenient: lenient), !range.isEmpty else { return nil }
        if let value = tree.plainInteger(range) { return value }
        let text = tree.string(range)
        if let value = Int(text), value >= 0 { return value }
        if lenient, let value = Double(text.hasSuffix("px") ? String(text.dropLast(2)) : text), value.isFinite,
            value >= 0, value < 1e9
        {
            warn(.badValue, at: node, "\(key.rawValue) is \(quoted(text)), not a whole number; rounded.")
            return Int(value.rounded())
        }
        warn(.badValue, at: node, "\(key.rawValue) is \(quoted(text)), not a whole number.")
        return nil
    }

    mutating func decimal(_ key: Key, _ node: Int) -> Double? {
        guard let text = attribute(key, node), !text.isEmpty else { return nil }
        if let value = Double(text), value.isFinite { return value }
        warn(.badValue, at: node, "\(key.rawValue) is \(quoted(text)), not a number.")
        return nil
    }

    /// `true`, `false`, `1` or `0`; in any case when lenient.
    mutating func boolean(_ key: Key, _ node: Int) -> Bool? {
        guard let range = tree.attributeBytes(key, of: node, lenient: lenient), !range.isEmpty else { return nil }
        let text = tree.string(range)
        if text == "true" { return true }
        if text == "false" { return false }
        switch lenient ? text.lowercased() : text {
        case "true", "1": return true
        case "false", "0": return false
        default:
            warn(.badValue, at: node, "\(key.rawValue) is \(quoted(text)), neither true nor false.")
            return nil
        }
    }

    /// A time in an attribute.
    mutating func time(_ key: Key, _ node: Int) -> Duration? {
        guard let text = attribute(key, node), !text.isEmpty else { return nil }
        return time(text, at: node, of: key.rawValue)
    }

    /// A time or percentage in an attribute.
    mutating func playOffset(_ key: Key, _ node: Int) -> PlayOffset? {
        guard let text = attribute(key, node), !text.isEmpty else { return nil }
        let offset = ClockText.playOffset(text, lenient: lenient)
        switch offset {
        case .unreadable:
            warn(.badValue, at: node, "\(key.rawValue) is \(quoted(text)), neither a time nor a percentage.")
        case .percent(let percent) where percent > 100:
            warn(.badValue, at: node, "\(key.rawValue) is \(quoted(text)), beyond the end of the ad.")
        case .time where ClockText.duration(text, lenient: false) == nil:
            once(
                .plainSeconds,
                key: key.rawValue,
                at: node,
                "\(key.rawValue) is \(quoted(text)); HH:MM:SS is expected."
            )
        case .time, .percent: break
        }
        return offset
    }

    mutating func time(_ text: String, at node: Int, of name: String) -> Duration? {
        guard let time = ClockText.duration(text, lenient: lenient) else {
            warn(.badValue, at: node, "\(name) is \(quoted(text)), not a time.")
            return nil
        }
        if ClockText.duration(text, lenient: false) == nil {
            once(.plainSeconds, key: name, at: node, "\(name) is \(quoted(text)); HH:MM:SS is expected.")
        }
        return time
    }

    /// The element's text as a URL: trimmed, `nil` with a remark when there is none.
    mutating func url(_ node: Int) -> String? {
        let text = tree.trimmedText(of: node)
        if text.isEmpty {
            warn(.emptyURL, at: node, "<\(tree.name(of: node).text)> holds no URL.")
            return nil
        }
        return text
    }

    mutating func trackedURL(_ node: Int) -> TrackedURL? {
        url(node).map { TrackedURL(id: attribute(.id, node), url: $0) }
    }

    /// An element that has no place here.
    mutating func unknown(_ node: Int) {
        let name = tree.name(of: node).text
        let parent = Int(tree.nodes[node].parent)
        let place = parent >= 0 ? tree.name(of: parent).text : ""
        warn(.unknownElement, at: node, "<\(name)> does not belong in <\(place)>; ignored.")
    }

    /// Something that must be there is not: an error in strict mode, a warning in lenient mode unless `always`.
    mutating func missing(_ name: String, in node: Int, isFatal: Bool = false) {
        let message = "<\(tree.name(of: node).text)> has no <\(name)>."
        note(.missingElement, isFatal || !lenient ? .error : .warning, at: node, message)
    }

    mutating func require(_ key: Key, of node: Int) {
        guard tree.attributeIndex(key, of: node, lenient: lenient) == nil else { return }
        let message = "<\(tree.name(of: node).text)> has no \(key.rawValue)."
        note(.missingAttribute, lenient ? .warning : .error, at: node, message)
    }

    /// Something that a newer version must have and that few documents do: only a hint in lenient mode.
    mutating func missing(_ name: String, in node: Int, since first: VASTVersion) {
        guard let version, version >= first, !isDAAST else { return }
        let message = "<\(tree.name(of: node).text)> has no <\(name)>, which VAST \(first.rawValue) requires."
        note(.missingElement, lenient ? .info : .error, at: node, message)
    }

    /// A warning in lenient mode, an error in strict mode.
    mutating func warn(_ code: DiagnosticCode, at node: Int, _ message: String) {
        note(code, lenient ? .warning : .error, at: node, message)
    }

    /// A warning that is given once for each `key`.
    mutating func once(_ code: DiagnosticCode, key: String, at node: Int, _ message: String) {
        guard seenOnce.insert(code.rawValue + "/" + key).inserted else { return }
        warn(code, at: node, message)
    }

    mutating func note(_ code: DiagnosticCode, _ severity: Diagnostic.Severity, at node: Int, _ message: String) {
        guard diagnostics.count < options.limits.diagnostics else {
            suppressed += 1
            return
        }
        if lineStarts.isEmpty { lineStarts = tree.lineStarts() }
        let place = SourcePlace(tree: tree, node: node, lineStarts: lineStarts)
        diagnostics.append(
            Diagnostic(
                code: code,
                severity: severity,
                line: place.line,
                column: place.column,
                path: place.path,
                message: message
            )
        )
    }

    /// A short, printable form of a value for a remark.
    func quoted(_ text: String) -> String {
        let printable = text.unicodeScalars.prefix(60).map { $0.value < 0x20 ? " " : String($0) }.joined()
        return "\"" + printable + (text.unicodeScalars.count > 60 ? "…" : "") + "\""
    }
}

/// Where an element stands, worked out only when there is something to say about it.
struct SourcePlace {
    var line = 1
    var column = 1
    var path = ""

    init(tree: XMLTree, node: Int, lineStarts: [Int]) {
        (line, column) = tree.place(of: node, lineStarts: lineStarts)
        var ancestors: [Int] = []
        var current = node
        while current >= 0 {
            ancestors.append(current)
            current = Int(tree.nodes[current].parent)
        }
        for ancestor in ancestors.reversed() {
            if !path.isEmpty { path += "/" }
            Self.appendStep(tree, ancestor, to: &path)
        }
    }

    /// The element's name, with its place among its like-named siblings when there are several.
    private static func appendStep(_ tree: XMLTree, _ node: Int, to path: inout String) {
        let name = tree.nodes[node].name
        path += tree.names[Int(name)].text
        let parent = Int(tree.nodes[node].parent)
        guard parent >= 0 else { return }
        var position = 0
        var count = 0
        for sibling in tree.children(of: parent) where tree.nodes[sibling].name == name {
            count += 1
            if sibling == node { position = count }
        }
        if count > 1 { path += "[\(position)]" }
    }
}
