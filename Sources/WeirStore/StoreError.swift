/// Why a store cannot be opened or asked.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A stable number for each cause; hundreds are the phase: 1xx opening, 2xx reading and writing.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The storage URL is of no kind that Weir knows.
        package static let badURL = Code(rawValue: 101)

        /// The storage URL names a database that Weir does not support yet.
        package static let unsupported = Code(rawValue: 102)

        /// The file or its directory cannot be opened for writing.
        package static let notWritable = Code(rawValue: 103)

        /// The file is no SQLite database, is damaged, or belongs to another program.
        package static let notOurs = Code(rawValue: 104)

        /// The file was written by a newer Weir.
        package static let tooNew = Code(rawValue: 105)

        /// Reading or writing failed.
        package static let failed = Code(rawValue: 201)

        /// The store is closed.
        package static let closed = Code(rawValue: 202)

        /// Too many questions wait for an answer.
        package static let busy = Code(rawValue: 203)
    }

    /// The cause.
    package var code: Code

    /// One sentence for an operator.
    package var reason: String

    /// An error.
    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The sentence.
    package var description: String { reason }
}
