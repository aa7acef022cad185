internal import CCurl
internal import Glibc
internal import WeirRuntime

/// A connection of our own: bytes in and out of a socket, through libcurl where it is TLS.
///
/// The descriptor is ours alone, a duplicate of the one that libcurl connected. The watch is closed before it, and both
/// before libcurl's own, because libuv ends the process over a watched descriptor that has gone.
final class Wire {
    /// What reading came to.
    enum Reading: Hashable {
        /// This many bytes are in the loop's receive buffer.
        case bytes(Int)
        case nothingYet
        /// The other side sends no more.
        case ended
        case broken
    }

    let connection: ConnectionLedger.ConnectionID
    let reader = ResponseReader()
    /// The request that is under way on it.
    var exchange: Exchange?
    /// Requests that were sent on it before this one.
    private(set) var uses = 0

    private let loop: EventLoop
    private let descriptor: Int32
    /// What TLS goes through.
    private let secure: Dial?
    private var poll: LoopPoll?
    private var outgoing: [UInt8] = []
    private var sentBytes = 0
    private var isClosed = false

    /// Takes `descriptor` over, also when it returns `nil`: then it cannot be watched, and is closed.
    init?(
        _ connection: ConnectionLedger.ConnectionID,
        loop: EventLoop,
        descriptor: Int32,
        secure: Dial?,
        ready: @escaping (Wire, LoopPoll.Events) -> Void
    ) {
        self.connection = connection
        self.loop = loop
        self.descriptor = descriptor
        self.secure = secure
        do throws(RuntimeFailure) {
            poll = try LoopPoll(loop: loop, descriptor: descriptor) { [weak self] events in
                if let self { ready(self, events) }
            }
            poll?.watch(.readable)
        } catch {
            Glibc.close(descriptor)
            return nil
        }
    }

    var isSecure: Bool { secure != nil }
    /// Whether the whole request is in the kernel's hands.
    var hasSentAll: Bool { sentBytes == outgoing.count }

    /// Closes it, with whatever is still on its way.
    func close() {
        if isClosed { return }
        isClosed = true
        exchange = nil
        poll?.close()
        poll = nil
        Glibc.close(descriptor)
        secure?.end()
    }

    /// Reads once into the loop's receive buffer.
    func read() -> Reading {
        if isClosed { return .broken }
        if let secure {
            var count = 0
            switch curl_easy_recv(secure.handle.raw, loop.receiveBuffer, EventLoop.receiveBytes, &count) {
            case CURLE_OK: return count == 0 ? .ended : .bytes(count)
            case CURLE_AGAIN: return .nothingYet
            default: return .broken
            }
        }
        while true {
            let count = recv(descriptor, loop.receiveBuffer, EventLoop.receiveBytes, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .ended }
            if errno == EINTR { continue }
            return errno == EAGAIN ? .nothingYet : .broken
        }
    }

    /// Begins to send a request; `false` when the connection is broken.
    func send(_ bytes: [UInt8]) -> Bool {
        uses += 1
        outgoing = bytes
        sentBytes = 0
        return sendMore()
    }

    /// Goes on sending; `false` when the connection is broken.
    func sendMore() -> Bool {
        while sentBytes < outgoing.count {
            if isClosed { return false }
            let count = outgoing.withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[sentBytes...])) }
            guard let count else { return false }
            if count == 0 {
                poll?.watch([.readable, .writable])
                return true
            }
            sentBytes += count
        }
        outgoing = []
        sentBytes = 0
        poll?.watch(.readable)
        return true
    }

    /// Starts the watch again, which libuv stops when the kernel reports an error.
    func watchAgain() {
        guard let wish = poll?.watched else { return }
        poll?.watch([])
        poll?.watch(wish)
    }

    /// Whether the other side has ended the connection, or said something that nobody asked for.
    var isStale: Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count < 0 { return errno != EAGAIN && errno != EINTR }
        // TLS has words of its own after a handshake.
        return count == 0 || !isSecure
    }

    /// Bytes taken; 0 when there is no room now, `nil` when the connection is broken.
    private func write(_ bytes: UnsafeRawBufferPointer) -> Int? {
        if let secure {
            var count = 0
            switch curl_easy_send(secure.handle.raw, bytes.baseAddress, bytes.count, &count) {
            case CURLE_OK: return count
            case CURLE_AGAIN: return 0
            default: return nil
            }
        }
        while true {
            let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return count }
            if errno == EINTR { continue }
            return errno == EAGAIN ? 0 : nil
        }
    }
}
