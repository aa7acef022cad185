package import WeirModel
package import WeirTime

/// Counts turns in memory, for a bounded number of keys.
///
/// Over the limit the key whose window began first is forgotten: a cap may then be passed, memory never grows.
package final class CapCounters: CapCounting {
    /// The most keys that are counted by default.
    package static let defaultLimit = 100_000

    private let limit: Int
    private let state = Lock(State())

    private struct State {
        var counters: [CapKey: Counter] = [:]
        /// Keys in the order in which their windows began; some have begun a later one since.
        var order: [(key: CapKey, serial: UInt64)] = []
        var oldest = 0
        var nextSerial: UInt64 = 0
        var forgotten = 0
    }

    private struct Counter {
        var window: Int64
        var kept = 0
        var reserved = 0
        var serial: UInt64
    }

    /// No turns taken yet.
    ///
    /// - Parameter limit: The most keys, at least 1.
    package init(limit: Int = CapCounters.defaultLimit) {
        self.limit = max(1, limit)
    }

    /// How many keys were forgotten to stay within the limit.
    package var forgotten: Int { state.withLock { $0.forgotten } }

    /// How many keys are counted.
    package var count: Int { state.withLock { $0.counters.count } }

    /// How many turns are left in the present window.
    package func remaining(_ key: CapKey, _ cap: FrequencyCap, now: WallTime) -> Int {
        let window = cap.window(at: now)
        return state.withLock { state in
            guard let counter = state.counters[key], counter.window == window else { return max(0, cap.count) }
            return max(0, cap.count - counter.kept - counter.reserved)
        }
    }

    /// Takes a turn; `nil` when there is none left.
    package func reserve(_ key: CapKey, _ cap: FrequencyCap, now: WallTime) -> CapReservation? {
        let window = cap.window(at: now)
        return state.withLock { state in
            if state.counters[key]?.window != window { begin(key, window, &state) }
            guard var counter = state.counters[key], counter.kept + counter.reserved < cap.count else { return nil }
            counter.reserved += 1
            state.counters[key] = counter
            return CapReservation(key: key, window: window)
        }
    }

    /// Keeps a turn; one of a window that is over, or of a key that was forgotten, changes nothing.
    package func commit(_ reservation: CapReservation) {
        settle(reservation, isKept: true)
    }

    /// Gives a turn back; one of a window that is over, or of a key that was forgotten, changes nothing.
    package func release(_ reservation: CapReservation) {
        settle(reservation, isKept: false)
    }

    private func settle(_ reservation: CapReservation, isKept: Bool) {
        state.withLock { state in
            guard var counter = state.counters[reservation.key], counter.window == reservation.window,
                counter.reserved > 0
            else { return }
            counter.reserved -= 1
            if isKept { counter.kept += 1 }
            state.counters[reservation.key] = counter
        }
    }

    private func begin(_ key: CapKey, _ window: Int64, _ state: inout State) {
        if state.counters[key] == nil, state.counters.count >= limit { forgetOldest(&state) }
        let serial = state.nextSerial
        state.nextSerial += 1
        state.counters[key] = Counter(window: window, serial: serial)
        state.order.append((key, serial))
        compact(&state)
    }

    private func forgetOldest(_ state: inout State) {
        while state.oldest < state.order.count {
            let (key, serial) = state.order[state.oldest]
            state.oldest += 1
            guard state.counters[key]?.serial == serial else { continue }
            state.counters[key] = nil
            state.forgotten += 1
            return
        }
    }

    /// Keeps the order no longer than twice the limit, by dropping what is outdated.
    private func compact(_ state: inout State) {
        guard state.order.count > 2 * limit else { return }
        state.order = state.order[state.oldest...].filter { state.counters[$0.key]?.serial == $0.serial }
        state.oldest = 0
    }
}
