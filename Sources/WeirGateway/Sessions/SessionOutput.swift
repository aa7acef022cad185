package import WeirModel
package import WeirPlayback

/// An output as a session hands it to its client.
package struct SessionOutput: Sendable {
    /// What is said.
    package var output: any PlaybackOutput
    /// The URL with its macros filled, when the output is a beacon or opens a page.
    package var url: String?
}

/// What a call to a session comes back with.
package struct SessionAnswer: Sendable {
    /// The session.
    package var id: SessionID
    /// The state's name.
    package var state: String
    /// The outputs that are new to the caller, oldest first.
    package var outputs: [NumberedOutput<SessionOutput>]
    /// The user interface, when it has changed.
    package var ui: [PlaybackDetail]?
    /// The client's number of the last input that was taken; 0 without numbers.
    package var clientSeq: Int
    /// The number of the last output.
    package var lastSeq: Int
    /// The id of the request for ads, also of one that brought none; `nil` before it.
    package var requestID: RequestID?
    /// The session's ads, by key, without their documents.
    package var served: [ServedAd]
    /// What else is known of the answer they came with.
    package var context: SessionContext?
}

/// What became of one URL that a session owed.
package struct BeaconRecord: Sendable, Hashable {
    /// What came of it.
    package enum State: String, Sendable {
        /// On its way.
        case queued
        /// The server has answered, whatever it said.
        case sent
        /// The network failed, and so did the tries again.
        case failed
        /// Too many were waiting.
        case dropped
        /// It was handed to the client.
        case client
    }

    /// Its number within the session, from 1.
    package var number: Int
    /// What it reports.
    package var event: String
    /// The ad's place in the session; `nil` for a break's own.
    package var ad: Int?
    /// The URL with its macros filled.
    package var url: String
    /// What came of it.
    package var state: State
    /// The server's status.
    package var status: Int?
    /// How often it was tried.
    package var attempts: Int
    /// One sentence when it failed.
    package var reason: String?
}
