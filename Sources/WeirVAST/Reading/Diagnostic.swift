/// One remark about a document: what is wrong or was tolerated, and where.
public struct Diagnostic: Hashable, Sendable {
    /// How bad it is.
    public enum Severity: String, Hashable, Sendable {
        /// Worth knowing.
        case info
        /// Wrong, but tolerated or harmless.
        case warning
        /// Wrong; something could not be used.
        case error
    }

    /// What kind of remark it is; stable for ever.
    public var code: DiagnosticCode
    /// How bad it is.
    public var severity: Severity
    /// The line, from 1; zero when the remark is about the whole document.
    public var line: Int
    /// The column in bytes, from 1; zero when the remark is about the whole document.
    public var column: Int
    /// The element, such as `VAST/Ad[2]/InLine/Creatives`; empty for the whole document.
    public var path: String
    /// One sentence for people.
    public var message: String

    /// A remark.
    public init(
        code: DiagnosticCode,
        severity: Severity,
        line: Int = 0,
        column: Int = 0,
        path: String = "",
        message: String
    ) {
        self.code = code
        self.severity = severity
        self.line = line
        self.column = column
        self.path = path
        self.message = message
    }
}

/// The kind of a ``Diagnostic``.
public struct DiagnosticCode: RawRepresentable, Hashable, Sendable {
    /// The code as it is printed.
    public var rawValue: String

    /// The code spelt `rawValue`.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Nothing but white space arrived.
    public static let emptyDocument = DiagnosticCode(rawValue: "empty_document")
    /// The document is not well-formed XML.
    public static let notWellFormed = DiagnosticCode(rawValue: "not_well_formed")
    /// The character encoding is not one of those that are read.
    public static let encoding = DiagnosticCode(rawValue: "encoding")
    /// Bytes that are not of the declared encoding were replaced.
    public static let invalidCharacters = DiagnosticCode(rawValue: "invalid_characters")
    /// A document type declaration was refused or ignored.
    public static let doctype = DiagnosticCode(rawValue: "doctype")
    /// A limit was exceeded.
    public static let limit = DiagnosticCode(rawValue: "limit")
    /// The root element is not one of VAST, DAAST and VMAP.
    public static let unknownRoot = DiagnosticCode(rawValue: "unknown_root")
    /// The document is VAST 1.
    public static let unsupportedVersion = DiagnosticCode(rawValue: "unsupported_version")
    /// The `version` attribute is missing or unknown.
    public static let version = DiagnosticCode(rawValue: "version")
    /// Something stood before the XML declaration.
    public static let beforeDeclaration = DiagnosticCode(rawValue: "before_declaration")
    /// An ampersand was not escaped.
    public static let bareAmpersand = DiagnosticCode(rawValue: "bare_ampersand")
    /// A CDATA section was not closed properly.
    public static let unfinishedCDATA = DiagnosticCode(rawValue: "unfinished_cdata")
    /// Something follows the root element.
    public static let trailingContent = DiagnosticCode(rawValue: "trailing_content")
    /// A name is written in another case.
    public static let wrongCase = DiagnosticCode(rawValue: "wrong_case")
    /// The namespace or its prefix is missing or unknown.
    public static let namespace = DiagnosticCode(rawValue: "namespace")
    /// An element that does not belong here was ignored.
    public static let unknownElement = DiagnosticCode(rawValue: "unknown_element")
    /// An attribute that does not belong here was ignored.
    public static let unknownAttribute = DiagnosticCode(rawValue: "unknown_attribute")
    /// An element that should stand once stands again.
    public static let duplicateElement = DiagnosticCode(rawValue: "duplicate_element")
    /// An element that must be there is not.
    public static let missingElement = DiagnosticCode(rawValue: "missing_element")
    /// An attribute that must be there is not.
    public static let missingAttribute = DiagnosticCode(rawValue: "missing_attribute")
    /// A URL is empty.
    public static let emptyURL = DiagnosticCode(rawValue: "empty_url")
    /// A value cannot be read.
    public static let badValue = DiagnosticCode(rawValue: "bad_value")
    /// A time is written as plain seconds.
    public static let plainSeconds = DiagnosticCode(rawValue: "plain_seconds")
    /// A MIME type has a better-known name.
    public static let mimeAlias = DiagnosticCode(rawValue: "mime_alias")
    /// A tracking event has a name that VAST does not know.
    public static let unknownEvent = DiagnosticCode(rawValue: "unknown_event")
    /// Text stands where only elements may.
    public static let strayText = DiagnosticCode(rawValue: "stray_text")
    /// Root errors stand beside ads.
    public static let errorBesideAd = DiagnosticCode(rawValue: "error_beside_ad")
    /// Two ads of a pod have the same place.
    public static let duplicateSequence = DiagnosticCode(rawValue: "duplicate_sequence")
    /// An old spelling was understood.
    public static let oldSpelling = DiagnosticCode(rawValue: "old_spelling")
    /// Something that the target version cannot express was left out.
    public static let notExpressible = DiagnosticCode(rawValue: "not_expressible")
    /// The document breaks a rule of the XML schema that it was checked against.
    public static let schema = DiagnosticCode(rawValue: "schema")
    /// A lone ad with a sequence was taken as stand-alone.
    public static let loneSequence = DiagnosticCode(rawValue: "lone_sequence")
}
