internal import CCurl
internal import WeirRuntime
internal import WeirTime

/// The connections that networks with equal rules share on one loop: libcurl's multi handle and the loop's watches.
///
/// It belongs to the loop's thread. Close it there before letting go of it.
final class ConnectionPool {
    private let multi: UnsafeMutableRawPointer
    private let loop: EventLoop
    private let sockets: SocketWatches
    private let finished: (CurlUser, CURLcode) -> Void
    private var timer: LoopTimer?

    /// Whether libcurl wants to be called in this turn of the loop.
    private(set) var isDue = false
    /// Handles that it holds: transfers and connections under way, and TLS connections of our own.
    private(set) var handleCount = 0

    /// `nil` when no memory is left; `finished` is told of each handle that libcurl is done with.
    init?(loop: EventLoop, limits: ClientLimits, finished: @escaping (CurlUser, CURLcode) -> Void) {
        guard CurlLibrary.isReady, let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.loop = loop
        self.finished = finished
        sockets = SocketWatches(loop: loop)
        let me = Unmanaged.passUnretained(self).toOpaque()
        weir_multi_socket(multi, socketChanged)
        weir_multi_ptr(multi, CURLMOPT_SOCKETDATA, me)
        weir_multi_timer(multi, timerChanged)
        weir_multi_ptr(multi, CURLMOPT_TIMERDATA, me)
        // Smaller than the number of connections, the cache would close each one that a transfer gives back.
        weir_multi_long(multi, CURLMOPT_MAXCONNECTS, limits.maxConnections)
        weir_multi_long(multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, limits.maxConnections)
        weir_multi_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, limits.maxConnectionsPerHost)
        weir_multi_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
        sockets.ready = { [weak self] descriptor, events in self?.drive(descriptor, events) }
        timer = LoopTimer(loop: loop) { [weak self] in self?.drive(CURL_SOCKET_TIMEOUT, 0) }
    }

    /// Starts a configured handle; libcurl asks to be called at once.
    func add(_ handle: CurlHandle) {
        handleCount += 1
        curl_multi_add_handle(multi, handle.raw)
    }

    /// Stops a handle; its connection is closed unless it is an answered transfer's.
    func remove(_ handle: CurlHandle) {
        handleCount -= 1
        curl_multi_remove_handle(multi, handle.raw)
    }

    /// Does what libcurl asked for in this turn.
    func runDue() {
        isDue = false
        drive(CURL_SOCKET_TIMEOUT, 0)
    }

    /// Closes all connections.
    ///
    /// The transfers must have been removed.
    func close() {
        curl_multi_cleanup(multi)
        timer?.cancel()
        timer = nil
        sockets.releaseAll()
    }

    /// Stops watching a socket that is about to be closed.
    func release(_ descriptor: Int32) { sockets.release(descriptor) }

    private func drive(_ descriptor: curl_socket_t, _ events: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(multi, descriptor, events, &running)
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = weir_message_easy(message) else { continue }
            let code = weir_message_result(message)
            var owner: UnsafeMutableRawPointer?
            weir_get_ptr(easy, CURLINFO_PRIVATE, &owner)
            if let user = CurlUser.behind(owner) { finished(user, code) }
        }
    }

    /// libcurl wants to hear about `descriptor` in another way than before.
    fileprivate func change(_ descriptor: curl_socket_t, _ wish: Int32) {
        switch wish {
        case CURL_POLL_IN: sockets.watch(descriptor, .readable)
        case CURL_POLL_OUT: sockets.watch(descriptor, .writable)
        case CURL_POLL_INOUT: sockets.watch(descriptor, [.readable, .writable])
        default: sockets.rest(descriptor)
        }
    }

    /// libcurl wants to be called in `milliseconds`; at once is later in this turn, because it must not be re-entered.
    fileprivate func schedule(_ milliseconds: Int) {
        isDue = milliseconds == 0
        if milliseconds > 0 {
            timer?.schedule(after: .milliseconds(milliseconds))
        } else {
            timer?.cancel()
        }
    }

    /// The pool behind a pointer that a callback got.
    static func behind(_ pointer: UnsafeMutableRawPointer?) -> ConnectionPool? {
        pointer.map { Unmanaged<ConnectionPool>.fromOpaque($0).takeUnretainedValue() }
    }
}

private func socketChanged(
    _ easy: UnsafeMutableRawPointer?,
    _ descriptor: curl_socket_t,
    _ wish: Int32,
    _ pool: UnsafeMutableRawPointer?,
    _ perSocket: UnsafeMutableRawPointer?
) -> Int32 {
    ConnectionPool.behind(pool)?.change(descriptor, wish)
    return 0
}

private func timerChanged(
    _ multi: UnsafeMutableRawPointer?,
    _ milliseconds: Int,
    _ pool: UnsafeMutableRawPointer?
) -> Int32 {
    ConnectionPool.behind(pool)?.schedule(milliseconds)
    return 0
}
