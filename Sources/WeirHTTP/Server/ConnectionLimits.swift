internal import Synchronization
internal import WeirTime

/// Counts open connections, in all and by address, and what they keep, for all servers that share it.
///
/// IPv6 addresses count by their first 64 bits, because whoever has one has all of those.
package final class ConnectionLimits: Sendable {
    /// What is counted now, and what was ever refused.
    package struct Statistics: Hashable, Sendable {
        /// Connections open now.
        package var open = 0
        /// Connections closed at once because their address had too many.
        package var turnedAway = 0
        /// Bytes of bodies and further requests kept now, in whole blocks.
        package var heldBytes = 0
        /// Requests refused, or left waiting, because all connections together kept too much.
        package var heldBack = 0
    }

    private struct Counts {
        var total = 0
        var byOrigin: [String: Int] = [:]
        var turnedAway = 0
    }

    private let total: Int
    private let perAddress: Int
    private let maxHeldBlocks: Int
    private let spared: [AddressRange]
    private let counts = Lock(Counts())
    private let heldBlocks = Atomic<Int>(0)
    private let heldBack = Atomic<Int>(0)

    /// The limits of `configuration`; addresses in `spared`, such as those of a proxy in front, may have any number.
    package init(_ configuration: ServerConfiguration, spared: [AddressRange] = []) {
        total = configuration.maxConnections
        perAddress = configuration.maxConnectionsPerAddress
        maxHeldBlocks = configuration.maxHeldBytes / ServerConfiguration.heldBlockBytes
        self.spared = spared
    }

    /// What is counted now.
    package var statistics: Statistics {
        let (open, turnedAway) = counts.withLock { ($0.total, $0.turnedAway) }
        return Statistics(
            open: open,
            turnedAway: turnedAway,
            heldBytes: heldBlocks.load(ordering: .relaxed) * ServerConfiguration.heldBlockBytes,
            heldBack: heldBack.load(ordering: .relaxed)
        )
    }

    // MARK: Connections

    /// Whether another connection might be accepted; only ``reserve(beyond:)`` says that it may.
    var hasRoom: Bool { counts.withLock { $0.total < total } }

    /// Takes a place for a connection about to be accepted; `false` when there is none.
    ///
    /// Looking first and counting afterwards would let each event loop accept one too many. `beyond` takes a place in
    /// any case, for connections that the kernel has accepted already when the listener closes.
    func reserve(beyond: Bool = false) -> Bool {
        counts.withLock { counts in
            if !beyond && counts.total >= total { return false }
            counts.total += 1
            return true
        }
    }

    /// Gives a place back that no connection came for.
    func giveBack() {
        counts.withLock { $0.total -= 1 }
    }

    /// Lets a connection of `address` have its reserved place; `false` (and the place given back) when that address has
    /// too many.
    ///
    /// Local sockets have no address and no such limit.
    func enter(_ address: String) -> Bool {
        guard let origin = origin(of: address) else { return true }
        return counts.withLock { counts in
            let open = counts.byOrigin[origin, default: 0]
            if open >= perAddress {
                counts.turnedAway += 1
                counts.total -= 1
                return false
            }
            counts.byOrigin[origin] = open + 1
            return true
        }
    }

    /// Counts it out again.
    func leave(_ address: String) {
        let origin = origin(of: address)
        counts.withLock { counts in
            counts.total -= 1
            guard let origin else { return }
            let open = counts.byOrigin[origin, default: 0] - 1
            counts.byOrigin[origin] = open > 0 ? open : nil
        }
    }

    /// What connections of `address` are counted under; `nil` for those that are not.
    private func origin(of address: String) -> String? {
        guard let parsed = IPAddress(address) else { return address == "local" ? nil : address }
        if spared.contains(where: { $0.contains(parsed) }) { return nil }
        guard parsed.family == .v6 else { return address }
        return IPAddress(v6: (parsed.bits >> 64) << 64).description
    }

    // MARK: What they keep

    /// Counts `blocks` more, or fewer when negative; `false` (and not counted) when that would be too many.
    func hold(_ blocks: Int) -> Bool {
        let (_, held) = heldBlocks.add(blocks, ordering: .relaxed)
        if blocks <= 0 || held <= maxHeldBlocks { return true }
        heldBlocks.subtract(blocks, ordering: .relaxed)
        heldBack.add(1, ordering: .relaxed)
        return false
    }

    /// Counts `blocks` out again.
    func release(_ blocks: Int) {
        if blocks > 0 { heldBlocks.subtract(blocks, ordering: .relaxed) }
    }
}
