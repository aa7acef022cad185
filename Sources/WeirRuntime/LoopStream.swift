internal import CUV
internal import Glibc

/// Who hears what happens on a stream; always called on its loop.
package protocol LoopStreamDelegate: AnyObject {
    /// Bytes came; they are gone when this returns.
    func stream(_ stream: LoopStream, received bytes: UnsafeRawBufferPointer)
    /// The other side sends no more (no failure), or the connection broke.
    func stream(_ stream: LoopStream, ended failure: RuntimeFailure?)
    /// A queued write left, or failed; ``LoopStream/queuedBytes`` says what is still waiting.
    func stream(_ stream: LoopStream, wroteQueued failure: RuntimeFailure?)
}

/// A connected byte stream: TCP, a local socket, or a child's pipe.
///
/// Use it on its loop and close it in the end; the loop closes what is left when it stops, which the delegate hears
/// as a failure. The delegate is kept until the stream is closed.
///
/// `@unchecked Sendable` for the reason given at ``LoopHandle``.
package final class LoopStream: LoopHandle, @unchecked Sendable {
    /// Where the bytes come from.
    package enum Kind: Sendable {
        /// A TCP socket.
        case tcp
        /// A local socket or a pipe.
        case local
    }

    /// Who hears what happens; set it before reading starts.
    package var delegate: (any LoopStreamDelegate)?
    /// Bytes handed to ``write(_:_:)`` that the kernel has not taken yet, counted by whole writes.
    package internal(set) var queuedBytes = 0
    /// Whether reading is switched on.
    package private(set) var isReading = false
    let kind: Kind

    init(unconnected kind: Kind, loop: EventLoop) {
        self.kind = kind
        super.init(loop: loop, type: kind == .tcp ? UV_TCP : UV_NAMED_PIPE)
        switch kind {
        case .tcp: uv_tcp_init(loop.uv, pointer(as: uv_tcp_t.self))
        case .local: uv_pipe_init(loop.uv, pointer(as: uv_pipe_t.self), 0)
        }
        adopt()
    }

    /// Takes over a connected descriptor: it is closed with the stream, or at once when this throws.
    package convenience init(loop: EventLoop, kind: Kind, descriptor: Int32) throws(RuntimeFailure) {
        self.init(unconnected: kind, loop: loop)
        let code =
            switch kind {
            case .tcp: uv_tcp_open(pointer(as: uv_tcp_t.self), descriptor)
            case .local: uv_pipe_open(pointer(as: uv_pipe_t.self), descriptor)
            }
        if code < 0 {
            close()
            Glibc.close(descriptor)
        }
        try RuntimeFailure.check(code, "using a descriptor as a stream")
    }

    /// libuv's base type of both kinds.
    var uvStream: UnsafeMutablePointer<uv_stream_t> { pointer(as: uv_stream_t.self) }

    /// Starts or stops hearing what comes in.
    package func setReading(_ wanted: Bool) {
        loop.requireLoop()
        if isClosed || wanted == isReading { return }
        isReading = wanted
        if wanted {
            uv_read_start(uvStream, Self.lendBuffer, Self.deliver)
        } else {
            uv_read_stop(uvStream)
        }
    }

    private static let lendBuffer: uv_alloc_cb = { handle, _, buffer in
        guard let buffer, let stream = LoopHandle.behind(handle?.pointee.data) else { return }
        buffer.pointee = uv_buf_init(stream.loop.receiveBuffer, UInt32(EventLoop.receiveBytes))
    }

    private static let deliver: uv_read_cb = { handle, count, _ in
        guard count != 0, let behind = LoopHandle.behind(handle?.pointee.data) else { return }
        let stream = unsafeDowncast(behind, to: LoopStream.self)
        if count > 0 {
            let bytes = UnsafeRawBufferPointer(start: stream.loop.receiveBuffer, count: count)
            stream.delegate?.stream(stream, received: bytes)
            return
        }
        stream.setReading(false)
        let code = Int32(truncatingIfNeeded: count)
        let failure = code == UV_EOF.rawValue ? nil : RuntimeFailure(code: code, operation: "reading from a stream")
        stream.delegate?.stream(stream, ended: failure)
    }

    package override func loopStops() {
        let failure = RuntimeFailure(code: UV_ECANCELED.rawValue, operation: "using a stream of a stopped loop")
        delegate?.stream(self, ended: failure)
        close()
    }

    package override func willClose() {
        delegate = nil
        isReading = false
    }

    /// Closes so that the other side's next read or write fails (`ECONNRESET`), dropping what was queued.
    package func reset() {
        loop.requireLoop()
        if isClosed { return }
        var lingering = linger(l_onoff: 1, l_linger: 0)
        if kind == .tcp, let descriptor {
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &lingering, socklen_t(MemoryLayout<linger>.size))
        }
        close()
    }

    /// The descriptor below, while the stream is open.
    package var descriptor: Int32? {
        var descriptor: uv_os_fd_t = -1
        return !isClosed && uv_fileno(raw, &descriptor) == 0 ? descriptor : nil
    }

    /// Whether bytes have come that nobody has read yet.
    package var hasUnreadBytes: Bool {
        guard let descriptor else { return false }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    /// The other side's address without its port: `192.0.2.7`, `2001:db8::1`, or `local` for a local socket.
    package var peerAddress: String {
        if kind == .local || isClosed { return "local" }
        var address = sockaddr_storage()
        var length = Int32(MemoryLayout<sockaddr_storage>.size)
        var text = [CChar](repeating: 0, count: 64)
        let code = withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain -> Int32 in
                let code = uv_tcp_getpeername(pointer(as: uv_tcp_t.self), plain, &length)
                return code < 0 ? code : uv_ip_name(plain, &text, text.count)
            }
        }
        if code < 0 { return "unknown" }
        let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        // A dual-stack listener shows IPv4 callers in IPv6 clothes.
        return name.hasPrefix("::ffff:") && name.contains(".") ? String(name.dropFirst(7)) : name
    }
}
