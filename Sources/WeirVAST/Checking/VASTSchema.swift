internal import CXML
internal import WeirTime

/// A published XML schema (XSD) to check documents against; the rule that a document breaks is told in words.
///
/// The schema is one file that names no other. Neither the schema nor a document can make the check open anything: hints
/// such as `xsi:schemaLocation` are taken out before it runs. VAST 4.3 has no schema of its own: its documents are checked
/// against that of 4.2, and what 4.3 added is allowed (``additions43``).
public final class VASTSchema: Sendable {
    /// Why a schema cannot be used.
    public struct Unusable: Error, Hashable, Sendable {
        /// One sentence.
        public var message: String
    }

    private let compiled: Lock<CompiledSchema>

    /// Compiles a schema.
    ///
    /// - Throws: ``Unusable`` when the text is no schema, or one that includes or imports others.
    public init(_ xsd: [UInt8]) throws(Unusable) {
        guard let compiled = CompiledSchema(xsd) else {
            throw Unusable(message: "It is not an XML schema in one file.")
        }
        self.compiled = Lock(compiled)
    }

    deinit {
        compiled.withLock { $0.free() }
    }

    /// What the schema says about a document; nothing when it accepts it, or when it cannot be parsed at all.
    ///
    /// Checks of one schema run one after another. Each remark has the code ``DiagnosticCode/schema``.
    public func validate(_ bytes: [UInt8], options: ReadOptions = .lenient) -> [Diagnostic] {
        let parsed = bytes.withUnsafeBytes { VASTReader(options: options).parse($0) }
        guard case .parsed(let outcome, _) = parsed, outcome.failure == nil else { return [] }
        return compiled.withLock { SchemaCheck(tree: outcome.tree, schema: $0).run() }
    }
}

/// The compiled schema; owned by ``VASTSchema``, which frees it once.
///
/// It is sendable because ``VASTSchema`` hands it out under its lock only, one check at a time.
struct CompiledSchema: @unchecked Sendable {
    let pointer: xmlSchemaPtr
    /// The namespace that it describes; empty for none.
    let namespace: String

    fileprivate init?(_ xsd: [UInt8]) {
        XMLParser.initialize()
        let text = String(decoding: xsd, as: UTF8.self)
        // libxml2 would tell the world on standard error what is wrong with a schema that is no XML.
        let parsed = xsd.withUnsafeBytes { VASTReader(options: .strict).parse($0) }
        guard case .parsed(let outcome, _) = parsed, outcome.failure == nil, !text.contains("schemaLocation") else {
            return nil
        }
        let schema: xmlSchemaPtr? = xsd.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                let context = xmlSchemaNewMemParserCtxt(base, Int32(buffer.count))
            else { return nil }
            defer { xmlSchemaFreeParserCtxt(context) }
            xmlSchemaSetParserStructuredErrors(context, { _, _ in }, nil)
            return xmlSchemaParse(context)
        }
        guard let schema else { return nil }
        pointer = schema
        namespace = schema.pointee.targetNamespace.map { String(cString: $0) } ?? ""
    }

    fileprivate func free() { xmlSchemaFree(pointer) }
}
