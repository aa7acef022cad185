import WeirRuntime
import WeirTime

@testable import WeirHTTP

/// A server on a loop of its own, listening on loopback, for the length of one test.
struct LiveServer: Sendable {
    let loop: EventLoop
    let server: HTTPServer
    let port: Int
    let notes: Notes

    /// Runs `body` with a server whose routes are those of `answer(_:notes:)`.
    static func run(
        configuration: ServerConfiguration = ServerConfiguration(),
        _ body: @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let loop = EventLoop()
        try loop.start()
        let notes = Notes()
        let server = HTTPServer(loop: loop, configuration: configuration) { request in
            await answer(request, notes: notes)
        }
        do {
            let socket = try ListeningSocket.bind("127.0.0.1:0")
            try await server.listen(socket)
            try await body(LiveServer(loop: loop, server: server, port: socket.port, notes: notes))
        } catch {
            await loop.shutDown()
            throw error
        }
        await loop.shutDown()
    }

    /// Runs blocking client code on a thread where it may block.
    func client<Value: Sendable>(_ body: @escaping @Sendable (RawClient) throws -> Value) async throws -> Value {
        let port = port
        return try await offPool {
            guard let client = RawClient(port: port) else { throw NoConnection() }
            return try body(client)
        }
    }

    /// Waits, twenty seconds at most, until `condition` holds.
    func eventually(_ condition: @Sendable () async -> Bool) async -> Bool {
        for _ in 0..<4000 {
            if await condition() { return true }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return await condition()
    }

    func open() async -> Int { await server.readStatistics().open }
}

struct NoConnection: Error {}

/// Blocking work on a thread of its own: the pool has few, and its other tests would wait.
func offPool<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        _ = Thread { continuation.resume(with: Result { try body() }) }
    }
}

/// What handlers saw.
final class Notes: Sendable {
    private let words = Lock<[String]>([])

    var all: [String] { words.withLock { $0 } }

    func add(_ word: String) { words.withLock { $0.append(word) } }
}

private func answer(_ request: ServerRequest, notes: Notes) async -> ServerResponse {
    notes.add("\(request.method) \(request.path)")
    switch request.path {
    case "/echo":
        return ServerResponse(status: 200, headers: [("Content-Type", "text/plain")], body: .bytes(request.body))
    case "/slow":
        do {
            try await RuntimeClock().sleep(for: .seconds(600))
            return ServerResponse(status: 200)
        } catch {
            notes.add("cancelled")
            return ServerResponse(status: 503, contentType: "text/plain", text: "cancelled")
        }
    case "/wait":
        // Answers after as many milliseconds as the query says, cancelled or not.
        let end = ContinuousClock.now.advanced(by: .milliseconds(Int(request.query ?? "") ?? 0))
        while ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(2)); await Task.yield() }
        return ServerResponse(status: 200, contentType: "text/plain", text: request.query ?? "")
    case "/large":
        return ServerResponse(status: 200, body: .bytes([UInt8](repeating: 120, count: Int(request.query ?? "") ?? 0)))
    case "/stream":
        return ServerResponse(
            status: 200,
            headers: [("Content-Type", "text/event-stream")],
            body: .stream { writer in
                for number in 0..<(Int(request.query ?? "") ?? 0) where await !writer.write("data: \(number)\n\n") {
                    notes.add("gone")
                    return
                }
            }
        )
    case "/flood":
        return ServerResponse(
            status: 200,
            body: .stream { writer in
                var sent = 0
                while await writer.write([UInt8](repeating: 121, count: 16384)) {
                    sent += 1
                    if sent > 2000 { break }
                }
                notes.add("flood \(sent)")
            }
        )
    case "/sse":
        return ServerResponse(
            status: 200,
            body: .stream { writer in
                while await writer.write("data: tick\n\n") {
                    if (try? await RuntimeClock().sleep(for: .milliseconds(5))) == nil { break }
                }
                notes.add("sse over")
            }
        )
    case "/declared":
        // Declares five bytes and writes as many as the query says.
        return ServerResponse(
            status: 200,
            headers: [("Content-Length", "5")],
            body: .stream { writer in
                let bytes = [UInt8](repeating: 122, count: Int(request.query ?? "") ?? 0)
                notes.add("wrote \(await writer.write(bytes))")
            }
        )
    case "/abort":
        return ServerResponse(
            status: 200,
            body: .stream { writer in
                await writer.write("begun")
                writer.abort()
            }
        )
    case "/close-now":
        return ServerResponse(
            status: 200,
            body: .stream { writer in
                await writer.write("begun")
                writer.closeNow()
                notes.add("after close \(await writer.write("more"))")
            }
        )
    case "/raw":
        return ServerResponse(status: 200, body: .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort".utf8)))
    case "/header":
        let text = request.headers.pairs.map { "\($0.name)=\($0.value)" }.joined(separator: ";")
        return ServerResponse(status: 200, contentType: "text/plain", text: text + ";peer=" + request.peerAddress)
    default:
        return ServerResponse(status: 200, contentType: "text/plain", text: request.path)
    }
}
