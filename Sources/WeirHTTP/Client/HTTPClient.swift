internal import CCurl
package import WeirAdapterKit
package import WeirRuntime
package import WeirTime

/// One event loop's HTTP client: connections on the loop's sockets and timers, which libcurl opens.
///
/// It speaks HTTP/1.1, follows no redirects, keeps connections, undoes gzip and deflate, and holds every answer to
/// the limits of its network's ``OutboundPolicy``. Networks share connections only when their rules are equal.
///
/// `@unchecked Sendable`: `loop`, `limits`, `clock` and `road` never change; everything else is touched on the loop's thread
/// only, which every entry point checks before it goes on.
package final class HTTPClient: @unchecked Sendable {
    /// The loop.
    package let loop: EventLoop
    private let limits: ClientLimits
    private let clock: any GatewayClock
    private let road: ClientRoad

    private var partitions: [Partition: Lanes] = [:]
    /// The partition that was asked for last, which is most often asked for again.
    private var recent: (policy: OutboundPolicy, lanes: Lanes)?
    private var transfers: [UInt64: Transfer] = [:]
    private var exchanges: [UInt64: Exchange] = [:]
    private var idleExchanges: [Exchange] = []
    private var lastID: UInt64 = 0
    private var isClosed = false
    private var lifeline: Task<Void, Never>?

    /// A client of `loop`; nothing happens until the first request.
    package init(
        loop: EventLoop,
        limits: ClientLimits = ClientLimits(),
        road: ClientRoad = .direct,
        clock: any GatewayClock = RuntimeClock()
    ) {
        self.loop = loop
        self.limits = limits
        self.road = road
        self.clock = clock
    }

    /// Sends `request` under `policy` and waits for the whole answer, on the loop whoever calls.
    ///
    /// The caller's cancellation closes the connection at once.
    ///
    /// - Throws: `TransportError` when there is no answer by `deadline` or within the limits.
    package func send(
        _ request: OutboundRequest,
        deadline: Deadline,
        policy: OutboundPolicy
    ) async throws(TransportError) -> InboundResponse {
        let head = try RequestHead(request, policy: policy)
        if loop.isOnLoop { return try await run(head, deadline, policy) }
        return try await loop.perform { () async throws(TransportError) -> InboundResponse in
            try await self.run(head, deadline, policy)
        }
    }

    /// Ends all transfers with `cancelled` and closes all connections; later requests are refused.
    ///
    /// Call it before the loop stops. A loop that stops first does it by itself.
    package func shutDown() async {
        await loop.perform { self.close() }
    }

    // MARK: On the loop

    private func run(
        _ head: RequestHead,
        _ deadline: Deadline,
        _ policy: OutboundPolicy
    ) async throws(TransportError) -> InboundResponse {
        // A loop that has ended runs nothing any more, and its tasks come here on the global pool.
        guard loop.isOnLoop else { throw Self.shutDown(head) }
        lastID += 1
        let id = lastID
        let result = await withTaskCancellationHandler {
            await withUnsafeContinuation { waiter in
                start(id, head, deadline, policy, waiter)
            }
        } onCancel: {
            loop.later { self.cancel(id) }
        }
        return try result.get()
    }

    private static func shutDown(_ head: RequestHead) -> TransportError {
        TransportError(.cancelled, "\(head.url.authority): the client has been shut down.", mayHaveArrived: false)
    }

    private func start(
        _ id: UInt64,
        _ head: RequestHead,
        _ deadline: Deadline,
        _ policy: OutboundPolicy,
        _ waiter: UnsafeContinuation<Result<InboundResponse, TransportError>, Never>
    ) {
        // Looked at here and not before: a task may give way before its wait begins.
        if isClosed { return waiter.resume(returning: .failure(Self.shutDown(head))) }
        let now = clock.now
        let errand = Errand(id: id, head: head, policy: policy, deadline: deadline, started: now, waiter: waiter)
        let count = transfers.count + exchanges.count
        guard count < limits.maxTransfers, let lanes = lanes(for: policy) else { return refuse(errand, count) }
        if Task.isCancelled { return waiter.resume(returning: .failure(errand.cancelled(mayHaveArrived: false))) }
        if now >= deadline.instant { return waiter.resume(returning: .failure(errand.timeout(mayHaveArrived: false))) }
        if road == .direct && head.url.isPlain {
            let exchange = idleExchanges.popLast() ?? Exchange(loop: loop) { [weak self] in self?.expire($0) }
            exchanges[id] = exchange
            exchange.begin(errand, lanes.direct, now: now)
            lanes.direct.start(exchange)
        } else {
            guard let transfer = Transfer(loop: loop, rang: { [weak self] in self?.expire($0) }) else {
                return refuse(errand, count)
            }
            transfers[id] = transfer
            transfer.begin(errand, lanes.pool, now: now)
        }
    }

    private func refuse(_ errand: Errand, _ count: Int) {
        let message = "\(errand.head.url.authority): \(count) requests are under way already."
        errand.waiter.resume(returning: .failure(TransportError(.saturated, message)))
    }

    /// libcurl is done with a handle.
    private func finish(_ user: CurlUser, _ code: CURLcode) {
        if let transfer = user as? Transfer {
            if let outcome = transfer.outcome(code) { end(transfer, outcome) }
        } else if let dial = user as? Dial {
            exchanges[dial.request]?.road?.dialled(dial, code)
        }
    }

    private func expire(_ transfer: Transfer) {
        guard let errand = transfer.errand else { return }
        let now = clock.now
        // The loop's clock may be ahead of ours by a hair.
        if now < errand.deadline.instant { return transfer.setAlarm(now: now) }
        end(transfer, .failure(errand.timeout(mayHaveArrived: transfer.mayHaveArrived)))
    }

    private func expire(_ exchange: Exchange) {
        guard let errand = exchange.errand else { return }
        let now = clock.now
        if now < errand.deadline.instant { return exchange.setAlarm(now: now) }
        exchange.road?.abandon(exchange, errand.timeout(mayHaveArrived: exchange.mayHaveArrived))
    }

    private func cancel(_ id: UInt64) {
        if let transfer = transfers[id], let errand = transfer.errand {
            end(transfer, .failure(errand.cancelled(mayHaveArrived: transfer.mayHaveArrived)))
        } else if let exchange = exchanges[id], let errand = exchange.errand {
            exchange.road?.abandon(exchange, errand.cancelled(mayHaveArrived: exchange.mayHaveArrived))
        }
    }

    private func end(_ transfer: Transfer, _ outcome: Result<InboundResponse, TransportError>) {
        guard let errand = transfer.end() else { return }
        transfers[errand.id] = nil
        errand.waiter.resume(returning: outcome)
    }

    private func end(_ exchange: Exchange, _ outcome: Result<InboundResponse, TransportError>) {
        guard let errand = exchange.end() else { return }
        exchanges[errand.id] = nil
        if idleExchanges.count < limits.maxIdleHandles && !isClosed { idleExchanges.append(exchange) }
        errand.waiter.resume(returning: outcome)
    }

    private func close() {
        if isClosed { return }
        isClosed = true
        for id in Array(transfers.keys) + Array(exchanges.keys) { cancel(id) }
        for lanes in partitions.values { lanes.close() }
        partitions = [:]
        recent = nil
        idleExchanges = []
        lifeline?.cancel()
        lifeline = nil
        loop.remove(self)
    }
}

