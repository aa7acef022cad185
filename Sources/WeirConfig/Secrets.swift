internal import WeirJSON

/// Where a secret lies instead of in the file.
enum SecretReference: Sendable, Hashable {
    /// In an environment variable.
    case variable(String)
    /// In a file of its own.
    case file(String)

    /// Reads `{"env": "NAME"}` or `{"file": "path"}`; `nil` for anything else.
    init?(_ value: JSONValue) {
        guard let object = value.object, object.count == 1, let member = object.members.first,
            let text = member.value.string, !text.isEmpty, !text.utf8.contains(0),
            text.utf8.count <= ConfigurationLimits.textBytes
        else { return nil }
        switch member.key {
        case "env": self = .variable(text)
        case "file": self = .file(text)
        default: return nil
        }
    }
}

/// Finds the secrets of a file and keeps what they say out of everything that is shown.
struct Secrets {
    /// Secrets shorter than this are not blacked out in logs: that would black out half of every line.
    static let shortestHidden = 4

    /// What stands in the place of a secret.
    static let mask = "***"

    let environment: @Sendable (String) -> String?
    let readFile: @Sendable (_ path: String, _ limit: Int) throws -> [UInt8]
    /// Whether a file is a program that may be run.
    let isExecutable: @Sendable (_ path: String) -> Bool
    /// Where relative paths count from.
    let directory: String

    /// Every secret found so far, longest first.
    private(set) var texts: [String] = []

    init(
        environment: @escaping @Sendable (String) -> String?,
        readFile: @escaping @Sendable (_ path: String, _ limit: Int) throws -> [UInt8],
        isExecutable: @escaping @Sendable (_ path: String) -> Bool = SystemFiles.isExecutable,
        directory: String
    ) {
        self.environment = environment
        self.readFile = readFile
        self.isExecutable = isExecutable
        self.directory = directory
    }

    /// The secrets that a log can black out.
    var hidden: [String] { texts.filter { $0.utf8.count >= Self.shortestHidden } }

    /// The text a reference leads to; `nil` when there is none, which is noted.
    mutating func resolve(_ reference: SecretReference, at path: JSONPath, findings: inout Findings) -> String? {
        switch reference {
        case .variable(let name):
            guard let text = environment(name), !text.isEmpty else {
                findings.error(
                    .missingSecret,
                    at: path,
                    "The environment variable \(quoted(name)) is not set.",
                    hint: "Set it before Weir starts."
                )
                return nil
            }
            return keep(text, at: path, findings: &findings)
        case .file(let name):
            do {
                let bytes = try readFile(resolvedPath(name, from: directory), ConfigurationLimits.secretBytes)
                guard let text = String(validating: bytes, as: UTF8.self).map(withoutLineEnd), !text.isEmpty else {
                    findings.error(.missingSecret, at: path, "The file \(quoted(name)) holds no text.")
                    return nil
                }
                return keep(text, at: path, findings: &findings)
            } catch {
                findings.error(.missingSecret, at: path, "The file \(quoted(name)) cannot be read: \(error).")
                return nil
            }
        }
    }

    /// Remembers a secret that stands in the file itself, and warns of it.
    mutating func keepClear(_ text: String, at path: JSONPath, findings: inout Findings) {
        findings.warning(
            .secretInClear,
            at: path,
            "This looks like a secret and stands here for everybody who can read the file.",
            hint: "Write {\"env\": \"NAME\"} or {\"file\": \"path\"}."
        )
        _ = keep(text, at: path, findings: &findings)
    }

    /// Remembers a secret that stands where it must not, without another word.
    mutating func hide(_ text: String) {
        if !text.isEmpty, !texts.contains(text) { texts.append(text) }
        texts.sort { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
    }

    private mutating func keep(_ text: String, at path: JSONPath, findings: inout Findings) -> String {
        if text.utf8.count < Self.shortestHidden {
            findings.warning(
                .shortSecret,
                at: path,
                "The secret is shorter than \(Self.shortestHidden) bytes and cannot be kept out of the log."
            )
        }
        if !texts.contains(text) {
            texts.append(text)
            texts.sort { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
        }
        return text
    }

    /// A stranger's sentence without any secret in it.
    func scrubbed(_ sentence: String) -> String {
        let long = hidden.reduce(sentence) { replacing($1, in: $0) }
        let isSafe = texts.allSatisfy { $0.utf8.count >= Self.shortestHidden || !holds(long, $0) }
        return isSafe ? long : "The adapter does not accept this."
    }
}

/// `text` with every `secret` masked.
func replacing(_ secret: String, in text: String) -> String {
    // A thousand networks have a thousand secrets, and nearly every text holds none of them.
    holds(text, secret) ? text.replacing(secret, with: Secrets.mask) : text
}

private func holds(_ text: String, _ secret: String) -> Bool {
    var text = text
    var secret = secret
    return text.withUTF8 { text in secret.withUTF8 { secret in holds(text, secret) } }
}

private func holds(_ text: UnsafeBufferPointer<UInt8>, _ secret: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = secret.first else { return true }
    var rest = text[...]
    while rest.count >= secret.count, let start = rest.firstIndex(of: first) {
        rest = rest[start...]
        if rest.starts(with: secret) { return true }
        rest = rest.dropFirst()
    }
    return false
}

/// Whether the value of a key called `name` is most likely secret.
func looksSecret(_ name: String) -> Bool {
    let lowered = name.lowercased().replacing("-", with: "_")
    if lowered.hasSuffix("_url") { return false }
    return ["api_key", "apikey", "token", "secret", "password", "authorization", "private_key", "access_key"]
        .contains { lowered.contains($0) }
}

private func withoutLineEnd(_ text: String) -> String {
    var text = text[...]
    while let last = text.last, last.isNewline { text.removeLast() }
    return String(text)
}
