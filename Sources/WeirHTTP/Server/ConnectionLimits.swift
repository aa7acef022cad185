internal import WeirTime

/// Counts open connections, in all and by address, for all servers that share it.
package final class ConnectionLimits: Sendable {
    private struct Counts {
        var total = 0
        var byAddress: [String: Int] = [:]
    }

    private let total: Int
    private let perAddress: Int
    private let counts = Lock(Counts())

    /// The limits of `configuration`.
    package init(_ configuration: ServerConfiguration) {
        total = configuration.maxConnections
        perAddress = configuration.maxConnectionsPerAddress
    }

    /// Whether another connection may be accepted.
    var hasRoom: Bool { counts.withLock { $0.total < total } }

    /// Counts a connection of `address`; `false` (and not counted) when that address has too many.
    ///
    /// Local sockets have no address and no such limit.
    func enter(_ address: String) -> Bool {
        counts.withLock { counts in
            let open = counts.byAddress[address, default: 0]
            if open >= perAddress && address != "local" { return false }
            counts.byAddress[address] = open + 1
            counts.total += 1
            return true
        }
    }

    /// Counts it out again.
    func leave(_ address: String) {
        counts.withLock { counts in
            let open = counts.byAddress[address, default: 0] - 1
            counts.byAddress[address] = open > 0 ? open : nil
            counts.total -= 1
        }
    }
}
