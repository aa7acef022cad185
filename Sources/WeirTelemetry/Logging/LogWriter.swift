internal import Synchronization
internal import WeirJSON
package import WeirTime

/// Formats and writes log events on a thread of its own, behind a bounded queue.
///
/// ``submit(_:)`` never blocks. When the sink cannot keep up, the newest events are dropped and counted, and the next
/// batch ends with a `log.dropped` line that says how many.
package final class LogWriter: Sendable {
    /// Where finished lines go: whole lines, one or many, on the writer's thread; may block.
    package typealias Sink = @Sendable ([UInt8]) -> Void

    /// The bounds of a writer.
    package struct Limits: Hashable, Sendable {
        /// Events that may wait.
        package var events = 8192

        /// Bytes of text that may wait, over all events.
        package var queuedBytes = 4 << 20

        /// The longest line, at least 1024; a longer one loses its fields and the end of its message.
        package var lineBytes = 8192

        /// The limits a server wants.
        package init() {}
    }

    private struct Queue {
        var events: [LogEvent] = []
        var bytes = 0
        var droppedSinceReport = 0
        var waiters: [UnsafeContinuation<Void, Never>] = []
        var isClosed = false
        var hasEnded = false
    }

    private let queue = Lock(Queue())
    private let dropped = Atomic<Int>(0)
    private let bell = Doorbell()
    private let limits: Limits
    private let formatter: LogLineFormatter
    private let sink: Sink
    private let clock: any GatewayClock

    /// A writer whose thread runs until ``close()``.
    package init(
        format: LogFormat = .json,
        redactor: Redactor,
        clock: any GatewayClock,
        limits: Limits = Limits(),
        sink: @escaping Sink = LogWriter.standardError
    ) {
        self.limits = limits
        self.sink = sink
        self.clock = clock
        formatter = LogLineFormatter(format: format, redactor: redactor, lineBytes: max(1024, limits.lineBytes))
        if !WorkerThread.start({ self.work() }) {
            // Without a thread nothing will ever be written; what is submitted is counted as dropped.
            queue.withLock { queue in
                queue.isClosed = true
                queue.hasEnded = true
            }
        }
    }

    /// How many events were dropped so far.
    package var droppedCount: Int { dropped.load(ordering: .relaxed) }

    /// Hands over an event; returns at once.
    package func submit(_ event: LogEvent) {
        let size = event.queuedBytes
        let isFirst: Bool? = queue.withLock { queue in
            guard !queue.isClosed, queue.events.count < limits.events, queue.bytes + size <= limits.queuedBytes else {
                queue.droppedSinceReport += 1
                return nil
            }
            queue.events.append(event)
            queue.bytes += size
            return queue.events.count == 1
        }
        switch isFirst {
        case nil: dropped.wrappingAdd(1, ordering: .relaxed)
        case true?: bell.ring()
        case false?: break
        }
    }

    /// Returns when everything submitted before has gone to the sink.
    ///
    /// A sink that blocks for ever blocks this too: wait for it with `race(until:clock:)`.
    package func flush() async {
        await withUnsafeContinuation { waiter in
            let hasEnded = queue.withLock { queue in
                if !queue.hasEnded { queue.waiters.append(waiter) }
                return queue.hasEnded
            }
            if hasEnded { waiter.resume() } else { bell.ring() }
        }
    }

    /// Writes what waits, then ends the thread; later events are dropped and counted.
    package func close() async {
        queue.withLock { $0.isClosed = true }
        await flush()
    }

    /// The writer's thread.
    private func work() {
        while true {
            let batch = queue.withLock { queue in
                let batch = queue
                queue.events = []
                queue.events.reserveCapacity(min(batch.events.count, 256))
                queue.bytes = 0
                queue.droppedSinceReport = 0
                queue.waiters = []
                return batch
            }
            write(batch)
            for waiter in batch.waiters { waiter.resume() }
            if batch.isClosed { return end() }
            if batch.events.isEmpty { bell.wait(atMost: .seconds(60)) }
        }
    }

    private func end() {
        let late = queue.withLock { queue in
            queue.hasEnded = true
            return queue.waiters
        }
        for waiter in late { waiter.resume() }
    }

    /// Lines go out in pieces of about 64 KiB, what a pipe takes at once.
    private func write(_ batch: Queue) {
        var lines: [UInt8] = []
        for event in batch.events {
            lines += formatter.line(event)
            if lines.count >= 65_536 {
                sink(lines)
                lines.removeAll(keepingCapacity: true)
            }
        }
        if batch.droppedSinceReport > 0 { lines += formatter.line(droppedEvent(batch.droppedSinceReport)) }
        if !lines.isEmpty { sink(lines) }
    }

    private func droppedEvent(_ count: Int) -> LogEvent {
        LogEvent(
            time: clock.wallNow,
            level: .warning,
            name: "log.dropped",
            message: "The log could not keep up; \(count) events were dropped.",
            fields: ["count": .int(count)]
        )
    }
}

extension LogEvent {
    /// About how much memory the event holds while it waits.
    fileprivate var queuedBytes: Int {
        128 + name.utf8.count + message.utf8.count
            + fields.list.reduce(0) { sum, field in
                let text =
                    switch field.value {
                    case .url(let url): url.utf8.count
                    case .shown(let value): value.string?.utf8.count ?? 64
                    case .secret: 0
                    }
                return sum + 64 + field.name.utf8.count + text
            }
    }
}
