internal import WeirAdapterKit
internal import WeirJSON

/// A network's reply, read as far as its mapping needs.
struct DeclaredReply: Sendable {
    let response: InboundResponse
    /// The body as JSON; `nil` when it is none, or nobody asks.
    let json: JSONValue?
    /// Whether the body is what the network's file says that it answers with.
    var isReadable = true

    /// Whether something can be said to be missing at that place: an error page, or a gateway's 503, lacks everything
    /// that a network's answer has, and means nothing by it.
    func canLack(_ source: ReplySource) -> Bool {
        guard response.status < 300 else { return false }
        guard case .path = source else { return isReadable }
        return json?.isAnswer ?? false
    }
}

/// Where a mapping takes a value from.
enum ReplySource: Sendable, Hashable {
    /// A place in the JSON.
    case path(ReplyPath)
    /// A header field of the reply.
    case header(String)
    /// The file itself.
    case constant(JSONValue)

    /// The value in a reply, paths counted from the ad's own part of the JSON.
    ///
    /// - Returns: The value; `nil` when it is absent or `null`.
    func value(_ reply: DeclaredReply, ad: JSONValue?) -> JSONValue? {
        let found: JSONValue? =
            switch self {
            case .path(let path): path.value(in: ad)
            case .header(let name): reply.response.header(name).map(JSONValue.string)
            case .constant(let value): value
            }
        // Not with flatMap: its nil would be JSON's.
        guard let found, !found.isNull else { return nil }
        return found
    }

    /// The texts in a reply: those of a list, or one.
    func texts(_ reply: DeclaredReply, ad: JSONValue, limit: Int) -> [String] {
        let found: [JSONValue] =
            if case .path(let path) = self, path.hasEach {
                path.values(in: ad, limit: limit)
            } else {
                value(reply, ad: ad).map { $0.array ?? [$0] } ?? []
            }
        return found.prefix(limit).compactMap(\.scalarText)
    }

    /// What a sentence calls it.
    var name: String {
        switch self {
        case .path(let path): path.source.isEmpty ? "the reply" : path.source
        case .header(let name): "the header \(name)"
        case .constant: "the file's own value"
        }
    }
}

extension JSONValue {
    /// Whether it can be a network's answer: a word or a number alone is none.
    var isAnswer: Bool { object != nil || array != nil || isHollow }

    /// The text or the number's digits.
    var scalarText: String? { string ?? number?.text }

    /// An id, title or name, cut to a length that a log line bears.
    var shortText: String? { scalarText.map { String($0.unicodeScalars.prefix(256)) } }

    /// Whether there is nothing in it: an empty text, list or object, or `null`.
    var isHollow: Bool {
        switch self {
        case .null: true
        case .string(let text): text.allSatisfy(\.isWhitespace)
        case .array(let elements): elements.isEmpty
        case .object(let object): object.isEmpty
        case .bool, .number: false
        }
    }
}
