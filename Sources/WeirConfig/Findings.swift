internal import WeirJSON

/// The complaints found so far in one file.
struct Findings {
    /// The file's name.
    let file: String
    /// Where its values stand; `nil` when it is no JSON.
    var positions: JSONPositions?
    /// The complaints, in the order in which they were found.
    private(set) var list: [Diagnostic] = []
    /// Whether an error came when the list was full already.
    private var hasDroppedErrors = false

    init(file: String) {
        self.file = file
    }

    /// Notes an error about the value at `path`.
    ///
    /// - Parameters:
    ///   - code: What kind of complaint.
    ///   - path: The value concerned.
    ///   - place: The value to point at, when `path` does not exist.
    ///   - atKey: Whether to point at the key instead of the value.
    ///   - message: What is wrong, as the end of a sentence whose subject is the path, with its full stop.
    ///   - hint: What to write instead; not looked for when the list is full, because that can take long.
    mutating func error(
        _ code: DiagnosticCode,
        at path: JSONPath,
        standing place: JSONPath? = nil,
        atKey: Bool = false,
        _ message: String,
        hint: @autoclosure () -> String? = nil
    ) {
        note(.error, code, path, place, atKey, message, hint)
    }

    /// Notes a warning; the parameters are those of an error.
    mutating func warning(
        _ code: DiagnosticCode,
        at path: JSONPath,
        standing place: JSONPath? = nil,
        atKey: Bool = false,
        _ message: String,
        hint: @autoclosure () -> String? = nil
    ) {
        note(.warning, code, path, place, atKey, message, hint)
    }

    /// Notes an error at a place of the text.
    mutating func error(_ code: DiagnosticCode, path: String = "", line: Int, column: Int, _ message: String) {
        append(
            Diagnostic(
                severity: .error,
                code: code,
                file: file,
                line: line,
                column: column,
                path: path,
                message: message
            )
        )
    }

    private mutating func note(
        _ severity: Diagnostic.Severity,
        _ code: DiagnosticCode,
        _ path: JSONPath,
        _ place: JSONPath?,
        _ atKey: Bool,
        _ message: String,
        _ hint: () -> String?
    ) {
        let isFull = list.count >= ConfigurationLimits.diagnostics
        let target = place ?? path
        let position = atKey ? positions?.key(at: target) : positions?.value(at: target)
        append(
            Diagnostic(
                severity: severity,
                code: code,
                file: file,
                line: position?.line ?? 1,
                column: position?.column ?? 1,
                path: path.description,
                message: message,
                hint: isFull ? nil : hint()
            )
        )
    }

    /// Past the limit only the knowledge that there are errors is kept.
    private mutating func append(_ diagnostic: Diagnostic) {
        if list.count < ConfigurationLimits.diagnostics {
            list.append(diagnostic)
        } else if diagnostic.severity == .error {
            hasDroppedErrors = true
        }
    }

    /// Turns the errors at or below `path` into warnings, and answers the first of them.
    mutating func demoteErrors(below path: JSONPath) -> Diagnostic? {
        var first: Diagnostic?
        for index in list.indices where list[index].severity == .error && list[index].isBelow(path.description) {
            if first == nil { first = list[index] }
            list[index].severity = .warning
        }
        return first
    }

    /// Whether there is any error.
    var hasErrors: Bool { hasDroppedErrors || list.contains { $0.severity == .error } }

    /// The errors at or below `path` so far.
    func hasErrors(below path: JSONPath) -> Bool {
        list.contains { $0.severity == .error && $0.isBelow(path.description) }
    }

    /// The complaints in the order of the file.
    var sorted: [Diagnostic] {
        list.enumerated()
            .sorted { left, right in
                (left.element.line, left.element.column, left.offset)
                    < (right.element.line, right.element.column, right.offset)
            }
            .map(\.element)
    }
}

extension Diagnostic {
    /// Whether the complaint is about the value at `prefix` or something inside it.
    fileprivate func isBelow(_ prefix: String) -> Bool {
        guard path.hasPrefix(prefix) else { return false }
        let rest = path.utf8.dropFirst(prefix.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: "[")
    }
}

/// A name in quotation marks, control characters escaped, cut after 80 characters: never more than one line.
func quoted(_ name: String) -> String {
    JSONValue.string(name.count > 80 ? name.prefix(80) + "…" : name).encodedText
}

/// `Did you mean "vast"?`, when a known name is near enough.
func didYouMean(_ name: String, among known: some Sequence<String>) -> String? {
    NearestName.of(name, among: known).map { "Did you mean \(quoted($0))?" }
}

/// Names as a list for a sentence, at most twenty of them.
func listed(_ names: [String]) -> String {
    names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
}
