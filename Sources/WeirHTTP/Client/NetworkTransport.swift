package import WeirAdapterKit
package import WeirRuntime
package import WeirTime

/// The clients of all loops.
package final class HTTPClientPool: Sendable {
    private let clients: [HTTPClient]
    private let group: EventLoopGroup

    /// One client for each loop of `group`.
    package init(
        group: EventLoopGroup,
        limits: ClientLimits = ClientLimits(),
        road: ClientRoad = .direct,
        clock: any GatewayClock = RuntimeClock()
    ) {
        self.group = group
        clients = group.loops.map { HTTPClient(loop: $0, limits: limits, road: road, clock: clock) }
    }

    /// The way to one network.
    package func transport(policy: OutboundPolicy) -> NetworkTransport {
        NetworkTransport(pool: self, policy: policy)
    }

    /// Ends all transfers with `cancelled` and closes all connections.
    ///
    /// Call it before the loops are stopped.
    package func shutdown() async {
        for client in clients { await client.shutDown() }
    }

    /// The client of the running loop; off the loops, that of the next one in turn.
    fileprivate var client: HTTPClient {
        let loop = EventLoop.current.flatMap { current in group.loops.first { $0 === current } } ?? group.next()
        return clients[group.loops.firstIndex { $0 === loop } ?? 0]
    }
}

/// The way to one network, from any loop or task.
package struct NetworkTransport: HTTPTransport {
    private let pool: HTTPClientPool
    /// The network's rules.
    package let policy: OutboundPolicy

    fileprivate init(pool: HTTPClientPool, policy: OutboundPolicy) {
        self.pool = pool
        self.policy = policy
    }

    /// Sends a request and waits for the whole answer.
    ///
    /// - Throws: `TransportError` when there is no answer by `deadline` or within the policy's limits.
    package func send(
        _ request: OutboundRequest,
        deadline: Deadline
    ) async throws(TransportError) -> InboundResponse {
        try await pool.client.send(request, deadline: deadline, policy: policy)
    }
}
