import Glibc

/// A client of plain blocking sockets: what it sends and reads is exactly what the test says.
///
/// Its calls block a thread, for two seconds at most; run them off the server's loop.
final class RawClient: Sendable {
    let descriptor: Int32

    init?(port: Int, path: String? = nil) {
        let isLocal = path != nil
        descriptor = socket(isLocal ? AF_UNIX : AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var connected: Int32
        if let path {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            connected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(UInt16(port)).bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            connected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        if connected != 0 {
            Glibc.close(descriptor)
            return nil
        }
    }

    /// A client on the IPv6 loopback.
    init?(v6Port port: Int) {
        descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = in_port_t(UInt16(port)).bigEndian
        inet_pton(AF_INET6, "::1", &address.sin6_addr)
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
        if connected != 0 {
            Glibc.close(descriptor)
            return nil
        }
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Sends all of `text`; whether the kernel took it.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress.map { $0 + offset }, bytes.count - offset, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            offset += count
        }
        return true
    }

    /// Says that nothing more comes; reading goes on.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What is there now or comes first; `nil` at the end, or on an error, which `lastError` then tells.
    func read(limit: Int = 65536) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, limit, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    /// Reads until the other side closes; `reset` is true when it ended with an error.
    func readAll() -> (text: String, reset: Bool) {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count <= 0 { return (String(decoding: bytes, as: UTF8.self), count < 0) }
            bytes += buffer[..<count]
        }
    }

    /// Reads until `end` has come `count` times (or the connection ends).
    func read(until end: String, count: Int = 1) -> String {
        var text = ""
        while text.occurrences(of: end) < count {
            guard let bytes = read() else { break }
            text += String(decoding: bytes, as: UTF8.self)
        }
        return text
    }

    /// Reads one answer with a `Content-Length`.
    func readAnswer() -> Answer? {
        var bytes: [UInt8] = []
        while true {
            if let answer = Answer(bytes) { return answer }
            guard let more = read(limit: Answer.missing(bytes)) else { return nil }
            bytes += more
        }
    }
}

/// An answer, taken apart just enough for a test.
struct Answer: Equatable {
    let status: Int
    let head: String
    let body: String

    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        head = String(text[..<end.upperBound])
        body = String(text[end.upperBound...])
        guard let status = Int(head.dropFirst(9).prefix(3)) else { return nil }
        self.status = status
        if body.utf8.count < Self.length(head) { return nil }
    }

    /// How many bytes may be read without touching the next answer.
    static func missing(_ bytes: [UInt8]) -> Int {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return 1 }
        return max(1, length(String(text[..<end.upperBound])) - text[end.upperBound...].utf8.count)
    }

    private static func length(_ head: String) -> Int {
        let line = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
        return line.flatMap { Int($0.dropFirst(16)) } ?? 0
    }
}

extension String {
    func occurrences(of part: String) -> Int { ranges(of: part).count }
}
