// The C structs of the socket headers belong to whichever C module the compiler has met first.
internal import CCurl
internal import CUV
internal import Glibc
internal import WeirRuntime

/// Why an address cannot be listened on.
package struct BindFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reasons that somebody can do something about.
    package enum Code: Hashable, Sendable {
        /// Somebody else listens there.
        case portInUse
        /// Ports below 1024, or a directory that cannot be written.
        case notPermitted
        /// The text is no address, or no address of this machine.
        case badAddress
        /// Anything else.
        case other
    }

    /// The reason, for programs.
    package let code: Code
    /// One sentence, for people.
    package let reason: String

    /// The reason.
    package var description: String { reason }

    init(code: Code, reason: String) {
        self.code = code
        self.reason = reason
    }

    init(errno number: Int32, address: String) {
        switch number {
        case EADDRINUSE:
            self.init(code: .portInUse, reason: "\(address) is already in use by another program.")
        case EACCES, EPERM:
            self.init(code: .notPermitted, reason: "This user may not listen on \(address).")
        case EADDRNOTAVAIL, EAFNOSUPPORT, ENOENT, ENOTDIR:
            self.init(code: .badAddress, reason: "\(address) is not an address of this machine.")
        default:
            self.init(code: .other, reason: "Cannot listen on \(address): \(String(cString: strerror(number))).")
        }
    }
}

/// A bound socket that a server can listen on; whoever holds it closes it, unless a server has taken it over.
package struct ListeningSocket: Sendable {
    /// The descriptor.
    package let descriptor: Int32
    /// Where it listens, with the port that the system chose.
    package let address: ListenAddress

    /// The port; 0 for a local socket.
    package var port: Int { Int(address.port) }

    var kind: LoopStream.Kind {
        if case .unix = address { .local } else { .tcp }
    }

    /// Binds and listens on `text`; see ``ListenAddress`` for its forms.
    ///
    /// A local socket that a dead process left behind is replaced.
    package static func bind(_ text: String) throws(BindFailure) -> ListeningSocket {
        try bind(parse(text), sharesPort: false)
    }

    /// `count` sockets on one address, one per event loop, between which the kernel deals connections.
    ///
    /// The port must be free: sharing hides a stranger on it, so it is first bound alone.
    package static func bind(_ text: String, count: Int) throws(BindFailure) -> [ListeningSocket] {
        let address = try parse(text)
        let alone = try bind(address, sharesPort: false)
        if count <= 1 { return [alone] }
        if case .unix = address { return try duplicate(alone, count: count) }
        alone.close()
        var sockets: [ListeningSocket] = []
        do throws(BindFailure) {
            for _ in 0..<count { sockets.append(try bind(alone.address, sharesPort: true)) }
        } catch {
            for socket in sockets { socket.close() }
            throw error
        }
        return sockets
    }

    /// Gives the socket back.
    package func close() {
        Glibc.close(descriptor)
    }

    private static func parse(_ text: String) throws(BindFailure) -> ListenAddress {
        guard let address = ListenAddress(text) else {
            throw BindFailure(
                code: .badAddress,
                reason: "\"\(text)\" is not an address to listen on: write 127.0.0.1:8080, [::1]:8080 or unix:/path."
            )
        }
        return address
    }

    private static func bind(_ address: ListenAddress, sharesPort: Bool) throws(BindFailure) -> ListeningSocket {
        let family =
            switch address {
            case .ipv4: AF_INET
            case .ipv6: AF_INET6
            case .unix: AF_UNIX
            }
        let flags = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let descriptor = socket(family, Int32(flags), 0)
        guard descriptor >= 0 else { throw BindFailure(errno: errno, address: address.text) }
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
        if sharesPort { setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &on, size) }
        if case .unix(let path) = address { removeStaleSocket(path, address) }
        let failed = address.withSocketAddress { Glibc.bind(descriptor, $0, $1) } != 0
        // Bound without listening, two sockets could still share the port unnoticed.
        if failed || Glibc.listen(descriptor, LoopListener.backlog) != 0 {
            let number = errno
            Glibc.close(descriptor)
            throw BindFailure(errno: number, address: address.text)
        }
        return ListeningSocket(descriptor: descriptor, address: address.with(port: boundPort(descriptor, address)))
    }

    private static func duplicate(_ first: ListeningSocket, count: Int) throws(BindFailure) -> [ListeningSocket] {
        var sockets = [first]
        while sockets.count < count {
            let copy = fcntl(first.descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else {
                let number = errno
                for socket in sockets { socket.close() }
                throw BindFailure(errno: number, address: first.address.text)
            }
            sockets.append(ListeningSocket(descriptor: copy, address: first.address))
        }
        return sockets
    }

    /// Removes the file of a local socket that nobody answers on, and nothing else.
    private static func removeStaleSocket(_ path: String, _ address: ListenAddress) {
        var information = stat()
        guard lstat(path, &information) == 0, information.st_mode & S_IFMT == S_IFSOCK else { return }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard probe >= 0 else { return }
        defer { Glibc.close(probe) }
        let answered = address.withSocketAddress { connect(probe, $0, $1) } == 0
        if !answered && errno == ECONNREFUSED { unlink(path) }
    }

    private static func boundPort(_ descriptor: Int32, _ address: ListenAddress) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard code == 0 else { return address.port }
        return withUnsafeBytes(of: &storage) { bytes in
            switch address {
            case .ipv4: UInt16(bigEndian: bytes.load(as: sockaddr_in.self).sin_port)
            case .ipv6: UInt16(bigEndian: bytes.load(as: sockaddr_in6.self).sin6_port)
            case .unix: 0
            }
        }
    }
}
