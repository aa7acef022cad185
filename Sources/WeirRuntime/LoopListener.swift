internal import CUV
internal import Glibc

/// A listening socket on a loop.
///
/// A connection that is not accepted holds the listener back: the kernel queues the next ones.
///
/// `@unchecked Sendable` for the reason given at ``LoopHandle``.
package final class LoopListener: LoopHandle, @unchecked Sendable {
    /// Connections that the kernel may queue.
    package static let backlog: Int32 = 1024

    private var action: ((LoopListener) -> Void)?
    let kind: LoopStream.Kind

    /// Listens on a bound descriptor: it is closed with the listener, or at once when this throws.
    ///
    /// `action` runs on the loop when a connection can be accepted.
    package init(
        loop: EventLoop,
        kind: LoopStream.Kind,
        descriptor: Int32,
        action: @escaping (LoopListener) -> Void
    ) throws(RuntimeFailure) {
        self.kind = kind
        self.action = action
        super.init(loop: loop, type: kind == .tcp ? UV_TCP : UV_NAMED_PIPE)
        var code: Int32
        switch kind {
        case .tcp:
            uv_tcp_init(loop.uv, pointer(as: uv_tcp_t.self))
            adopt()
            code = uv_tcp_open(pointer(as: uv_tcp_t.self), descriptor)
        case .local:
            uv_pipe_init(loop.uv, pointer(as: uv_pipe_t.self), 0)
            adopt()
            code = uv_pipe_open(pointer(as: uv_pipe_t.self), descriptor)
        }
        if code < 0 { Glibc.close(descriptor) }
        if code == 0 { code = uv_listen(pointer(as: uv_stream_t.self), Self.backlog, Self.ready) }
        // libuv naps after each accepted connection otherwise.
        if code == 0 && kind == .tcp { uv_tcp_simultaneous_accepts(pointer(as: uv_tcp_t.self), 1) }
        if code < 0 { close() }
        try RuntimeFailure.check(code, "listening on a socket")
    }

    private static let ready: uv_connection_cb = { handle, status in
        guard status == 0, let behind = LoopHandle.behind(handle?.pointee.data) else { return }
        let listener = unsafeDowncast(behind, to: LoopListener.self)
        listener.action?(listener)
    }

    /// The next waiting connection; `nil` when there is none.
    package func accept() -> LoopStream? {
        loop.requireLoop()
        if isClosed { return nil }
        let stream = LoopStream(unconnected: kind, loop: loop)
        guard uv_accept(pointer(as: uv_stream_t.self), stream.uvStream) == 0 else {
            stream.close()
            return nil
        }
        if kind == .tcp { uv_tcp_nodelay(stream.pointer(as: uv_tcp_t.self), 1) }
        return stream
    }

    /// Everything that the kernel has queued, for a listener about to be closed: closing it would reset them.
    package func acceptAll() -> [LoopStream] {
        loop.requireLoop()
        var streams: [LoopStream] = []
        // libuv may hold one in its hand.
        if let stream = accept() { streams.append(stream) }
        guard let listening = descriptor else { return streams }
        while streams.count < Int(Self.backlog) {
            let descriptor = Glibc.accept(listening, nil, nil)
            if descriptor < 0 { break }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            guard let stream = try? LoopStream(loop: loop, kind: kind, descriptor: descriptor) else { continue }
            if kind == .tcp { uv_tcp_nodelay(stream.pointer(as: uv_tcp_t.self), 1) }
            streams.append(stream)
        }
        return streams
    }

    /// The descriptor below, while the listener is open.
    var descriptor: Int32? {
        var descriptor: uv_os_fd_t = -1
        return !isClosed && uv_fileno(raw, &descriptor) == 0 ? descriptor : nil
    }

    package override func willClose() {
        action = nil
    }
}
