public import WeirTime

/// Where audio programmes come from: a gateway over HTTP, or a stub in a test.
public protocol InstreamAudioAdSource: Sendable {
    /// Loads the ads of one content item.
    ///
    /// - Throws: ``InstreamAudioLoadError``; also when the task was cancelled.
    func load(_ request: InstreamAudioAdRequest) async throws(InstreamAudioLoadError) -> AudioProgram
}

/// Why no ads could be loaded.
public struct InstreamAudioLoadError: Error, Hashable, Sendable {
    /// A stable word, such as `no_ad` or `unreachable`.
    public var code: String
    /// One sentence.
    public var reason: String

    /// An error.
    public init(code: String, reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// What is asked for one content item.
public struct InstreamAudioAdRequest: Hashable, Sendable {
    /// The placement, as the gateway's configuration calls it.
    public var slotID: String
    /// Where mid-rolls are wanted; `nil` leaves them to the server (S4.44).
    public var midpoints: [Duration]?
    /// How long the content is, when it was said.
    public var contentDuration: Duration?
    /// What is known of the listener.
    public var params: InstreamAudioAdParams
    /// How long the answer is waited for.
    public var timeout: Duration
}

/// What is known of the listener and may be told to networks, with consent (S4.66–S4.68).
public struct InstreamAudioAdParams: Hashable, Sendable {
    /// The listener's gender.
    public enum Gender: String, CaseIterable, Hashable, Sendable {
        case male
        case female
        case unknown
    }

    /// Years, 0 to 130; what is outside is refused and leaves the last value.
    public private(set) var age: Int?
    /// Gender.
    public var gender: Gender?
    /// The language of the app's own choice, ISO 639-1 in small letters, such as `en`.
    public private(set) var language: String?
    /// The publisher's own keys and values.
    public var custom: [String: String] = [:]

    /// Says nothing.
    public init() {}

    /// Sets the age; `nil` says nothing.
    ///
    /// - Throws: `bad_input` for fewer than 0 or more than 130 years.
    public mutating func set(age: Int?) throws(PlaybackRefusal) {
        if let age, !(0...130).contains(age) {
            throw PlaybackRefusal(input: "age", reason: .badInput, message: "The age must be 0 to 130 years.")
        }
        self.age = age
    }

    /// Sets the language; `nil` says nothing (S4.67).
    ///
    /// - Throws: `bad_input` for what is no code of ISO 639-1.
    public mutating func set(language: String?) throws(PlaybackRefusal) {
        if let language, !Self.languages.contains(language) {
            throw PlaybackRefusal(
                input: "language",
                reason: .badInput,
                message: "\"\(language.prefix(16))\" is no language of ISO 639-1, such as \"en\"."
            )
        }
        self.language = language
    }

    /// ISO 639-1, all 183 codes.
    private static let languages: Set<Substring> = Set(
        """
        aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es \
        et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki \
        kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no \
        nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te \
        tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
        """
        .split(separator: " ")
    )
}

extension Set<Substring> {
    fileprivate func contains(_ text: String) -> Bool { contains(Substring(text)) }
}

/// What in-stream audio ads stand on.
public struct InstreamAudioAdEnvironment: Sendable {
    /// Where ads come from.
    public var source: any InstreamAudioAdSource
    /// The time.
    public var clock: any GatewayClock
    /// Takes the URLs that are due; without it nobody calls them.
    public var beacons: @Sendable (DueBeacon) -> Void
    /// Takes remarks; nothing is said unless ``isDebugging`` (S4.6).
    public var log: @Sendable (String) -> Void
    /// Whether remarks are made (S4.6).
    public var isDebugging: Bool

    /// An environment.
    public init(
        source: any InstreamAudioAdSource,
        clock: any GatewayClock = SystemClock(),
        isDebugging: Bool = false,
        beacons: @escaping @Sendable (DueBeacon) -> Void = { _ in },
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.source = source
        self.clock = clock
        self.isDebugging = isDebugging
        self.beacons = beacons
        self.log = log
    }
}
