internal import WeirJSON

/// The complaints found so far in one file.
struct Findings {
    /// The file's name.
    let file: String
    /// Where its values stand; `nil` when it is no JSON.
    var positions: JSONPositions?
    /// The complaints, in the order in which they were found.
    private(set) var list: [Diagnostic] = []
    /// The value of this file that a complaint about another file belongs to, by its place in the list.
    private var owners: [Int: String] = [:]
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

    /// Takes over the complaints about a file that the value at `owner` names.
    mutating func take(_ diagnostics: [Diagnostic], owner: JSONPath) {
        for diagnostic in diagnostics {
            owners[list.count] = owner.description
            append(diagnostic)
        }
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
        for index in list.indices where list[index].severity == .error && isBelow(index, path.description) {
            if first == nil { first = list[index] }
            list[index].severity = .warning
        }
        return first
    }

    /// Whether there is any error.
    var hasErrors: Bool { hasDroppedErrors || list.contains { $0.severity == .error } }

    /// The errors at or below `path` so far.
    func hasErrors(below path: JSONPath) -> Bool {
        list.indices.contains { list[$0].severity == .error && isBelow($0, path.description) }
    }

    /// Whether a complaint is about the value at `prefix`, something inside it, or a file that it names.
    private func isBelow(_ index: Int, _ prefix: String) -> Bool {
        isAtOrBelow(owners[index] ?? list[index].path, prefix)
    }

    /// The complaints in the order of the file; those about files that it names come after, file by file.
    var sorted: [Diagnostic] {
        var files = [file: 0]
        for diagnostic in list where files[diagnostic.file] == nil { files[diagnostic.file] = files.count }
        let order = { (diagnostic: Diagnostic) in (files[diagnostic.file] ?? 0, diagnostic.line, diagnostic.column) }
        return list.enumerated()
            .sorted { left, right in
                let (first, second) = (order(left.element), order(right.element))
                return first == second ? left.offset < right.offset : first < second
            }
            .map(\.element)
    }
}

/// Whether `path` is `prefix` or inside it.
private func isAtOrBelow(_ path: String, _ prefix: String) -> Bool {
    guard path.hasPrefix(prefix) else { return false }
    let rest = path.utf8.dropFirst(prefix.utf8.count)
    return rest.isEmpty || rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: "[")
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
