/// Reads VAST, DAAST and VMAP from bytes; never throws, never fetches anything.
///
/// The road: encoding → parser (and, in lenient mode, once more over a repaired copy) → tree → model.
public struct VASTReader: Sendable {
    /// How documents are read.
    public var options: ReadOptions

    /// A reader.
    public init(options: ReadOptions = .lenient) {
        self.options = options
    }

    /// Reads a document.
    public static func read(_ bytes: [UInt8], options: ReadOptions = .lenient) -> Reading {
        VASTReader(options: options).read(bytes)
    }

    /// Reads a document from memory that is only borrowed.
    public static func read(_ bytes: UnsafeRawBufferPointer, options: ReadOptions = .lenient) -> Reading {
        VASTReader(options: options).read(bytes)
    }

    /// Reads a document.
    public func read(_ bytes: [UInt8]) -> Reading {
        bytes.withUnsafeBytes { read($0) }
    }

    /// Reads a document from text.
    public func read(_ text: String) -> Reading {
        read(Array(text.utf8))
    }

    /// Reads a document from memory that is only borrowed.
    public func read(_ bytes: UnsafeRawBufferPointer) -> Reading {
        switch parse(bytes) {
        case .refused(let reading): reading
        case .parsed(let outcome, let remarks): model(outcome, remarks)
        }
    }

    /// What comes before the model.
    enum Parsed {
        /// Nothing that could be parsed.
        case refused(Reading)
        /// A tree, or as much of one as there is, and what was tolerated.
        case parsed(XMLParser.Outcome, [Diagnostic])
    }

    /// Decodes and parses; in lenient mode once more over a repaired copy.
    func parse(_ bytes: UnsafeRawBufferPointer) -> Parsed {
        guard bytes.count <= options.limits.bytes else {
            return .refused(failed(.limit(name: "bytes", value: options.limits.bytes), []))
        }
        let input = InputEncoding(bytes, lenient: options.isLenient)
        if input.isUnreadable {
            let message = input.remarks.last?.message ?? "The encoding is not supported."
            return .refused(unreadable(.encoding, message, input.remarks))
        }
        if input.bytes.allSatisfy(isXMLSpace) {
            let message = "The document is empty."
            return .refused(unreadable(.empty, message, [remark(.emptyDocument, message)]))
        }
        let (outcome, remarks) = parse(input.bytes)
        return .parsed(outcome, input.remarks + remarks)
    }

    private func parse(_ source: [UInt8]) -> (XMLParser.Outcome, [Diagnostic]) {
        let first = XMLParser.parse(source, limits: options.limits, allowsPlainDoctype: options.isLenient)
        guard options.isLenient, case .notWellFormed? = first.failure else { return (first, []) }
        if first.isRootClosed { return withoutTrailing(first, []) }
        let repair = XMLRepair(source)
        guard !repair.remarks.isEmpty else { return (first, []) }
        let second = XMLParser.parse(repair.output, limits: options.limits, allowsPlainDoctype: true)
        guard case .notWellFormed? = second.failure else { return (second, repair.remarks) }
        if second.isRootClosed { return withoutTrailing(second, repair.remarks) }
        return (first, [])
    }

    /// The document is whole; what follows it is not XML, and not ours.
    private func withoutTrailing(
        _ parsed: XMLParser.Outcome,
        _ remarks: [Diagnostic]
    ) -> (XMLParser.Outcome, [Diagnostic]) {
        var parsed = parsed
        var remarks = remarks
        if case .notWellFormed(let line, let column, _)? = parsed.failure {
            let message = "Something follows the root element; ignored."
            remarks.append(
                Diagnostic(code: .trailingContent, severity: .warning, line: line, column: column, message: message)
            )
        }
        parsed.failure = nil
        return (parsed, remarks)
    }

    private func model(_ parsed: consuming XMLParser.Outcome, _ remarks: [Diagnostic]) -> Reading {
        let counts = parsed.tree.counts
        if let failure = parsed.failure {
            var reading = failed(failure, remarks)
            reading.counts = counts
            return reading
        }
        var model = ModelReader(tree: parsed.tree, options: options)
        model.diagnostics.append(contentsOf: remarks)
        let content = model.readRoot()
        if !isUnreadable(content) { model.checkConformance() }
        var reading = Reading(content: content, diagnostics: model.finishedDiagnostics())
        reading.counts = counts
        parsed.tree = XMLTree()
        XMLTreeShelf.giveBack(model.giveUpTree())
        return reading
    }

    private func isUnreadable(_ content: Reading.Content) -> Bool {
        if case .unreadable = content { return true }
        return false
    }

    private func failed(_ failure: XMLParser.Failure, _ remarks: [Diagnostic]) -> Reading {
        switch failure {
        case .notWellFormed(let line, let column, let message):
            let sentence = "Not well-formed XML at line \(line), column \(column): \(message)"
            let remark = Diagnostic(
                code: .notWellFormed,
                severity: .error,
                line: line,
                column: column,
                message: sentence
            )
            return unreadable(.notWellFormed, sentence, remarks + [remark])
        case .doctype:
            let message = "A document type declaration is refused: it could define entities."
            return unreadable(.doctype, message, remarks + [remark(.doctype, message)])
        case .limit(let name, let value):
            let message = "The document exceeds the limit of \(value) for \(name)."
            return unreadable(.limit, message, remarks + [remark(.limit, message)])
        }
    }

    private func unreadable(_ reason: ReadFailure.Reason, _ message: String, _ remarks: [Diagnostic]) -> Reading {
        Reading(content: .unreadable(ReadFailure(reason: reason, message: message)), diagnostics: remarks)
    }

    private func remark(_ code: DiagnosticCode, _ message: String) -> Diagnostic {
        Diagnostic(code: code, severity: .error, message: message)
    }
}
