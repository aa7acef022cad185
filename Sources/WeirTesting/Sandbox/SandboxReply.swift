/// One scripted answer of a sandbox network.
///
/// In text, `{base}` stands for the sandbox's own address, `{query.NAME}` for a parameter of the request, escaped for
/// the answer's type, and `{query_encoded.NAME}` for the same, percent-encoded for a URL.
public struct SandboxReply: Sendable, Hashable {
    /// What follows the head.
    public enum Body: Sendable, Hashable {
        /// Nothing.
        case none
        /// Text with `{…}` in it.
        case template(String)
        /// Bytes as they are.
        case bytes([UInt8])
        /// A file that lies in the executable; asked for by ranges, too.
        case media(SandboxMedia)
        /// A whole answer, head and all, sent as it stands; then the connection ends.
        case raw([UInt8])
    }

    /// How long the answer waits.
    public enum Delay: Sendable, Hashable {
        /// So long.
        case fixed(Duration)
        /// So many milliseconds as a query parameter says, or a time of the script's when it says nothing.
        case query(String, otherwise: Duration)
    }

    /// The status.
    public var status = 200
    /// Header fields; their values may hold `{…}`.
    public var headers: [Header] = []
    /// What follows the head.
    public var body = Body.none
    /// How long the answer waits before its first byte.
    public var delay = Delay.fixed(.zero)
    /// The pause between two pieces of the body; `nil` sends it in one.
    public var chunkPause: Duration?
    /// The size of such a piece.
    public var chunkBytes = 1
    /// The body is repeated until it is so long.
    public var repeatBytes: Int?
    /// Whether the body's length is left open (chunked) instead of announced.
    public var isLengthOpen = false
    /// The connection is closed once so many bytes of the body have left.
    public var closeAfter: Int?
    /// Whether that is done by a reset, as a crashed server would.
    public var closesByReset = false

    /// A header field.
    public struct Header: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// A field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The longest wait that a script may ask for: a day.
    public static let longestDelay = 86_400_000

    /// The longest body that a script may ask for: 16 GiB.
    public static let longestBody = 16 << 30

    /// 200 without a body.
    public init() {}

    /// An answer without a body.
    public init(status: Int) {
        self.status = status
    }

    /// An answer of text.
    public init(status: Int = 200, type: String, _ text: String) {
        self.status = status
        headers = [Header("Content-Type", type)]
        body = .template(text)
    }

    /// The Content-Type, in lower case; empty without one.
    var contentType: String {
        headers.first { $0.name.lowercased() == "content-type" }?.value.lowercased() ?? ""
    }
}

/// A file that lies in the executable.
public enum SandboxMedia: String, CaseIterable, Sendable {
    /// Five seconds of H.264 and AAC, 640 by 360.
    case film
    /// Twenty-four seconds of H.264 and AAC, 640 by 360, that count themselves: content for players to try ads with.
    case feature
    /// Five seconds of MP3.
    case jingle
    /// A PNG image, 300 by 250.
    case companion
}
