/// One URL that is due to be called, with what is known about the moment.
public struct Beacon: Hashable, Sendable {
    /// What it reports: an event's name, `impression`, `click`, `error`, `viewable` ….
    public var name: String
    /// The URL with its macros, as the document has it.
    public var url: String
    /// Whether it reports an error.
    public var use: MacroExpander.Use
    /// Values of macros that only this moment has.
    public var macros: [String: MacroContext.Value]

    /// A URL that is due.
    public init(
        name: String,
        url: String,
        use: MacroExpander.Use = .tracking,
        macros: [String: MacroContext.Value] = [:]
    ) {
        self.name = name
        self.url = url
        self.use = use
        self.macros = macros
    }
}
