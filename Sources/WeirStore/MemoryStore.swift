package import WeirTime

/// Keeps the newest decisions in memory, for a gateway without a disk and for tests.
package final class MemoryStore: DecisionStore {
    private struct State {
        /// The newest are at the end; those before `start` are pruned and go when they are the half.
        var records: [DecisionRecord] = []
        var start = 0
        var known: Set<String> = []
        var bytes = 0
        var status = StoreStatus()

        var kept: ArraySlice<DecisionRecord> { records[start...] }

        mutating func append(_ record: DecisionRecord) {
            guard known.insert(record.requestID).inserted else { return }
            records.append(record)
            bytes += record.size
        }

        mutating func removeOldest() {
            let oldest = records[start]
            known.remove(oldest.requestID)
            bytes -= oldest.size
            records[start].body = []
            start += 1
            if 2 * start > records.count {
                records.removeFirst(start)
                start = 0
            }
        }
    }

    private let state = Lock(State())
    private let configuration: StoreConfiguration

    /// An empty store; it keeps at most `retainedRecords` decisions and `queuedBytes` bytes of them.
    package init(configuration: StoreConfiguration = StoreConfiguration()) {
        self.configuration = configuration
    }

    /// Keeps a decision, unless its request is known or it is too large.
    package func record(_ decision: DecisionRecord) {
        let size = decision.size
        state.withLock { state in
            guard size <= min(configuration.recordBytes, configuration.queuedBytes) else {
                state.status.lost += 1
                return
            }
            state.status.written += 1
            state.append(decision)
            while state.kept.count > configuration.retainedRecords || state.bytes > configuration.queuedBytes {
                state.removeOldest()
            }
        }
    }

    /// How the store is doing.
    package var status: StoreStatus { state.withLock { $0.status } }

    /// The newest decisions that pass `filter`, newest first.
    package func recent(_ filter: DecisionFilter) async throws(StoreError) -> [DecisionRecord] {
        let records = state.withLock { $0.kept }
        return Array(records.reversed().lazy.filter(filter.accepts).prefix(filter.limit))
    }

    /// The decision on one request, when it is still kept.
    package func decision(requestID: String) async throws(StoreError) -> DecisionRecord? {
        state.withLock { state in state.kept.last { $0.requestID == requestID } }
    }

    /// Nothing ever waits here.
    package func flush(until deadline: Deadline, clock: any GatewayClock) async -> Bool { true }

    /// Nothing is held open here.
    package func close() async {}
}
