package import WeirTime

/// One thing that happened, before it becomes a line.
package struct LogEvent: Hashable, Sendable {
    /// When.
    package var time: WallTime

    /// How much it matters.
    package var level: LogLevel

    /// Its stable name, for filters: `adapter.ready`.
    package var name: String

    /// A sentence for a person.
    package var message: String

    /// The request it belongs to.
    package var requestID: String?

    /// What else is known.
    package var fields: LogFields

    /// An event.
    package init(
        time: WallTime,
        level: LogLevel,
        name: String,
        message: String,
        requestID: String? = nil,
        fields: LogFields = [:]
    ) {
        self.time = time
        self.level = level
        self.name = name
        self.message = message
        self.requestID = requestID
        self.fields = fields
    }
}
