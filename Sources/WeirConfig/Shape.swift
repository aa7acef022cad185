/// What a value of the configuration must look like.
///
/// The tables of shapes are the one place where the keys are written down: the reader checks files by them, the JSON
/// Schema and the tables of docs/configuration.md are made from them.
indirect enum ValueShape: Sendable {
    /// `true` or `false`.
    case flag
    /// Any text that is not empty, at most so many bytes.
    case text(maxBytes: Int = ConfigurationLimits.textBytes)
    /// An id of ours: 1 to 128 bytes, no control characters.
    case name
    /// One of some words.
    case word([String])
    /// The kind of an adapter; which ones there are, the program says.
    case adapterKind
    /// A whole number.
    case whole(ClosedRange<Int>)
    /// A whole number of milliseconds.
    case milliseconds(ClosedRange<Int>)
    /// A whole number of bytes.
    case bytes(ClosedRange<Int>)
    /// A decimal number that is not negative, as text or number; the amount of a price.
    case money
    /// Three letters of ISO 4217.
    case currency
    /// A decimal number above zero, as text or number.
    case decimal
    /// `{"env": "NAME"}` or `{"file": "path"}`; plain text is taken with a warning.
    case secret
    /// `host:port`, `[v6]:port` or `unix:/path`.
    case listenAddress
    /// An IP address or a CIDR range.
    case addressRange
    /// An absolute http or https URL.
    case webURL
    /// `sqlite:path` or `sqlite::memory:`.
    case storageURL
    /// An ISO 3166-1 alpha-2 country code.
    case country
    /// An ISO 639-1 language code.
    case language
    /// Whatever the adapter knows, secrets included.
    case settings
    /// Keys of the publisher's own, each with one text or a list of texts.
    case keyValues
    /// A text, a number, `true` or `false`.
    case scalar
    /// Anything that JSON can say.
    case anything
    /// Keys of one's own, each with a value of one shape.
    case map(of: ValueShape)
    /// A text, or an object.
    case textOr(ObjectShape)
    /// One value, or a list of them.
    case oneOrMany(ValueShape, count: ClosedRange<Int>)
    /// A list.
    case list(of: ValueShape, count: ClosedRange<Int>)
    /// An object with known keys.
    case object(ObjectShape)
    /// An object of one shape when it has the key, else of the other.
    case either(ObjectShape, whenKey: String, otherwise: ObjectShape)
}

/// An object whose keys are known.
struct ObjectShape: Sendable {
    /// One word for the kind of object, such as `ad_unit`.
    var name: String
    /// Where it stands, such as `ad_units[]`.
    var place: String
    /// One sentence for editors and docs.
    var summary: String
    /// The keys, in the order in which docs list them.
    var keys: [KeyShape]

    init(_ name: String, at place: String, _ summary: String, _ keys: [KeyShape]) {
        self.name = name
        self.place = place
        self.summary = summary
        self.keys = keys
    }

    /// The shape of the key called `name`.
    func key(_ name: String) -> KeyShape? { keys.first { $0.name == name } }
}

/// One known key of an object.
struct KeyShape: Sendable {
    /// Its spelling.
    var name: String
    /// What its value must look like.
    var shape: ValueShape
    /// Whether the object is nothing without it.
    var isRequired: Bool
    /// What holds when it is absent, as docs and schema say it.
    var fallback: Fallback
    /// One sentence: what it is for.
    var summary: String

    init(
        _ name: String,
        _ shape: ValueShape,
        required isRequired: Bool = false,
        fallback: Fallback = .nothing,
        _ summary: String
    ) {
        self.name = name
        self.shape = shape
        self.isRequired = isRequired
        self.fallback = fallback
        self.summary = summary
    }
}
