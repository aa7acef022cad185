public import WeirJSON

/// The settings of one network, read one by one; each complaint carries the path of what is wrong.
///
/// Unknown settings are not this type's business: the configuration reader compares with ``AdapterFactory/settings``.
public struct AdapterSettings: Sendable {
    /// The longest text of one setting, in bytes.
    public static let textBytes = 8192

    /// The most header fields that `headers` may add to a request.
    public static let headerCount = 32

    /// What `{settings.KEY}` stands for: every setting that is a text or a number.
    public let values: [String: String]

    private let members: JSONObject

    /// The settings of a configuration entry; `null` is as good as none.
    ///
    /// - Throws: ``SettingsError`` when they are no object.
    public init(_ settings: JSONValue) throws(SettingsError) {
        guard let members = settings.isNull ? JSONObject() : settings.object else {
            throw SettingsError(path: "settings", message: "must be an object, not \(settings.kindName)")
        }
        self.members = members
        values = Dictionary(
            members.members.compactMap { member in
                (member.value.string ?? member.value.number?.text).map { (member.key, $0) }
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The text of a setting; `nil` when it is absent or `null`.
    ///
    /// - Throws: ``SettingsError`` when it is no text, or longer than ``textBytes``.
    public func text(_ name: String) throws(SettingsError) -> String? {
        guard let value = members[name], !value.isNull else { return nil }
        return try Self.text(value, path: "settings.\(name)")
    }

    /// An absolute http or https address without template fields; `nil` when the setting is absent.
    public func url(_ name: String) throws(SettingsError) -> String? {
        guard let text = try text(name) else { return nil }
        try Self.checkAddress(text, path: "settings.\(name)")
        return text
    }

    /// An absolute http or https address with template fields.
    ///
    /// - Throws: ``SettingsError`` when the setting is absent, is no address, or names a field that nobody knows.
    public func addressTemplate(_ name: String) throws(SettingsError) -> RequestTemplate {
        let path = "settings.\(name)"
        guard let text = try text(name) else { throw SettingsError(path: path, message: "is required") }
        try Self.checkAddress(text, path: path)
        return try Self.template(text, path: path)
    }

    /// The header fields of the setting `headers`: names, and templates for their values.
    ///
    /// - Throws: ``SettingsError`` for a name that is no token or belongs to the transport, and for a bad template.
    public func headerTemplates() throws(SettingsError) -> [(name: String, value: RequestTemplate)] {
        guard let value = members["headers"], !value.isNull else { return [] }
        guard let headers = value.object else {
            throw SettingsError(path: "settings.headers", message: "must be an object, not \(value.kindName)")
        }
        guard headers.count <= Self.headerCount else {
            throw SettingsError(path: "settings.headers", message: "has more than \(Self.headerCount) fields")
        }
        var templates: [(name: String, value: RequestTemplate)] = []
        for member in headers.members {
            let path = JSONPath.root.key("settings").key("headers").key(member.key).description
            guard member.key.isHeaderName else {
                throw SettingsError(path: path, message: "is not the name of a header field")
            }
            guard !transportHeaders.contains(member.key.lowercased()) else {
                throw SettingsError(path: path, message: "is set by the transport and cannot be configured")
            }
            let text = try Self.text(member.value, path: path)
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw SettingsError(path: path, message: "holds control characters")
            }
            templates.append((member.key, try Self.template(text, path: path)))
        }
        return templates
    }

    /// The set-up that the setting `probe_url` asks for; `nil` when there is none and the network is ready at once.
    public func probe() throws(SettingsError) -> HTTPProbe? {
        try url("probe_url").map { HTTPProbe(url: $0) }
    }

    private static func text(_ value: JSONValue, path: String) throws(SettingsError) -> String {
        guard let text = value.string else {
            throw SettingsError(path: path, message: "must be a string, not \(value.kindName)")
        }
        guard text.utf8.count <= textBytes else {
            throw SettingsError(path: path, message: "is longer than \(textBytes) bytes")
        }
        return text
    }

    private static func checkAddress(_ text: String, path: String) throws(SettingsError) {
        guard text.isWebAddress else {
            throw SettingsError(path: path, message: "must be an absolute http or https URL")
        }
    }

    private static func template(_ text: String, path: String) throws(SettingsError) -> RequestTemplate {
        do { return try RequestTemplate(text) } catch {
            throw SettingsError(path: path, message: error.message)
        }
    }
}

/// The header fields, in small letters, that only the transport may say: framing and routing hang on them.
///
/// RFC 9112 §3.2, §6.
package let transportHeaders: Set<String> = [
    "host", "connection", "content-length", "transfer-encoding", "upgrade", "te", "trailer", "keep-alive", "expect",
]

extension String {
    /// Whether this is a token (RFC 9110 §5.6.2).
    package var isHeaderName: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }

    /// Whether this begins like an absolute http or https URL with a host, and holds no blanks or control characters.
    public var isWebAddress: Bool {
        let head = prefix(8).lowercased()
        let scheme = head.hasPrefix("https://") ? 8 : head.hasPrefix("http://") ? 7 : 0
        guard scheme > 0, let host = dropFirst(scheme).utf8.first,
            host != UInt8(ascii: "/"), host != UInt8(ascii: "?"), host != UInt8(ascii: "#")
        else { return false }
        return utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }
}
