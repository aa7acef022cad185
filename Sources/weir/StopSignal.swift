internal import Glibc
internal import WeirRuntime

/// SIGINT and SIGTERM for commands that run until they are told to stop.
enum StopSignal {
    /// Returns when one of them comes; at once when signals cannot be watched.
    static func wait() async {
        let loop = EventLoop()
        do { try loop.start() } catch { return }
        let (stops, stop) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        let signals = await loop.perform { () async -> [LoopSignal] in
            [SIGINT, SIGTERM].compactMap { signal in
                try? LoopSignal(loop: loop, signal: signal) { stop.yield() }
            }
        }
        if !signals.isEmpty { for await _ in stops { break } }
        withExtendedLifetime(signals) {}
        await loop.shutDown()
    }
}
