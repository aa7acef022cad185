internal import CXML

/// One check of one document against one schema.
struct SchemaCheck {
    let tree: XMLTree
    let schema: CompiledSchema

    /// The remarks, in document order, each once.
    func run() -> [Diagnostic] {
        guard let document = parsed() else { return [] }
        defer { xmlFreeDoc(document) }
        var findings = Findings()
        var nodes: [UnsafeRawPointer: Int] = [:]
        let hasNamespace = prepare(document, &nodes)
        guard let context = xmlSchemaNewValidCtxt(schema.pointer) else { return [] }
        defer { xmlSchemaFreeValidCtxt(context) }
        withUnsafeMutablePointer(to: &findings) { pointer in
            xmlSchemaSetValidStructuredErrors(
                context,
                { data, error in
                    guard let error else { return }
                    data?.assumingMemoryBound(to: Findings.self).pointee.add(error.pointee)
                },
                pointer
            )
            xmlSchemaValidateDoc(context, document)
        }
        return remarks(findings.list, nodes, hasNamespace: hasNamespace)
    }

    /// The document up to the end of its root; it is UTF-8 whatever its declaration says.
    private func parsed() -> xmlDocPtr? {
        let end = min(Int(tree.nodes.first?.bodyEnd ?? 0), tree.source.count)
        let options =
            XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_NOERROR.rawValue
            | XML_PARSE_NOWARNING.rawValue | XML_PARSE_BIG_LINES.rawValue
        return tree.source.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
            return xmlReadMemory(base, Int32(end), nil, nil, Int32(options))
        }
    }

    /// Numbers the elements as the tree does, takes hints at other schemas out, and, where the document forgot the
    /// namespace that the schema describes, checks it as if it had it; false in that case.
    private func prepare(_ document: xmlDocPtr, _ nodes: inout [UnsafeRawPointer: Int]) -> Bool {
        guard let root = xmlDocGetRootElement(document) else { return true }
        let forgot = !schema.namespace.isEmpty && root.pointee.ns == nil
        let namespace = forgot ? xmlNewNs(root, schema.namespace, nil) : nil
        var current: xmlNodePtr? = root
        while let node = current {
            if node.pointee.type == XML_ELEMENT_NODE {
                nodes[UnsafeRawPointer(node)] = nodes.count
                if let namespace, node.pointee.ns == nil { xmlSetNs(node, namespace) }
                removeHints(node)
            }
            current = Self.next(after: node, in: root)
        }
        return !forgot
    }

    private func removeHints(_ node: xmlNodePtr) {
        for name in ["schemaLocation", "noNamespaceSchemaLocation"] {
            if let hint = xmlHasNsProp(node, name, "http://www.w3.org/2001/XMLSchema-instance") { xmlRemoveProp(hint) }
        }
    }

    private static func next(after node: xmlNodePtr, in root: xmlNodePtr) -> xmlNodePtr? {
        if node.pointee.type == XML_ELEMENT_NODE, let child = node.pointee.children { return child }
        var current = node
        while current != root {
            if let sibling = current.pointee.next { return sibling }
            guard let parent = current.pointee.parent else { return nil }
            current = parent
        }
        return nil
    }

    private func remarks(
        _ findings: [Finding],
        _ nodes: [UnsafeRawPointer: Int],
        hasNamespace: Bool
    ) -> [Diagnostic] {
        let lines = tree.lineStarts()
        let isNewest = VASTVersion(tree.attribute(.version, of: 0, lenient: true) ?? "") == .v43
        var result: [Diagnostic] = []
        if !hasNamespace {
            let sentence = "The document is not in the namespace \(schema.namespace) that the schema describes."
            result.append(
                Diagnostic(code: .schema, severity: .error, line: 1, column: 1, path: "VAST", message: sentence)
            )
        }
        for finding in findings {
            let node = finding.node.flatMap { nodes[$0] } ?? 0
            let rule = SchemaRule(finding, parent: parentName(of: node))
            if isNewest, rule.isAdded43 { continue }
            let place = SourcePlace(tree: tree, node: node, lineStarts: lines)
            let remark = Diagnostic(
                code: .schema,
                severity: .error,
                line: place.line,
                column: place.column,
                path: place.path,
                message: rule.sentence
            )
            // A value that is not in its list is reported by the list and by the type made of it.
            if result.last.map({ $0.line == remark.line && $0.column == remark.column }) == true, rule.isConsequence {
                continue
            }
            if !result.contains(remark) { result.append(remark) }
        }
        return result
    }

    private func parentName(of node: Int) -> String {
        let parent = Int(tree.nodes[node].parent)
        return parent >= 0 ? tree.name(of: parent).text : ""
    }

    /// What libxml2 reported about one node.
    struct Finding {
        var code: UInt32
        var message: String
        var node: UnsafeRawPointer?
    }

    private struct Findings {
        static let limit = 200
        var list: [Finding] = []

        mutating func add(_ error: xmlError) {
            guard list.count < Self.limit else { return }
            let message = error.message.map { String(cString: $0) } ?? ""
            list.append(
                Finding(code: UInt32(bitPattern: error.code), message: message, node: UnsafeRawPointer(error.node))
            )
        }
    }
}
