internal import Glibc
internal import WeirAPI
internal import WeirMediation
internal import WeirModel
internal import WeirRuntime
internal import WeirTelemetry

extension GatewayServer {
    /// Serves until SIGTERM or SIGINT, reloads on SIGHUP, then drains.
    ///
    /// - Returns: Good when no request was cut off.
    func serveUntilStopped() async -> ExitCode {
        let (stops, stop) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(1))
        let signals: [LoopSignal]
        do { signals = try await watchSignals(stop) } catch {
            complain("weir: signals cannot be watched: \(error).")
            return .no
        }
        for await _ in stops { break }
        let cutOff = await drain()
        withExtendedLifetime(signals) {}
        guard cutOff == 0 else {
            complain("weir: \(cutOff) requests were cut off after server.drain_ms.")
            return .no
        }
        return .good
    }

    private func watchSignals(
        _ stop: AsyncStream<Int32>.Continuation
    ) async throws(RuntimeFailure) -> [LoopSignal] {
        let loop = loops.loops[0]
        let desk = desk
        return try await loop.perform { () async throws(RuntimeFailure) -> [LoopSignal] in
            [
                try LoopSignal(loop: loop, signal: SIGTERM) { stop.yield(SIGTERM) },
                try LoopSignal(loop: loop, signal: SIGINT) { stop.yield(SIGINT) },
                try LoopSignal(loop: loop, signal: SIGHUP) {
                    // Unstructured: a signal has no caller; the desk lets one reload through at a time.
                    Task(executorPreference: loop) { _ = await desk.reload() }
                },
            ]
        }
    }

    /// The body of `GET /v1/adapters`, or of one network's address; `nil` when there is no such network.
    func adaptersJSON(_ network: String?) -> [UInt8]? {
        let snapshot = adapters.snapshot.redacted(by: telemetry.redactor)
        guard let network else { return snapshot.json }
        return snapshot.status(of: NetworkID(network))?.json
    }
}
