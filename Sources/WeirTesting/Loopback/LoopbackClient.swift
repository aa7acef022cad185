internal import Glibc
public import WeirAdapterKit
internal import WeirTime

/// An HTTP client for tests, on plain sockets: it shares nothing with the code under test.
///
/// Every request has a connection and a thread of its own; a cancelled task closes the connection.
public struct LoopbackClient: Sendable {
    /// The port on 127.0.0.1.
    public var port: Int
    /// How long one read or write may take.
    public var patience: Duration

    /// A request that got no HTTP answer.
    public struct NoAnswer: Error, Sendable, CustomStringConvertible {
        /// What came instead.
        public var description: String
    }

    /// A client of the server on `port`.
    public init(port: Int, patience: Duration = .seconds(30)) {
        self.port = port
        self.patience = patience
    }

    /// Sends a GET.
    ///
    /// - Returns: The answer.
    /// - Throws: ``NoAnswer``, or why there was no connection.
    public func get(_ target: String, headers: [HTTPHeader] = []) async throws -> LoopbackReply {
        try await send("GET", target, headers: headers)
    }

    /// Sends a POST of JSON.
    ///
    /// - Returns: The answer.
    /// - Throws: ``NoAnswer``, or why there was no connection.
    public func post(_ target: String, json: String, headers: [HTTPHeader] = []) async throws -> LoopbackReply {
        let type = HTTPHeader("Content-Type", "application/json")
        return try await send("POST", target, headers: [type] + headers, body: Array(json.utf8))
    }

    /// Sends a request and reads its answer to the end of the connection.
    ///
    /// - Returns: The answer, possibly cut short; see ``LoopbackReply/isComplete``.
    /// - Throws: ``NoAnswer``, or why there was no connection.
    public func send(
        _ method: String,
        _ target: String,
        headers: [HTTPHeader] = [],
        body: [UInt8] = []
    ) async throws -> LoopbackReply {
        let bytes = try await exchange(head(method, target, headers, body) + body)
        guard let reply = LoopbackReply(bytes, isHead: method == "HEAD") else {
            throw NoAnswer(description: "\(method) \(target): \(bytes.count) bytes that are no HTTP answer")
        }
        return reply
    }

    /// Sends bytes as they are and returns all that comes until the other side closes.
    public func exchange(_ bytes: [UInt8]) async throws -> [UInt8] {
        try await onThread { socket in
            try socket.write(bytes)
            var received: [UInt8] = []
            while true {
                do {
                    let piece = try socket.read()
                    if piece.isEmpty { return received }
                    received += piece
                } catch {
                    // A reset behind an answer does not unmake it.
                    if received.isEmpty { throw error }
                    return received
                }
            }
        }
    }

    /// Sends a GET and reads lines of the answer's body until `isEnough` says so, then goes away.
    ///
    /// - Returns: All lines read, those of a chunked body's framing among them.
    public func lines(
        of target: String,
        headers: [HTTPHeader] = [],
        until isEnough: @escaping @Sendable ([String]) -> Bool
    ) async throws -> [String] {
        let request = head("GET", target, headers, [])
        return try await onThread { socket in
            try socket.write(request)
            var received: [UInt8] = []
            while true {
                let piece = try socket.read()
                received += piece
                let lines = received.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map { line in
                    String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
                }
                if piece.isEmpty || isEnough(lines) { return lines }
            }
        }
    }

    private func head(_ method: String, _ target: String, _ headers: [HTTPHeader], _ body: [UInt8]) -> [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"]
        if !body.isEmpty || method == "POST" || method == "PUT" { lines.append("Content-Length: \(body.count)") }
        lines += headers.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// Runs blocking work beside the tasks' threads, of which there may be two.
    private func onThread<Value: Sendable>(
        _ work: @escaping @Sendable (LoopbackSocket) throws -> Value
    ) async throws -> Value {
        let open = OpenSocket()
        let (port, patience) = (port, patience)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                detachThread {
                    continuation.resume(
                        with: Result {
                            let socket = try LoopbackSocket(port: port, patience: patience)
                            try open.set(socket)
                            return try work(socket)
                        }
                    )
                }
            }
        } onCancel: {
            open.cancel()
        }
    }
}

/// The connection of a request that may be cancelled before it is there.
private final class OpenSocket: Sendable {
    private let state = Lock<(socket: LoopbackSocket?, isCancelled: Bool)>((nil, false))

    func set(_ socket: LoopbackSocket) throws {
        let isCancelled = state.withLock { state in
            state.socket = socket
            return state.isCancelled
        }
        if isCancelled { throw CancellationError() }
    }

    func cancel() {
        let socket = state.withLock { state in
            state.isCancelled = true
            return state.socket
        }
        socket?.shutDown()
    }
}
