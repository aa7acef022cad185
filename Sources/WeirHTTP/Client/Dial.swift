internal import CCurl
internal import Glibc
internal import WeirAdapterKit

/// An attempt of libcurl's to connect: name, addresses, TCP, TLS and certificates, and nothing of HTTP.
///
/// A plain connection is taken over from libcurl as soon as there is one; a TLS connection stays its own, and the handle
/// with it, because what goes through it must pass through libcurl.
final class Dial: CurlUser {
    let connection: ConnectionLedger.ConnectionID
    let request: ConnectionLedger.RequestID
    private let url: OutboundURL
    private let pool: ConnectionPool
    private var isAdded = false

    /// `nil` when no memory is left.
    init?(
        _ connection: ConnectionLedger.ConnectionID,
        for request: ConnectionLedger.RequestID,
        _ url: OutboundURL,
        _ pool: ConnectionPool
    ) {
        self.connection = connection
        self.request = request
        self.url = url
        self.pool = pool
        super.init()
    }

    /// Has libcurl begin.
    func begin(_ policy: OutboundPolicy) {
        reach = Reach(allowed: policy.allowPrivate)
        handle.configureConnection(
            url,
            policy,
            user: Unmanaged.passUnretained(self).toOpaque(),
            pool: Unmanaged.passUnretained(pool).toOpaque()
        )
        isAdded = true
        pool.add(handle)
    }

    /// A descriptor of ours for the connection, which libcurl says is there.
    ///
    /// The address is looked at once more: it is the one that counts.
    ///
    /// - Returns: `nil` when there is no descriptor left, or the address is not one that may be reached.
    func takeDescriptor() -> Int32? {
        let socket = handle.activeSocket
        guard socket >= 0 else { return nil }
        guard let address = IPAddress(peerOf: socket), mayReach(address) else { return nil }
        let duplicate = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        if duplicate < 0 { reach?.socketError = errno }
        pool.release(socket)
        if !url.isSecure { end() }
        return duplicate < 0 ? nil : duplicate
    }

    /// Takes the handle out of libcurl, which closes what it has of the connection.
    func end() {
        if !isAdded { return }
        isAdded = false
        pool.remove(handle)
    }
}
