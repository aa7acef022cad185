internal import CCurl
package import WeirAdapterKit
package import WeirRuntime
package import WeirTime

/// One event loop's HTTP client: libcurl's transfers on the loop's sockets and timers.
///
/// It speaks HTTP/1.1, follows no redirects, keeps connections, undoes gzip and deflate, and holds every answer to
/// the limits of its network's ``OutboundPolicy``. Networks share connections only when their rules are equal.
///
/// `@unchecked Sendable`: `loop`, `limits` and `clock` never change; everything else is touched on the loop's thread
/// only, which every entry point checks before it goes on.
package final class HTTPClient: @unchecked Sendable {
    /// The loop.
    package let loop: EventLoop
    private let limits: ClientLimits
    private let clock: any GatewayClock

    private var partitions: [Partition: ConnectionPool] = [:]
    private var transfers: [UInt64: Transfer] = [:]
    private var idle: [Transfer] = []
    private var lastID: UInt64 = 0
    private var isClosed = false
    private var lifeline: Task<Void, Never>?

    /// A client of `loop`; nothing happens until the first request.
    package init(loop: EventLoop, limits: ClientLimits = ClientLimits(), clock: any GatewayClock = RuntimeClock()) {
        self.loop = loop
        self.limits = limits
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
        guard loop.isOnLoop, !isClosed else {
            throw TransportError(.cancelled, "\(head.url.authority): the client has been shut down.")
        }
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

    private func start(
        _ id: UInt64,
        _ head: RequestHead,
        _ deadline: Deadline,
        _ policy: OutboundPolicy,
        _ waiter: UnsafeContinuation<Result<InboundResponse, TransportError>, Never>
    ) {
        let now = clock.now
        guard transfers.count < limits.maxTransfers, let pool = pool(for: policy),
            let transfer = idle.popLast() ?? Transfer(loop: loop, rang: { [weak self] in self?.expire($0) })
        else {
            let message = "\(head.url.authority): \(transfers.count) requests are under way already."
            return waiter.resume(returning: .failure(TransportError(.saturated, message)))
        }
        let errand = Transfer.Errand(
            id: id,
            head: head,
            policy: policy,
            pool: pool,
            deadline: deadline,
            started: now,
            waiter: waiter,
            collector: ResponseCollector(
                maxHeaderBytes: policy.maxHeaderBytes,
                maxBodyBytes: policy.maxBodyBytes,
                isHead: head.isHead
            )
        )
        if Task.isCancelled || now >= deadline.instant {
            idle.append(transfer)
            return waiter.resume(returning: .failure(Task.isCancelled ? errand.cancelled : errand.timeout))
        }
        transfers[id] = transfer
        transfer.begin(errand, now: now)
    }

    private func finish(_ transfer: Transfer, _ code: CURLcode) {
        if let outcome = transfer.outcome(code) { end(transfer, outcome) }
    }

    private func expire(_ transfer: Transfer) {
        guard let errand = transfer.errand else { return }
        let now = clock.now
        // The loop's clock may be ahead of ours by a hair.
        if now < errand.deadline.instant { return transfer.setAlarm(now: now) }
        end(transfer, .failure(errand.timeout))
    }

    private func cancel(_ id: UInt64) {
        guard let transfer = transfers[id], let errand = transfer.errand else { return }
        end(transfer, .failure(errand.cancelled))
    }

    private func end(_ transfer: Transfer, _ outcome: Result<InboundResponse, TransportError>) {
        guard let errand = transfer.end() else { return }
        transfers[errand.id] = nil
        if idle.count < limits.maxIdleHandles && !isClosed { idle.append(transfer) }
        errand.waiter.resume(returning: outcome)
    }

    private func close() {
        if isClosed { return }
        isClosed = true
        for transfer in Array(transfers.values) {
            if let errand = transfer.errand { end(transfer, .failure(errand.cancelled)) }
        }
        for pool in partitions.values { pool.close() }
        partitions = [:]
        idle = []
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
        for pool in partitions.values where pool.isDue {
            pool.runDue()
            busy = true
        }
        return busy
    }

    private func pool(for policy: OutboundPolicy) -> ConnectionPool? {
        let partition = Partition(allowed: Set(policy.allowPrivate.allowed), caFile: policy.caFile)
        if let pool = partitions[partition] { return pool }
        if lifeline == nil { live() }
        if partitions.count >= limits.maxPartitions && !dropIdlePartition() { return nil }
        let pool = ConnectionPool(loop: loop, limits: limits) { [weak self] in self?.finish($0, $1) }
        partitions[partition] = pool
        return pool
    }

    /// Old configurations leave partitions behind that nobody asks for again.
    private func dropIdlePartition() -> Bool {
        guard let (partition, pool) = partitions.first(where: { $0.value.transferCount == 0 }) else { return false }
        pool.close()
        partitions[partition] = nil
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
