internal import WeirAdapterKit

/// One thing that networks do to adapters, and what an adapter must make of it.
struct Fault: Sendable {
    /// A stable word for scripts.
    let name: String
    /// What is sent, in words.
    let sent: String
    /// What an author does about a failure.
    let fix: String
    /// Sends it and judges; throws when the adapter cannot be made.
    let judge: @Sendable (FaultStage) async throws(SettingsError) -> FaultVerdict

    /// All of them, in the order of the report.
    static let all: [Fault] = answers + prices + markups + behaviours + setUps + [secrets]
}
