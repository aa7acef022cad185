internal import WeirJSON

extension Secrets {
    /// Settings with every reference replaced by its text, for the adapter; missing ones are noted and left empty.
    ///
    /// The recursion is as deep as the file, which the reader bounded.
    mutating func resolved(_ node: ConfigurationNode, key: String = "", findings: inout Findings) -> JSONValue {
        if let reference = SecretReference(node.value) {
            return .string(resolve(reference, at: node.path, findings: &findings) ?? "")
        }
        switch node.value {
        case .string(let text):
            if isClear(text, key: key) { keepClear(text, at: node.path, findings: &findings) }
            return node.value
        case .array:
            return .array(node.elements.map { resolved($0, key: key, findings: &findings) })
        case .object:
            return .object(
                JSONObject(node.members.map { ($0.key, resolved($0.node, key: $0.key, findings: &findings)) })
            )
        default:
            return node.value
        }
    }

    /// A value as it may be shown: references stay, secrets in clear are masked.
    func redacted(_ value: JSONValue, key: String = "") -> JSONValue {
        switch value {
        case .string(let text): isClear(text, key: key) ? .string(Self.mask) : .string(masked(text))
        case .array(let elements): .array(elements.map { redacted($0, key: key) })
        case .object(let object):
            SecretReference(value) != nil
                ? value : .object(JSONObject(object.members.map { ($0.key, redacted($0.value, key: $0.key)) }))
        default: value
        }
    }

    /// A secret that somebody also wrote out elsewhere, such as in a URL, is masked there too.
    private func masked(_ text: String) -> String {
        hidden.reduce(text) { replacing($1, in: $0) }
    }

    /// Whether a text is a secret written out; one that only names a setting is not.
    private func isClear(_ text: String, key: String) -> Bool {
        !text.isEmpty && looksSecret(key) && !text.contains("{settings.")
    }
}
