import Glibc
import WeirTesting
import WeirTime

/// A network of blocking sockets and threads that does to each connection what its behaviour says.
///
/// It knows nothing of HTTP but the end of a head, so that it can send what no real server would.
final class HostileServer: Sendable {
    /// What is done to one connection; the path is empty for servers that read nothing first.
    typealias Behaviour = @Sendable (_ connection: HostileConnection, _ path: String) -> Void

    /// Why there is no server.
    struct CannotListen: Error {}

    let port: Int
    private let listener: Int32
    private let reads: Bool
    private let behaviour: Behaviour
    private let asked = Lock<[String]>([])
    private let accepted = Lock(0)

    /// Listens on an address of loopback.
    ///
    /// - Parameters:
    ///   - address: The address, 127.0.0.1 by default.
    ///   - port: The port; 0 lets the system choose.
    ///   - reads: Whether a request's head is read before the behaviour begins.
    ///   - behaviour: What is done.
    /// - Throws: When the address cannot be had.
    init(
        at address: UInt32 = 0x7F00_0001,
        port: Int = 0,
        reads: Bool = true,
        _ behaviour: @escaping Behaviour
    ) throws {
        self.reads = reads
        self.behaviour = behaviour
        (listener, self.port) = try Self.listen(address, port)
        detachThread { [self] in accept() }
    }

    /// A port at which nobody listens.
    static func closedPort() throws -> Int {
        let (descriptor, port) = try listen(0x7F00_0001, 0)
        close(descriptor)
        return port
    }

    /// The paths asked for so far.
    var paths: [String] { asked.withLock { $0 } }

    /// Connections accepted so far.
    var connections: Int { accepted.withLock { $0 } }

    /// Ends the listener; connections end with their behaviours.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept() {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor < 0 { break }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            accepted.withLock { $0 += 1 }
            let connection = HostileConnection(descriptor, port: port)
            detachThread { [self] in
                if reads {
                    while let path = connection.readPath() {
                        asked.withLock { $0.append(path) }
                        behaviour(connection, path)
                        if connection.isClosed { break }
                    }
                } else {
                    behaviour(connection, "")
                }
                connection.end()
            }
        }
        close(listener)
    }

    private static func listen(_ host: UInt32, _ port: Int) throws -> (Int32, Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = host.bigEndian
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let worked = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, 1024) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        if worked { return (descriptor, Int(UInt16(bigEndian: address.sin_port))) }
        close(descriptor)
        throw CannotListen()
    }
}

/// One accepted connection, in the hands of its thread.
final class HostileConnection: Sendable {
    private let descriptor: Lock<Int32>
    private let buffer = Lock<[UInt8]>([])
    private let port: Int

    init(_ descriptor: Int32, port: Int) {
        self.descriptor = Lock(descriptor)
        self.port = port
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    }

    var isClosed: Bool { socket < 0 }
    private var socket: Int32 { descriptor.withLock { $0 } }

    /// Reads a request's head; `nil` when the peer has closed.
    func readPath() -> String? {
        while true {
            let head: String? = buffer.withLock { buffer in
                guard let end = buffer.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
                defer { buffer.removeFirst(end) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            if let head {
                let words = head.split(separator: " ", maxSplits: 2)
                return words.count > 1 ? String(words[1].prefix { $0 != "?" }) : ""
            }
            guard readMore() else { return nil }
        }
    }

    /// Reads whatever comes until the peer closes.
    func readToEnd() { while readMore() {} }

    private func readMore() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &chunk, chunk.count, 0)
        if count > 0 { buffer.withLock { $0 += chunk[..<count] } }
        return count > 0
    }

    /// Writes; `false` when the peer has closed.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            done += count
        }
        return true
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Writes `piece` again and again until the peer has had enough, or 700 MB have left.
    func flood(_ piece: String, pause milliseconds: UInt32 = 0) {
        let bytes = Array(piece.utf8)
        var sent = 0
        while sent < 700 << 20, write(bytes) {
            sent += bytes.count
            if milliseconds > 0 { usleep(milliseconds * 1000) }
        }
        end()
    }

    /// A whole answer that keeps the connection; `{wire}` in it is the server's authority, `{port}` its port.
    func answer(_ body: [UInt8], _ lines: String = "Content-Type: application/xml\r\n", status: Int = 200) {
        func filled(_ text: String) -> String {
            text.replacing("{wire}", with: "127.0.0.1:\(port)").replacing("{port}", with: "\(port)")
        }
        let isText = body.first == UInt8(ascii: "<")
        let body = isText ? Array(filled(String(decoding: body, as: UTF8.self)).utf8) : body
        let lines = filled(lines)
        write(Array("HTTP/1.1 \(status) Text\r\n\(lines)Content-Length: \(body.count)\r\n\r\n".utf8) + body)
    }

    func pause(_ milliseconds: UInt32) { usleep(milliseconds * 1000) }

    /// Closes with a reset in place of an orderly end.
    func reset() {
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout.size(ofValue: hard)))
        end()
    }

    /// Closes; harmless the second time.
    func end() {
        let number = descriptor.withLock { descriptor in
            defer { descriptor = -1 }
            return descriptor
        }
        if number >= 0 { close(number) }
    }
}
