internal import WeirAdapterKit
internal import WeirJSON

/// A question about a reply that is true or not.
indirect enum ReplyCondition: Sendable, Hashable {
    /// The status is one of these.
    case status(Set<Int>)
    /// A header field or a place in the JSON passes the test.
    case value(ReplySource, ReplyTest)
    /// Every one of these holds.
    case all([ReplyCondition])

    /// Whether it holds.
    func holds(_ reply: DeclaredReply) -> Bool { holds(reply, isStatusMeant: false) }

    /// Whether it holds; `isStatusMeant` when the file names this reply's status of 300 or more beside it.
    private func holds(_ reply: DeclaredReply, isStatusMeant: Bool) -> Bool {
        switch self {
        case .status(let codes): return codes.contains(reply.response.status)
        case .value(let source, let test):
            guard !test.isOfAbsence || isStatusMeant || reply.canLack(source) else { return false }
            return test.passes(source.value(reply, ad: reply.json))
        case .all(let conditions):
            let isMeant =
                reply.response.status >= 300
                && conditions.contains { if case .status = $0 { $0.holds(reply) } else { false } }
            return conditions.allSatisfy { $0.holds(reply, isStatusMeant: isMeant) }
        }
    }

    /// Whether it looks for a header field that is missing.
    var looksForHeaders: Bool {
        switch self {
        case .value(.header, let test): test.isOfAbsence
        case .all(let conditions): conditions.contains(where: \.looksForHeaders)
        case .status, .value: false
        }
    }

    /// Whether it looks into the JSON.
    var readsJSON: Bool {
        switch self {
        case .status: false
        case .value(.path, _): true
        case .value: false
        case .all(let conditions): conditions.contains(where: \.readsJSON)
        }
    }
}

/// What a value is compared with.
enum ReplyTest: Sendable, Hashable {
    /// One of these; numbers are equal as decimals, and a header's text equals a number's digits.
    case isOneOf([JSONValue])
    /// Something, but none of these.
    case isNoneOf([JSONValue])
    /// Nothing, or something.
    case isAbsent(Bool)
    /// An empty text, list or object, or nothing; or the opposite.
    case isEmpty(Bool)
    /// A text that fits a pattern.
    case matches(ReplyPattern)

    /// Whether it passes for what is not there.
    var isOfAbsence: Bool {
        switch self {
        case .isAbsent(let wanted), .isEmpty(let wanted): wanted
        case .isOneOf, .isNoneOf, .matches: false
        }
    }

    /// Whether a value passes; `nil` is absent.
    func passes(_ value: JSONValue?) -> Bool {
        switch self {
        case .isOneOf(let wanted): value.map { value in wanted.contains { equal($0, value) } } ?? false
        case .isNoneOf(let wanted): value.map { value in !wanted.contains { equal($0, value) } } ?? false
        case .isAbsent(let wanted): (value == nil) == wanted
        case .isEmpty(let wanted): (value?.isHollow ?? true) == wanted
        case .matches(let pattern): value?.scalarText.map(pattern.fits) ?? false
        }
    }
}

private func equal(_ wanted: JSONValue, _ value: JSONValue) -> Bool {
    if wanted == value { return true }
    // A header is text whatever it means, and 1.0 is 1.
    guard let left = wanted.scalarText, let right = value.scalarText,
        wanted.number != nil || value.number != nil
    else { return false }
    if left == right { return true }
    guard let left = JSONNumber(left)?.double, let right = JSONNumber(right)?.double else { return false }
    return left == right
}

/// A pattern in which `*` stands for any text and `?` for any one character; case does not matter.
///
/// No regular expression: a reply must not be able to make the match take long.
struct ReplyPattern: Sendable, Hashable {
    /// So much of a text is looked at, in bytes.
    static let looksAt = 4096

    private let pattern: [UInt8]

    init(_ pattern: String) {
        self.pattern = Array(pattern.lowercased().utf8)
    }

    /// Whether a text fits, from its beginning to its end.
    ///
    /// At most pattern × text steps: of several stars only the last is ever tried again.
    func fits(_ text: String) -> Bool {
        let text = Array(text.prefix(Self.looksAt).lowercased().utf8)
        var place = 0
        var at = 0
        var star: (pattern: Int, text: Int)?
        while at < text.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place, at)
                place += 1
            } else if place < pattern.count,
                pattern[place] == text[at] || (pattern[place] == UInt8(ascii: "?") && text[at] & 0xC0 != 0x80)
            {
                // `?` is one character, whatever its length in bytes.
                let isWild = pattern[place] == UInt8(ascii: "?") && pattern[place] != text[at]
                at += 1
                while isWild, at < text.count, text[at] & 0xC0 == 0x80 { at += 1 }
                place += 1
            } else if let last = star {
                place = last.pattern + 1
                at = last.text + 1
                star = (last.pattern, at)
            } else {
                return false
            }
        }
        while place < pattern.count, pattern[place] == UInt8(ascii: "*") { place += 1 }
        return place == pattern.count
    }
}
