internal import WeirHTTP
internal import WeirRuntime
internal import WeirTime

/// Fake ad networks on loopback: they answer by a script, which may change while they run, and keep every hit.
///
/// Beside the script's paths there are `GET /_hits` (`?path=` narrows), `DELETE /_hits`, `GET /_script` (the paths) and
/// `POST /_script`, which sets the paths of its body and takes away those that are `null`.
///
/// ```swift
/// let sandbox = try await SandboxServer.start(script: SandboxScript(["/tag": SandboxReply(status: 204)]))
/// …
/// await sandbox.stop()
/// ```
public final class SandboxServer: Sendable {
    /// Where it listens: `http://127.0.0.1:8082`.
    public let baseURL: String
    /// The port.
    public let port: Int

    private let loop: EventLoop
    private let server: HTTPServer
    private let recorder: SandboxRecorder

    private init(loop: EventLoop, server: HTTPServer, recorder: SandboxRecorder, port: Int) {
        self.loop = loop
        self.server = server
        self.recorder = recorder
        self.port = port
        baseURL = "http://127.0.0.1:\(port)"
    }

    /// Starts the networks on a loop of their own; they listen on loopback only.
    ///
    /// - Parameters:
    ///   - port: The port; 0 lets the system choose.
    ///   - script: What they answer.
    /// - Returns: The running networks; ``stop()`` ends them.
    /// - Throws: An error whose description is one sentence, when the port is in use.
    public static func start(port: Int = 0, script: SandboxScript = .standard) async throws -> SandboxServer {
        let socket = try ListeningSocket.bind("127.0.0.1:\(port)")
        let loop = EventLoop()
        do { try loop.start() } catch {
            socket.close()
            throw error
        }
        let recorder = SandboxRecorder(clock: RuntimeClock())
        recorder.change(set: script)
        let requests = SandboxRequests(recorder: recorder, base: "http://127.0.0.1:\(socket.port)")
        var configuration = ServerConfiguration()
        // Everybody comes from one address here.
        configuration.maxConnectionsPerAddress = configuration.maxConnections
        let server = HTTPServer(loop: loop, configuration: configuration) { await requests.answer($0) }
        do { try await server.listen(socket) } catch {
            await loop.shutDown()
            throw error
        }
        return SandboxServer(loop: loop, server: server, recorder: recorder, port: socket.port)
    }

    /// Closes all connections and ends the loop.
    public func stop() async {
        await server.close()
        await loop.shutDown()
    }

    /// The hits so far, the oldest first, the sandbox's own paths left out; at most 10,000 are kept.
    public var hits: [SandboxHit] { recorder.hits }

    /// The hits of one path.
    public func hits(of path: String) -> [SandboxHit] { hits.filter { $0.path == path } }

    /// Forgets the hits.
    public func clearHits() { recorder.clearHits() }

    /// Sets paths, whose time begins now; the others stay.
    public func change(_ script: SandboxScript) { recorder.change(set: script) }

    /// Sets one path to one answer.
    public func change(_ path: String, to reply: SandboxReply) { change(SandboxScript([path: reply])) }

    /// Waits until `isTrue` says so of the hits, looking every ten milliseconds.
    ///
    /// - Returns: Whether it came true within `limit`.
    public func waitForHits(
        upTo limit: Duration = .seconds(30),
        _ isTrue: @Sendable ([SandboxHit]) -> Bool
    ) async throws -> Bool {
        let clock = RuntimeClock()
        let deadline = Deadline.after(limit, clock: clock)
        while !isTrue(hits) {
            if deadline.hasPassed(clock) { return false }
            try await clock.sleep(for: .milliseconds(10))
        }
        return true
    }
}
