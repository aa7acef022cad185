internal import Glibc

/// A blocking TCP connection to this machine; every call is bounded by the time given at the start.
final class LoopbackSocket: Sendable {
    /// What went wrong with a connection.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let descriptor: Int32

    /// Connects to `127.0.0.1:port`.
    init(port: Int, patience: Duration) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Self.failure("socket") }
        var limit = timeval()
        limit.tv_sec = Int(patience.components.seconds)
        limit.tv_usec = Int(patience.components.attoseconds / 1_000_000_000_000)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // What throws here has been initialized whole, so `deinit` closes the descriptor.
        guard code == 0 else { throw Self.failure("connect to 127.0.0.1:\(port)") }
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Sends all of `bytes`.
    func write(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Self.failure("send") }
            sent += count
        }
    }

    /// Waits for more; empty at the end.
    func read() throws -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count >= 0 else { throw Self.failure("recv") }
        return Array(piece[..<count])
    }

    /// Ends both directions at once: what waits in `read` returns.
    func shutDown() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    private static func failure(_ call: String) -> Failure {
        Failure(description: "\(call): \(String(cString: strerror(errno)))")
    }
}
