internal import Glibc
internal import WeirAPI
internal import WeirConfig
internal import WeirMediation
internal import WeirModel
internal import WeirRuntime
internal import WeirTelemetry
internal import WeirTime

extension GatewayServer {
    /// How long a gateway that was told to go may take beyond `server.drain_ms`, whatever hangs.
    private static let patience: Duration = .seconds(20)

    /// Serves until SIGTERM or SIGINT, reloads on SIGHUP, then drains; a second SIGTERM or SIGINT ends it at once.
    ///
    /// - Returns: Good when no request was cut off.
    func serveUntilStopped() async -> ExitCode {
        let (stops, stop) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        let signals: [LoopSignal]
        do { signals = try await watchSignals(stop) } catch {
            complain("weir: signals cannot be watched: \(error).")
            return .no
        }
        for await _ in stops { break }
        leaveInAnyCase()
        let cutOff = await drain()
        withExtendedLifetime(signals) {}
        guard cutOff == 0 else {
            complain("weir: \(cutOff) requests were cut off after server.drain_ms.")
            return .no
        }
        return .good
    }

    private func watchSignals(
        _ stop: AsyncStream<Void>.Continuation
    ) async throws(RuntimeFailure) -> [LoopSignal] {
        let loop = loops.loops[0]
        let desk = desk
        let isAsked = Flag()
        let leave: @Sendable () -> Void = {
            if isAsked.isRaised { Self.leaveAtOnce("weir: told to go twice.") }
            isAsked.raise()
            stop.yield()
        }
        return try await loop.perform { () async throws(RuntimeFailure) -> [LoopSignal] in
            [
                try LoopSignal(loop: loop, signal: SIGTERM, action: leave),
                try LoopSignal(loop: loop, signal: SIGINT, action: leave),
                try LoopSignal(loop: loop, signal: SIGHUP) {
                    // Unstructured: a signal has no caller; the desk lets one reload through at a time.
                    Task(executorPreference: loop) { _ = await desk.reload() }
                },
            ]
        }
    }

    /// An operator's word counts even when something hangs that should not: a thread that needs nobody else sees to it.
    private func leaveInAnyCase() {
        let limit = settings.drain + Self.patience
        _ = WorkerThread.start {
            let seconds = limit.components.seconds
            sleep(UInt32(clamping: seconds))
            Self.leaveAtOnce("weir: not ended \(seconds) s after it was told to; this is a fault of Weir.")
        }
    }

    private static func leaveAtOnce(_ words: String) -> Never {
        // What hangs may be whoever reads our standard error.
        var errors = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        if poll(&errors, 1, 0) == 1 { complain(words) }
        _exit(ExitCode.no.rawValue)
    }

    /// The body of `GET /v1/adapters`, or of one network's address; `nil` when there is no such network.
    func adaptersJSON(_ network: String?) -> [UInt8]? {
        let snapshot = adapters.snapshot.redacted(by: telemetry.redactor)
        guard let network else { return snapshot.json }
        return snapshot.status(of: NetworkID(network))?.json
    }
}
