internal import WeirHTTP
internal import WeirMediation
internal import WeirModel
internal import WeirTelemetry
internal import WeirTime

/// The adapters: read, watched, restarted.
extension Services {
    /// How often a watcher hears of adapters that are still starting, whose waiting time grows.
    static let watchTick: Duration = .seconds(1)

    func listAdapters(_ call: RoutedCall) -> ServerResponse {
        guard let watch = call.query["watch"], watch != "0" else {
            return .json(adapters.snapshot.redacted(by: redactor).json)
        }
        let (adapters, clock, draining, redactor) = (adapters, clock, draining, redactor)
        return ServerResponse(
            status: 200,
            headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")],
            body: .stream { writer in await Self.watch(adapters, redactor, clock: clock, writer, until: draining) }
        )
    }

    /// Sends the whole snapshot at once, on every change, and each second while somebody is starting.
    ///
    /// Ends when the client goes away, which cancels the task, and as soon as the gateway begins to leave. The children
    /// only ring; this task alone writes.
    private static func watch(
        _ adapters: AdapterRegistry,
        _ redactor: Redactor,
        clock: any GatewayClock,
        _ writer: BodyWriter,
        until draining: Flag
    ) async {
        let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        bell.yield()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in adapters.changes() { bell.yield() }
            }
            group.addTask {
                // A sleep fails when the task is cancelled, and with nothing else.
                while (try? await clock.sleep(for: watchTick)) != nil { bell.yield() }
            }
            group.addTask {
                await draining.wait()
                bell.yield()
            }
            var last: AdaptersSnapshot?
            for await _ in rings {
                let snapshot = adapters.snapshot.redacted(by: redactor)
                let isStarting = snapshot.adapters.contains { $0.state == .starting }
                // A comment keeps proxies from closing a quiet stream (HTML §9.2.7).
                let text = isStarting || !snapshot.isSame(as: last) ? event(snapshot) : Array(":\n\n".utf8)
                last = snapshot
                guard await writer.write(text), !draining.isRaised else { break }
            }
            group.cancelAll()
        }
    }

    private static func event(_ snapshot: AdaptersSnapshot) -> [UInt8] {
        Array("event: adapters\ndata: ".utf8) + snapshot.json + Array("\n\n".utf8)
    }

    func adapter(_ call: RoutedCall) throws(Problem) -> ServerResponse {
        .json(try status(of: call).json)
    }

    func restartAdapter(_ call: RoutedCall) throws(Problem) -> ServerResponse {
        try change(call) { adapters.restart($0) }
    }

    func enableAdapter(_ call: RoutedCall) throws(Problem) -> ServerResponse {
        try change(call) { adapters.enable($0) }
    }

    func disableAdapter(_ call: RoutedCall) throws(Problem) -> ServerResponse {
        try change(call) { adapters.disable($0) }
    }

    private func change(_ call: RoutedCall, _ action: (NetworkID) -> Void) throws(Problem) -> ServerResponse {
        action(try status(of: call).network)
        return .json(try status(of: call).json)
    }

    private func status(of call: RoutedCall) throws(Problem) -> AdapterStatus {
        let id = NetworkID(call.segments[0])
        guard let status = adapters.snapshot.status(of: id) else { throw .notFound("network \(id.text.prefix(64))") }
        return status.redacted(by: redactor)
    }
}

extension AdaptersSnapshot {
    /// Whether nothing but time has passed since `other`.
    fileprivate func isSame(as other: AdaptersSnapshot?) -> Bool {
        guard let other else { return false }
        return adapters == other.adapters && initialization.isComplete == other.initialization.isComplete
    }
}
