import Glibc
import WeirRuntime
import WeirTime

/// A loopback server of blocking sockets and threads that does to each connection what its script says.
///
/// It knows nothing of HTTP but the end of a head, so it can send what no real server would.
final class ScriptedServer: Sendable {
    let port: UInt16
    private let listener: Int32
    private let script: @Sendable (Connection) -> Void
    private let log = Lock<[Connection]>([])

    /// Listens on 127.0.0.1, at a free port.
    init(_ script: @escaping @Sendable (Connection) -> Void) {
        self.script = script
        (listener, port) = Self.listen()
        Self.thread { [self] in accept() }
    }

    /// Ends the listener; connections end with their scripts.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// All connections so far.
    var connections: [Connection] { log.withLock { $0 } }

    /// All request heads so far, connection by connection.
    var heads: [String] { connections.flatMap(\.heads) }

    /// Whether all connections are closed, and whoever is at their other ends has been told.
    var hasLetGo: Bool { connections.allSatisfy(\.isClosed) }

    func url(_ path: String = "/", host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }

    /// A port at which nobody listens.
    static func closedPort() -> UInt16 {
        let (descriptor, port) = listen()
        close(descriptor)
        return port
    }

    private static func listen() -> (Int32, UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                precondition(bind(descriptor, address, length) == 0, "bind failed: descriptors may have run out")
                precondition(Glibc.listen(descriptor, 1024) == 0)
                precondition(getsockname(descriptor, address, &length) == 0)
            }
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    private func accept() {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor < 0 { break }
            // A child that another test starts would hold the connection open after it was closed here.
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let connection = Connection(descriptor)
            log.withLock { $0.append(connection) }
            Self.thread { [script] in
                script(connection)
                connection.end()
            }
        }
        close(listener)
    }

    private static func thread(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        let code = pthread_create(
            &thread,
            nil,
            { context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            },
            Unmanaged.passRetained(Box(body)).toOpaque()
        )
        precondition(code == 0)
        pthread_detach(thread)
    }
}

extension ScriptedServer {
    /// One accepted connection, in the hands of its thread.
    final class Connection: Sendable {
        private struct State {
            var descriptor: Int32
            var isEnding = false
            var heads: [String] = []
            var buffer: [UInt8] = []
            var ended: ContinuousClock.Instant?
        }

        private let state: Lock<State>

        init(_ descriptor: Int32) {
            state = Lock(State(descriptor: descriptor))
        }

        /// Request heads read so far.
        var heads: [String] { state.withLock { $0.heads } }
        /// When the peer was seen to have closed.
        var ended: ContinuousClock.Instant? { state.withLock { $0.ended } }
        /// Whether the script has ended.
        var isClosed: Bool { descriptor < 0 }
        private var descriptor: Int32 { state.withLock { $0.descriptor } }

        /// Reads up to the blank line; `nil` when the peer closes first.
        func readHead() -> String? {
            while true {
                let head: String? = state.withLock { state in
                    guard let end = state.buffer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
                    let text = String(decoding: state.buffer[..<end], as: UTF8.self)
                    state.buffer.removeFirst(end)
                    state.heads.append(text)
                    return text
                }
                if let head { return head }
                guard fill() else { return nil }
            }
        }

        /// Reads `count` bytes of a body.
        func readBody(_ count: Int) -> [UInt8]? {
            while state.withLock({ $0.buffer.count }) < count { guard fill() else { return nil } }
            return state.withLock { state in
                defer { state.buffer.removeFirst(count) }
                return Array(state.buffer[..<count])
            }
        }

        /// Reads whatever comes until the peer closes.
        func readToEnd() { while fill() {} }

        private func fill() -> Bool {
            var chunk = [UInt8](repeating: 0, count: 4096)
            let count = recv(descriptor, &chunk, chunk.count, 0)
            state.withLock { state in
                if count > 0 { state.buffer += chunk[..<count] } else { state.ended = .now }
            }
            return count > 0
        }

        /// Writes; `false` when the peer has closed.
        @discardableResult
        func write(_ bytes: [UInt8]) -> Bool {
            var done = 0
            while done < bytes.count {
                let count = bytes[done...].withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if count <= 0 { return false }
                done += count
            }
            return true
        }

        @discardableResult
        func write(_ text: String) -> Bool { write(Array(text.utf8)) }

        /// A whole answer.
        func answer(_ status: Int = 200, _ headers: [String] = [], _ body: [UInt8] = []) {
            var head = "HTTP/1.1 \(status) Text\r\nContent-Length: \(body.count)\r\n"
            for header in headers { head += header + "\r\n" }
            write(Array((head + "\r\n").utf8) + body)
        }

        func pause(_ milliseconds: UInt32) { usleep(milliseconds * 1000) }

        /// Closes with a reset in place of an orderly end.
        func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
            end(gently: false)
        }

        /// Closes; harmless the second time.
        func end(gently: Bool = true) {
            let descriptor: Int32 = state.withLock { state in
                defer { state.isEnding = true }
                return state.isEnding ? -1 : state.descriptor
            }
            guard descriptor >= 0 else { return }
            if gently {
                shutdown(descriptor, Int32(SHUT_WR))
                waitUntilHeard()
            }
            close(descriptor)
            state.withLock { $0.descriptor = -1 }
        }

        /// Waits, a second at most, until everything written, and the end, has reached the other side's kernel.
        ///
        /// A write and a close return a moment earlier when the machine is busy.
        func waitUntilHeard() {
            for _ in 0..<1000 {
                var left: Int32 = 0
                if ioctl(descriptor, UInt(TIOCOUTQ), &left) != 0 || left == 0 { return }
                pause(1)
            }
        }
    }
}
