internal import WeirRuntime
package import WeirTime

/// How far a server has come on its way out.
struct DrainState {
    enum Step: Int {
        case serving
        /// Answers say `Connection: close`; new connections are still accepted.
        case announced
        /// Listeners and idle connections are closed.
        case closing
    }

    var step = Step.serving
    /// When the listeners closed, in turn time.
    var closingSince: UInt64 = 0
    private var waiters: [(ticket: UInt64, continuation: UnsafeContinuation<Void, Never>)] = []

    mutating func wait(_ ticket: UInt64, _ continuation: UnsafeContinuation<Void, Never>) {
        waiters.append((ticket, continuation))
    }

    mutating func noteClosed(left: Int) {
        if left > 0 || waiters.isEmpty { return }
        let done = waiters
        waiters = []
        for waiter in done { waiter.continuation.resume() }
    }

    mutating func giveUp() {
        noteClosed(left: 0)
    }
}

extension HTTPServer {
    /// Whether answers say `Connection: close` by now.
    var isDraining: Bool { drain.step != .serving }
    /// Whether connections without a request are being closed.
    var isClosingIdle: Bool { drain.step == .closing }

    /// Step one: every answer from now on closes its connection, but new connections and requests are still served.
    package func beginDrain() {
        loop.submit { [self] in
            if drain.step == .serving { drain.step = .announced }
        }
    }

    /// Step two: what the kernel has queued is accepted, then the listeners are closed and so is what is idle.
    ///
    /// Takes about 20 ms, in which begun handshakes end. Stop all the servers that share a port at the same time.
    /// A connection that has not asked anything yet is spared for half a second: its request may be on its way.
    package func stopListening() async {
        await loop.perform { () async -> Void in
            if drain.step == .closing { return }
            for listener in listeners { listener.holdNewcomersOff() }
            // Cancelled, it ends early: the listeners are closed all the same.
            try? await loop.sleep(until: .now.advanced(by: ServerConfiguration.handshakeGrace))
            if drain.step == .closing { return }
            drain.step = .closing
            drain.closingSince = loop.turnTime
            for listener in listeners {
                for stream in listener.acceptAll() where limits.reserve(beyond: true) { adopt(stream) }
                listener.close()
            }
            listeners = []
            pausedListeners = []
            closeIdleConnections()
        }
    }

    /// Step three: waits until every connection has ended, or `deadline` has come; then closes the rest.
    ///
    /// Returns how many requests were cut off.
    @discardableResult
    package func finish(by deadline: Deadline, clock: any GatewayClock) async -> Int {
        beginDrain()
        await stopListening()
        let timer = Task(executorPreference: loop) { [self] in
            // A cancelled sleep means that all have ended.
            guard (try? await clock.sleep(until: deadline.instant)) != nil else { return }
            drain.giveUp()
        }
        await withUnsafeContinuation { (waiter: UnsafeContinuation<Void, Never>) in
            loop.submit { [self] in
                drain.wait(0, waiter)
                drain.noteClosed(left: connections.count)
            }
        }
        timer.cancel()
        return await close()
    }

    /// Ends at once: listeners and all connections; returns how many requests were cut off.
    @discardableResult
    package func close() async -> Int {
        await loop.perform { () async -> Int in
            drain.step = .closing
            for listener in listeners { listener.close() }
            listeners = []
            pausedListeners = []
            let cutOff = connections.count { $0.phase == .answering || $0.phase == .flushing }
            for connection in connections.reversed() { connection.close() }
            sweeper = nil
            return cutOff
        }
    }

    /// Says good-bye to connections that wait for a request and show no sign of one.
    func closeIdleConnections() {
        let grace = UInt64(configuration.firstRequestGrace.milliseconds)
        let spares = loop.turnTime < drain.closingSince &+ grace
        for connection in connections.reversed() where connection.isIdle {
            if connection.servedRequests == 0 && spares { continue }
            if connection.stream.hasUnreadBytes { continue }
            connection.finishGently()
        }
    }
}
