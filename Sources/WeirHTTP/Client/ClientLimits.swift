/// What one event loop's client keeps and does at most.
package struct ClientLimits: Hashable, Sendable {
    /// Transfers under way, those that wait for a connection included; one more is refused as `saturated`.
    package var maxTransfers = 4096
    /// Connections of one partition, idle ones included; transfers beyond wait for one.
    package var maxConnections = 1024
    /// Connections of one partition to one host and port.
    package var maxConnectionsPerHost = 256
    /// How long a connection may idle before it is closed.
    ///
    /// Servers keep one for 5 to 75 seconds as a rule; the end of one is noticed at once.
    package var idleTime: Duration = .seconds(118)
    /// Exchanges, with their timers, that are kept for reuse.
    package var maxIdleHandles = 256
    /// Partitions: sets of connections that are shared by networks with equal rules only.
    package var maxPartitions = 64

    /// The defaults.
    package init() {}
}
