internal import WeirModel

/// What the body of a reply looks like, as far as its Content-Type lets it be looked at.
///
/// A reply without Content-Type, or with any XML, text or octet-stream type, is judged by its body; ad servers say
/// `text/html` and `text/plain` of VAST every day. Any other type means that something else was sent.
public enum BodyKind: Sendable, Hashable {
    /// Begins with `<`, or is UTF-16: VAST, DAAST, VMAP, or somebody's HTML.
    case markup
    /// Begins with `{` or `[`.
    case json
    /// Neither.
    case other

    /// Judges a reply.
    ///
    /// - Parameters:
    ///   - reply: The reply, its body not empty.
    ///   - acceptsJSON: Whether JSON types are what the adapter expects as well.
    /// - Throws: `bad_response(wrong_content_type)`.
    public init(_ reply: InboundResponse, acceptsJSON: Bool) throws(AdapterError) {
        if let type = reply.mediaType, !isJudgedByBody(type), !(acceptsJSON && isJSON(type)) {
            throw AdapterError(
                .badResponse,
                .wrongContentType,
                "The network answered with \(type.prefix(64)), which is not what this adapter reads."
            )
        }
        self.init(reply.body)
    }

    private init(_ body: [UInt8]) {
        if body.starts(with: [0xFE, 0xFF]) || body.starts(with: [0xFF, 0xFE]) {
            self = .markup
            return
        }
        let text = body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...]
        switch text.first(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }) {
        case UInt8(ascii: "<"): self = .markup
        case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json
        default: self = .other
        }
    }
}

extension InboundResponse {
    /// The Content-Type without parameters, in lower case; `nil` when there is none.
    public var mediaType: String? {
        guard let field = header("Content-Type") else { return nil }
        let type = field.utf8.prefix { $0 > 0x20 && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
        return type.isEmpty ? nil : String(Substring(type)).lowercased()
    }
}

private func isJudgedByBody(_ type: String) -> Bool {
    type.hasPrefix("text/") || type.hasSuffix("/xml") || type.hasSuffix("+xml") || type.hasSuffix("/octet-stream")
}

private func isJSON(_ type: String) -> Bool { type.hasSuffix("/json") || type.hasSuffix("+json") }
