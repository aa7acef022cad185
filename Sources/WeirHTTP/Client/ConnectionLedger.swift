/// Who uses which connection: the decisions of a pool, without a socket or a clock.
///
/// Requests to one origin share its connections one after another. A request takes the connection that idled last; none
/// idle, it gets a new one; none allowed, it waits its turn.
struct ConnectionLedger {
    typealias Origin = OutboundURL.Origin
    typealias ConnectionID = UInt64
    typealias RequestID = UInt64

    /// What the owner has to do.
    enum Order: Hashable {
        /// Send the request on a connection that idles.
        case use(ConnectionID, RequestID)
        /// Connect, and send the request then.
        case open(ConnectionID, Origin, RequestID)
        /// Close a connection that idles; the ledger has forgotten it.
        case close(ConnectionID)
    }

    private struct Idler {
        var id: ConnectionID
        var since: ContinuousClock.Instant
    }

    private struct Host {
        /// Connections that idle, the one that began last at the end.
        var idle: [Idler] = []
        /// Connections, the idle ones and those to be included.
        var connections = 0
        /// Requests that wait, first come first served.
        var waiting: [RequestID] = []

        var isForgotten: Bool { connections == 0 && waiting.isEmpty }
    }

    private let maxConnections: Int
    private let maxConnectionsPerHost: Int
    private let idleTime: Duration
    private var hosts: [Origin: Host] = [:]
    private var origins: [ConnectionID: Origin] = [:]
    private var lastID: ConnectionID = 0
    private(set) var waitingCount = 0

    init(_ limits: ClientLimits) {
        maxConnections = limits.maxConnections
        maxConnectionsPerHost = limits.maxConnectionsPerHost
        idleTime = limits.idleTime
    }

    /// All connections, those to be included.
    var connectionCount: Int { origins.count }
    /// Connections that idle.
    var idleCount: Int { hosts.values.reduce(0) { $0 + $1.idle.count } }

    /// A request wants a connection, if `fresh` one that has not idled; no order means that it waits.
    mutating func ask(_ request: RequestID, _ origin: Origin, fresh: Bool = false) -> [Order] {
        if !fresh, let idler = hosts[origin]?.idle.popLast() { return [.use(idler.id, request)] }
        var orders: [Order] = []
        if hosts[origin, default: Host()].connections >= maxConnectionsPerHost {
            guard let oldest = hosts[origin]?.idle.first else { return wait(request, origin) }
            orders.append(drop(oldest.id))
        } else if origins.count >= maxConnections {
            guard let oldest = oldestIdler() else { return wait(request, origin) }
            orders.append(drop(oldest))
        }
        orders.append(open(request, origin))
        return orders
    }

    /// A request that waits does so no more.
    mutating func withdraw(_ request: RequestID, _ origin: Origin) {
        guard let place = hosts[origin]?.waiting.firstIndex(of: request) else { return }
        hosts[origin]?.waiting.remove(at: place)
        waitingCount -= 1
        forgetIfEmpty(origin)
    }

    /// A connection has served its request and can serve another.
    mutating func release(_ connection: ConnectionID, now: ContinuousClock.Instant) -> [Order] {
        guard let origin = origins[connection] else { return [] }
        if waitingCount > 0, let request = nextWaiting(origin) { return [.use(connection, request)] }
        hosts[origin]?.idle.append(Idler(id: connection, since: now))
        // Somebody may wait for room in all, and this one can make it.
        return waitingCount > 0 ? makeRoom() : []
    }

    /// A connection is gone, or never came to be.
    mutating func closed(_ connection: ConnectionID) -> [Order] {
        guard let origin = origins[connection] else { return [] }
        forget(connection, origin)
        if waitingCount == 0 { return [] }
        if let request = nextWaiting(origin) { return [open(request, origin)] }
        return makeRoom()
    }

    /// Forgets connections that have idled too long.
    mutating func sweep(now: ContinuousClock.Instant) -> [Order] {
        var orders: [Order] = []
        for (_, host) in hosts {
            for idler in host.idle where idler.since + idleTime <= now { orders.append(drop(idler.id)) }
        }
        return orders
    }

    // MARK: Parts

    private mutating func wait(_ request: RequestID, _ origin: Origin) -> [Order] {
        hosts[origin, default: Host()].waiting.append(request)
        waitingCount += 1
        return []
    }

    private mutating func nextWaiting(_ origin: Origin) -> RequestID? {
        guard let host = hosts[origin], !host.waiting.isEmpty else { return nil }
        waitingCount -= 1
        return hosts[origin]?.waiting.removeFirst()
    }

    private mutating func open(_ request: RequestID, _ origin: Origin) -> Order {
        lastID += 1
        origins[lastID] = origin
        hosts[origin, default: Host()].connections += 1
        return .open(lastID, origin, request)
    }

    private mutating func drop(_ connection: ConnectionID) -> Order {
        if let origin = origins[connection] { forget(connection, origin) }
        return .close(connection)
    }

    private mutating func forget(_ connection: ConnectionID, _ origin: Origin) {
        origins[connection] = nil
        hosts[origin]?.connections -= 1
        hosts[origin]?.idle.removeAll { $0.id == connection }
        forgetIfEmpty(origin)
    }

    private mutating func forgetIfEmpty(_ origin: Origin) {
        if hosts[origin]?.isForgotten == true { hosts[origin] = nil }
    }

    private func oldestIdler() -> ConnectionID? {
        hosts.values.compactMap(\.idle.first).min { $0.since < $1.since }?.id
    }

    /// The request that has waited longest where its host is not full gets a connection, if there can be one.
    private mutating func makeRoom() -> [Order] {
        let limit = maxConnectionsPerHost
        let candidates = hosts.filter { !$0.value.waiting.isEmpty && $0.value.connections < limit }
        let next = candidates.min { ($0.value.waiting.first ?? .max) < ($1.value.waiting.first ?? .max) }
        guard let origin = next?.key else { return [] }
        var orders: [Order] = []
        if origins.count >= maxConnections {
            guard let oldest = oldestIdler() else { return [] }
            orders.append(drop(oldest))
        }
        guard let request = nextWaiting(origin) else { return orders }
        orders.append(open(request, origin))
        return orders
    }
}
