/// What came of reading some bytes: a document or the reason why there is none, and every remark on the way.
public struct Reading: Hashable, Sendable {
    /// A document, or why there is none.
    public enum Content: Hashable, Sendable {
        /// VAST 2.0–4.3.
        case vast(VASTDocument)
        /// DAAST 1.0, mapped onto VAST's model.
        case daast(VASTDocument)
        /// VMAP 1.0.
        case vmap(VMAPDocument)
        /// Nothing that can be used.
        case unreadable(ReadFailure)
    }

    /// A document, or why there is none.
    public var content: Content
    /// Everything that is wrong or was tolerated, in document order.
    public var diagnostics: [Diagnostic]
    /// How many elements of the main kinds there are, even where the document cannot be used.
    public var counts = ElementCounts()

    /// The outcome of reading.
    public init(content: Content, diagnostics: [Diagnostic] = []) {
        self.content = content
        self.diagnostics = diagnostics
    }

    /// The VAST or DAAST document, if it is one.
    public var vast: VASTDocument? {
        switch content {
        case .vast(let document), .daast(let document): document
        case .vmap, .unreadable: nil
        }
    }

    /// The schedule, if it is one.
    public var vmap: VMAPDocument? {
        if case .vmap(let document) = content { return document }
        return nil
    }

    /// Why there is no document, if there is none.
    public var failure: ReadFailure? {
        if case .unreadable(let failure) = content { return failure }
        return nil
    }

    /// Whether it was well-formed XML, possibly after lenient repairs.
    public var isWellFormed: Bool {
        guard let failure else { return true }
        return [.unknownRoot, .vast1].contains(failure.reason)
    }

    /// Whether nothing in it is an error.
    public var isValid: Bool { failure == nil && !diagnostics.contains { $0.severity == .error } }
}

/// Why some bytes are not a document that can be used.
public struct ReadFailure: Hashable, Sendable {
    /// The kind of failure.
    public enum Reason: String, Hashable, Sendable {
        /// Nothing but white space.
        case empty
        /// Not XML, or cut off.
        case notWellFormed
        /// An encoding that is not read.
        case encoding
        /// A document type declaration, which could define entities.
        case doctype
        /// A limit was exceeded.
        case limit
        /// XML, but not VAST, DAAST or VMAP.
        case unknownRoot
        /// VAST 1, whose root is `VideoAdServingTemplate`.
        case vast1
    }

    /// The kind of failure.
    public var reason: Reason
    /// One sentence for people.
    public var message: String

    /// A failure.
    public init(reason: Reason, message: String) {
        self.reason = reason
        self.message = message
    }

    /// The code for error URLs: VAST 4.3 error table, 100 (XML), 101 (schema), 102 (version), 303 (no ad).
    public var errorCode: VASTErrorCode {
        switch reason {
        case .empty: .noAdAfterWrappers
        case .notWellFormed, .encoding, .doctype, .limit: .xmlParsing
        case .unknownRoot: .schema
        case .vast1: .unsupportedVersion
        }
    }
}

/// A number of the VAST error table (VAST 4.3 §2.3.6.3), for the macro `[ERRORCODE]`.
public struct VASTErrorCode: RawRepresentable, Hashable, Sendable {
    /// The number.
    public var rawValue: Int

    /// The code with this number.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// 100: the answer is not well-formed XML.
    public static let xmlParsing = VASTErrorCode(rawValue: 100)
    /// 101: the answer breaks the schema.
    public static let schema = VASTErrorCode(rawValue: 101)
    /// 102: the version is not supported.
    public static let unsupportedVersion = VASTErrorCode(rawValue: 102)
    /// 200: an ad type that was not expected.
    public static let unexpectedType = VASTErrorCode(rawValue: 200)
    /// 201: not the linearity that was asked for.
    public static let linearity = VASTErrorCode(rawValue: 201)
    /// 202: not the duration that was asked for.
    public static let duration = VASTErrorCode(rawValue: 202)
    /// 203: not the size that was asked for.
    public static let size = VASTErrorCode(rawValue: 203)
    /// 204: a category is required and there is none.
    public static let categoryRequired = VASTErrorCode(rawValue: 204)
    /// 205: the category is blocked.
    public static let categoryBlocked = VASTErrorCode(rawValue: 205)
    /// 206: the break was shortened.
    public static let breakShortened = VASTErrorCode(rawValue: 206)
    /// 300: general wrapper error.
    public static let wrapper = VASTErrorCode(rawValue: 300)
    /// 301: the document behind a wrapper could not be fetched.
    public static let wrapperFetch = VASTErrorCode(rawValue: 301)
    /// 302: too many wrappers.
    public static let wrapperLimit = VASTErrorCode(rawValue: 302)
    /// 303: no ad, after wrappers or at once.
    public static let noAdAfterWrappers = VASTErrorCode(rawValue: 303)
    /// 400: general linear error.
    public static let linear = VASTErrorCode(rawValue: 400)
    /// 401: the media file was not found.
    public static let mediaNotFound = VASTErrorCode(rawValue: 401)
    /// 402: the media file took too long.
    public static let mediaTimeout = VASTErrorCode(rawValue: 402)
    /// 403: no media file fits the player.
    public static let noMediaFits = VASTErrorCode(rawValue: 403)
    /// 405: the media file cannot be shown.
    public static let mediaDisplay = VASTErrorCode(rawValue: 405)
    /// 600: general companion error.
    public static let companion = VASTErrorCode(rawValue: 600)
    /// 602: a companion that must be shown cannot be.
    public static let companionRequired = VASTErrorCode(rawValue: 602)
    /// 900: undefined.
    public static let undefined = VASTErrorCode(rawValue: 900)
    /// VMAP 1000: the schedule breaks the schema.
    public static let vmapSchema = VASTErrorCode(rawValue: 1000)
    /// VMAP 1003: the kind of break is not supported.
    public static let vmapBreakType = VASTErrorCode(rawValue: 1003)
    /// VMAP 1004: general error of the answer to a break.
    public static let vmapResponse = VASTErrorCode(rawValue: 1004)
    /// VMAP 1005: the template type is not supported.
    public static let vmapTemplateType = VASTErrorCode(rawValue: 1005)
    /// VMAP 1006: the answer to a break could not be read.
    public static let vmapResponseParsing = VASTErrorCode(rawValue: 1006)
    /// VMAP 1007: the answer to a break took too long.
    public static let vmapTimeout = VASTErrorCode(rawValue: 1007)
    /// VMAP 1008: the answer to a break could not be fetched.
    public static let vmapFetch = VASTErrorCode(rawValue: 1008)
}
