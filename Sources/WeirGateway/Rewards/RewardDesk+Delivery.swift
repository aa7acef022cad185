internal import Synchronization
internal import WeirAdapterKit
internal import WeirRewards
internal import WeirStore
internal import WeirTime

/// What the desk does by itself: tells the publisher, verifies what waited, raises the alarm, keeps house.
extension RewardDesk {
    /// The most callbacks to the publisher under way.
    private static let inFlightLimit = 64
    /// How often due deliveries are looked for when nothing was granted here: another process may have left some.
    private static let deliveryInterval: Duration = .seconds(1)
    /// How often callbacks that wait for keys, and views that wait for callbacks, are looked at.
    private static let sweepInterval: Duration = .seconds(5)
    /// How many callbacks that wait are verified side by side.
    private static let sweepPage = 200
    /// How often old rows are forgotten and keys looked after, in sweeps.
    private static let sweepsToHousekeeping = 720
    /// How long a view without a grant is remembered.
    private static let memory: Duration = .seconds(30 * 24 * 3600)
    /// How many refused callbacks are kept.
    private static let keptRefusals = 10_000

    /// Works until the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            // A sleep fails when the task is cancelled, and with nothing else: each child ends then.
            group.addTask { [self] in
                while (try? await clock.sleep(for: Self.deliveryInterval)) != nil { bell.ring() }
            }
            group.addTask { [self] in await deliver() }
            group.addTask { [self] in
                var sweeps = 0
                repeat {
                    await sweep()
                    if sweeps % Self.sweepsToHousekeeping == 0 { await keepHouse() }
                    sweeps += 1
                } while (try? await clock.sleep(for: Self.sweepInterval)) != nil
            }
        }
    }

    // MARK: Delivering

    private func deliver() async {
        let underWay = DeliveryCount()
        await withDiscardingTaskGroup { group in
            for await _ in bell.rings {
                let room = Self.inFlightLimit - underWay.value
                let terms = terms
                guard room > 0, let url = terms.publisherURL, let transport = terms.publisherTransport else {
                    continue
                }
                let lease = terms.deliveryTimeout + .seconds(10)
                let due: [GrantRecord]
                do throws(StoreError) {
                    due = try await store.takeDue(now: clock.wallNow, lease: lease, limit: room)
                } catch {
                    observer.trouble(error.reason)
                    continue
                }
                underWay.add(due.count)
                for grant in due {
                    group.addTask { [self] in
                        await deliver(grant, to: url, over: transport, terms)
                        underWay.add(-1)
                        bell.ring()
                    }
                }
            }
        }
    }

    private func deliver(
        _ grant: GrantRecord,
        to url: String,
        over transport: any HTTPTransport,
        _ terms: RewardTerms
    ) async {
        guard let signer = keyring.current.signer(at: clock.wallNow),
            let query = grant.callback(terms).query(signedBy: signer)
        else { return observer.trouble("A callback to the publisher cannot be signed.") }
        let began = clock.now
        var attempt = DeliveryTry(
            grant: grant.id,
            at: clock.wallNow,
            status: nil,
            error: nil,
            milliseconds: 0,
            key: String(signer.id)
        )
        do throws(TransportError) {
            let deadline = Deadline.after(terms.deliveryTimeout, clock: clock)
            attempt.status = try await transport.send(OutboundRequest(url: url + "?" + query), deadline: deadline)
                .status
        } catch {
            guard error.kind != .cancelled else { return }
            attempt.error = error.message
        }
        attempt.milliseconds = began.duration(to: clock.now).milliseconds
        let verdict = verdict(attempt, grant, terms.retry)
        observer.delivery(attempt, verdict)
        do {
            try await store.note(attempt, verdict)
        } catch {
            // The lease runs out, and it is delivered once more: at least once is the promise.
            observer.trouble(error.reason)
        }
    }

    private func verdict(_ attempt: DeliveryTry, _ grant: GrantRecord, _ plan: RetryPlan) -> DeliveryVerdict {
        if let status = attempt.status, (200..<300).contains(status) { return .delivered }
        let now = clock.wallNow
        let next = plan.next(
            after: grant.tries + 1,
            granted: grant.grantedAt ?? now,
            now: now,
            jitter: Double.random(in: 0...1)
        )
        return next.map { .again(at: $0) } ?? .dead
    }

    // MARK: Sweeping

    private func sweep() async {
        do throws(StoreError) {
            try await verifyWaiting()
            let before = clock.wallNow.advanced(by: .zero - terms.alarmAfter)
            for view in try await store.takeOverdue(before: before, limit: 100) { observer.overdue(view) }
            let counts = try await store.rewardCounts()
            observer.counted(counts)
        } catch {
            if error.code != .closed { observer.trouble(error.reason) }
        }
    }

    /// Callbacks that came while there were no keys: page by page, those of a page side by side.
    private func verifyWaiting() async throws(StoreError) {
        var after: Int64 = 0
        var withoutKeys: Set<String> = []
        while true {
            let waiting = try await store.unverified(after: after, limit: Self.sweepPage)
            guard let last = waiting.last else { return }
            after = last.id
            withoutKeys = await withTaskGroup(of: String?.self) { group in
                for record in waiting where !withoutKeys.contains(record.network) {
                    group.addTask { [self] in await verifyLate(record) ? nil : record.network }
                }
                return await group.reduce(into: withoutKeys) { if let network = $1 { $0.insert(network) } }
            }
        }
    }

    /// Answers whether the keys of the callback's source can be had.
    private func verifyLate(_ record: CallbackRecord) async -> Bool {
        // The source may be gone from the configuration: then it waits for the day it comes back.
        guard let source = terms.sources[record.network] else { return true }
        do throws(StoreError) {
            let verified: VerifiedCallback
            do throws(CallbackFault) {
                verified = try await verify(record.raw, by: source)
            } catch {
                let reason = error.reason.rawValue
                guard error.reason != .keysUnavailable else { return false }
                try await store.refuse(callback: record.id, reason: reason, detail: error.detail)
                observer.callback(record.network, state: "refused", reason: reason, detail: error.detail)
                return true
            }
            let inbound = Inbound(source: record.network, method: record.method, raw: record.raw)
            _ = try await settle(verified, inbound, source, waiting: record.id)
        } catch {
            if error.code != .closed { observer.trouble(error.reason) }
        }
        return true
    }

    private func keepHouse() async {
        await keyring.refresh()
        do {
            try await store.prune(
                before: clock.wallNow.advanced(by: .zero - Self.memory),
                refused: Self.keptRefusals
            )
        } catch {
            if error.code != .closed { observer.trouble(error.reason) }
        }
    }
}

/// How many callbacks to the publisher are under way.
private final class DeliveryCount: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add(_ number: Int) { count.wrappingAdd(number, ordering: .relaxed) }
}

extension GrantRecord {
    /// What the publisher is told: the same in every try but for the signature.
    fileprivate func callback(_ terms: RewardTerms) -> PublisherCallback {
        PublisherCallback(
            adNetwork: terms.networkNumbers[presentation.network]
                ?? PublisherCallback.number(ofNetwork: presentation.network),
            adUnit: presentation.adUnit,
            customData: presentation.customData,
            amount: presentation.amount,
            item: presentation.item,
            timestamp: grantedAt ?? presentation.at,
            transaction: id,
            user: presentation.user
        )
    }
}
