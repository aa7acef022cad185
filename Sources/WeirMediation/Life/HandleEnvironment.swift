internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime

/// What all handles of a registry share.
struct HandleEnvironment: Sendable {
    var clock: any GatewayClock
    var configuration: InitializationConfiguration
    var executor: (any TaskExecutor)?
    var random: @Sendable () -> Double
    var events: @Sendable (AdapterEvent) -> Void
    /// Called after each change that others can see.
    var changed: @Sendable (NetworkHandle, HandleChange) -> Void
}

/// What one event changed about a handle.
struct HandleChange: Sendable {
    var from: AdapterState
    var to: AdapterState
    var isNewlyLeftBehind: Bool
    var isStopped: Bool
}