// MARK: Partitions

extension HTTPClient: LoopPump {
    /// What networks must have in common to share connections.
    private struct Partition: Hashable {
        var allowed: Set<AddressRange>
        var caFile: String?
    }

    /// Calls libcurl where it asked to be called at once.
    package func pump() -> Bool {
        var busy = false
        for lanes in partitions.values where lanes.pool.isDue {
            lanes.pool.runDue()
            busy = true
        }
        return busy
    }

    /// The connections of one partition: those of libcurl's transfers, and our own.
    private struct Lanes {
        let pool: ConnectionPool
        let direct: DirectRoad

        func close() {
            direct.close()
            pool.close()
        }
    }

    private func lanes(for policy: OutboundPolicy) -> Lanes? {
        if let recent, recent.policy == policy { return recent.lanes }
        let partition = Partition(allowed: Set(policy.allowPrivate.allowed), caFile: policy.caFile)
        if let lanes = partitions[partition] {
            recent = (policy, lanes)
            return lanes
        }
        if lifeline == nil { live() }
        if partitions.count >= limits.maxPartitions && !dropIdlePartition() { return nil }
        guard let pool = ConnectionPool(loop: loop, limits: limits, finished: { [weak self] in self?.finish($0, $1) })
        else { return nil }
        let direct = DirectRoad(loop: loop, limits: limits, pool: pool, clock: clock) { [weak self] in
            self?.end($0, $1)
        }
        let lanes = Lanes(pool: pool, direct: direct)
        partitions[partition] = lanes
        return lanes
    }

    /// Old configurations leave partitions behind that nobody asks for again.
    private func dropIdlePartition() -> Bool {
        let used = Set(transfers.values.compactMap { $0.pool.map(ObjectIdentifier.init) })
        let idle = partitions.first { _, lanes in
            lanes.direct.exchangeCount == 0 && !used.contains(ObjectIdentifier(lanes.pool))
        }
        guard let (partition, lanes) = idle else { return false }
        lanes.close()
        partitions[partition] = nil
        recent = nil
        return true
    }

    /// Joins the loop's turns, and sees to it that a stopping loop closes this client.
    ///
    /// The task is unstructured because it lives as long as the loop, whose end wakes its sleepers with an error.
    private func live() {
        loop.add(self)
        lifeline = Task(executorPreference: loop) { [loop, weak self] in
            while !Task.isCancelled {
                do { try await loop.sleep(until: .now.advanced(by: .seconds(86_400))) } catch { break }
            }
            self?.close()
        }
    }
}
