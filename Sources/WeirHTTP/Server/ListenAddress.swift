// The C structs of the socket headers belong to whichever C module the compiler has met first.
internal import CCurl
internal import CUV
internal import Glibc

/// Where a server listens, as configuration writes it.
///
/// `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080` or `unix:/run/weir.sock`; port 0 lets the system choose.
package enum ListenAddress: Hashable, Sendable {
    /// An IPv4 address in dotted form.
    case ipv4(String, port: UInt16)
    /// An IPv6 address without brackets.
    case ipv6(String, port: UInt16)
    /// The path of a local socket.
    case unix(String)

    /// Reads the text; `nil` when it names no address and port.
    ///
    /// Host names are not looked up.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // The kernel's field holds 108 bytes with the final NUL.
            guard (1...107).contains(path.utf8.count), !path.utf8.contains(0) else { return nil }
            self = .unix(path)
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit), let port = UInt16(digits) else { return nil }
        let host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            let address = String(host.dropFirst().dropLast())
            var parsed = in6_addr()
            guard inet_pton(AF_INET6, address, &parsed) == 1 else { return nil }
            self = .ipv6(address, port: port)
        } else {
            let address = host == "localhost" ? "127.0.0.1" : host
            var parsed = in_addr()
            guard inet_pton(AF_INET, address, &parsed) == 1 else { return nil }
            self = .ipv4(address, port: port)
        }
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool {
        switch self {
        case .ipv4(let address, _): address.hasPrefix("127.")
        case .ipv6(let address, _): address == "::1"
        case .unix: true
        }
    }

    /// The port; 0 for a local socket.
    package var port: UInt16 {
        switch self {
        case .ipv4(_, let port), .ipv6(_, let port): port
        case .unix: 0
        }
    }

    /// The same address with another port.
    package func with(port: UInt16) -> ListenAddress {
        switch self {
        case .ipv4(let address, _): .ipv4(address, port: port)
        case .ipv6(let address, _): .ipv6(address, port: port)
        case .unix: self
        }
    }

    /// The text again.
    package var text: String {
        switch self {
        case .ipv4(let address, let port): "\(address):\(port)"
        case .ipv6(let address, let port): "[\(address)]:\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    /// Hands the kernel's form of the address to `body`.
    func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var storage = sockaddr_storage()
        let length = fill(&storage)
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(length)) }
        }
    }

    private func fill(_ storage: inout sockaddr_storage) -> Int {
        withUnsafeMutablePointer(to: &storage) { pointer in
            let raw = UnsafeMutableRawPointer(pointer)
            switch self {
            case .ipv4(let text, let port):
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = port.bigEndian
                inet_pton(AF_INET, text, &address.sin_addr)
                raw.storeBytes(of: address, as: sockaddr_in.self)
                return MemoryLayout<sockaddr_in>.size
            case .ipv6(let text, let port):
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(AF_INET6)
                address.sin6_port = port.bigEndian
                inet_pton(AF_INET6, text, &address.sin6_addr)
                raw.storeBytes(of: address, as: sockaddr_in6.self)
                return MemoryLayout<sockaddr_in6>.size
            case .unix(let path):
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
                raw.storeBytes(of: address, as: sockaddr_un.self)
                return MemoryLayout<sockaddr_un>.size
            }
        }
    }
}
