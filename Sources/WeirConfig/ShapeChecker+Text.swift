internal import WeirJSON
internal import WeirModel

extension ShapeChecker {
    /// Checks a value that should be text of some kind.
    mutating func checkText(_ node: ConfigurationNode, _ shape: ValueShape) {
        guard let text = node.value.string else {
            let isNumber = node.value.number != nil
            findings.error(
                .wrongType,
                at: node.path,
                "must be \(shape.noun), not \(node.value.kindName).",
                hint: isNumber ? "Put it in quotation marks." : nil
            )
            return
        }
        if let complaint = shape.complaint(about: text) {
            findings.error(complaint.code, at: node.path, complaint.message, hint: complaint.hint)
        }
    }
}

/// What is wrong with a text.
struct TextComplaint {
    var code: DiagnosticCode
    var message: String
    var hint: String?

    init(_ code: DiagnosticCode, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }
}

extension ValueShape {
    /// What is wrong with `text`; `nil` when nothing is.
    ///
    /// Texts that may hold secrets (URLs) are not repeated.
    func complaint(about text: String) -> TextComplaint? {
        switch self {
        case .text(let maxBytes): Self.lengthComplaint(text, maxBytes)
        case .name where !NetworkID.isValid(text):
            TextComplaint(.badID, "An id has 1 to 128 bytes and no control characters; this is \(quoted(text)).")
        case .word(let words) where !words.contains(text):
            TextComplaint(
                .unknownWord,
                "must be one of \(listed(words)), not \(quoted(text)).",
                hint: didYouMean(text, among: words)
            )
        case .adapterKind where text.isEmpty: TextComplaint(.badValue, "must not be empty.")
        case .currency where Currency(text) == nil:
            TextComplaint(.badMoney, "must be a currency of three letters, such as USD, not \(quoted(text)).")
        case .country where !isLetters(text, 2...2):
            TextComplaint(.badValue, "must be a country code of two letters, such as DE, not \(quoted(text)).")
        case .language where !isLetters(text, 2...3):
            TextComplaint(.badValue, "must be a language code of two letters, such as en, not \(quoted(text)).")
        case .listenAddress where ListenAddress(text) == nil:
            TextComplaint(
                .badAddress,
                "\(quoted(text)) is no address to listen at.",
                hint: "Write host:port, [v6 address]:port or unix:/path."
            )
        case .addressRange where !IPAddressSyntax.isRange(text):
            TextComplaint(
                .badAddress,
                "\(quoted(text)) is no IP address or range.",
                hint: "Write it like 127.0.0.1, 10.0.0.0/8 or fd00::/8."
            )
        case .webURL where !isWebURL(text):
            TextComplaint(.badURL, "must be an absolute http or https URL.")
        case .storageURL: StorageURL.complaint(about: text)
        default: nil
        }
    }

    private static func lengthComplaint(_ text: String, _ maxBytes: Int) -> TextComplaint? {
        if text.isEmpty { return TextComplaint(.badValue, "must not be empty.") }
        if text.utf8.count > maxBytes {
            return TextComplaint(.outOfRange, "is \(text.utf8.count) bytes long; at most \(maxBytes) are allowed.")
        }
        return nil
    }

    /// Whether `null` is as good as any value.
    var takesNull: Bool {
        switch self {
        case .anything, .scalar: true
        default: false
        }
    }

    /// What a value of this shape is called in a sentence.
    var noun: String {
        switch self {
        case .flag: "true or false"
        case .whole: "a whole number"
        case .milliseconds: "a whole number of milliseconds"
        case .bytes: "a whole number of bytes"
        case .money, .decimal: "a decimal number in quotation marks"
        case .list: "a list"
        case .settings, .keyValues, .object, .either, .map: "an object"
        case .secret: "a secret"
        default: "a text"
        }
    }
}

private func isLetters(_ text: String, _ count: ClosedRange<Int>) -> Bool {
    count.contains(text.utf8.count) && text.utf8.allSatisfy { (97...122).contains($0 | 0x20) }
}

/// Scheme, host, and nothing that cannot stand in a URL; what the host means, the resolver says.
private func isWebURL(_ text: String) -> Bool {
    let lowered = text.prefix(8).lowercased()
    let rest = lowered.hasPrefix("https://") ? text.dropFirst(8) : lowered.hasPrefix("http://") ? text.dropFirst(7) : ""
    let host = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return !host.isEmpty && text.utf8.count <= ConfigurationLimits.textBytes
        && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
}
