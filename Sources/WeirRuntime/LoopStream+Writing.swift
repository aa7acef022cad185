internal import CUV

extension LoopStream {
    /// Sends `first` and then `second`: what the kernel takes goes at once, the rest is copied and queued.
    ///
    /// `false` when the connection is broken; then close it, the delegate is not told.
    package func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer? = nil) -> Bool {
        loop.requireLoop()
        if isClosed { return false }
        let total = first.count + (second?.count ?? 0)
        if total == 0 { return true }
        var sent = 0
        if queuedBytes == 0 {
            let code = writeNow(first, second)
            if code < 0 && code != UV_EAGAIN.rawValue { return false }
            sent = max(0, Int(code))
        }
        if sent == total { return true }
        return queue(first, second, from: sent, count: total - sent)
    }

    /// Sends the bytes of `array`; see ``write(_:_:)``.
    package func write(_ array: [UInt8]) -> Bool {
        array.withUnsafeBytes { write($0) }
    }

    private func writeNow(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer?) -> Int32 {
        var buffers = (Self.view(first), Self.view(second ?? UnsafeRawBufferPointer(start: nil, count: 0)))
        let count: UInt32 = buffers.1.len == 0 ? 1 : 2
        return withUnsafePointer(to: &buffers) { pair in
            pair.withMemoryRebound(to: uv_buf_t.self, capacity: 2) { uv_try_write(uvStream, $0, count) }
        }
    }

    private static func view(_ bytes: UnsafeRawBufferPointer) -> uv_buf_t {
        // libuv only reads what it writes.
        let base = bytes.baseAddress.map { UnsafeMutableRawPointer(mutating: $0).assumingMemoryBound(to: CChar.self) }
        return uv_buf_t(base: base, len: bytes.count)
    }

    /// One block holds the request, the length, and the bytes.
    private func queue(
        _ first: UnsafeRawBufferPointer,
        _ second: UnsafeRawBufferPointer?,
        from start: Int,
        count: Int
    ) -> Bool {
        let header = (uv_req_size(UV_WRITE) + 15) & ~15
        let block = UnsafeMutableRawPointer.allocate(byteCount: header + count, alignment: 16)
        let payload = UnsafeMutableRawBufferPointer(start: block + header, count: count)
        let ofFirst = UnsafeRawBufferPointer(rebasing: first.dropFirst(start))
        payload.copyMemory(from: ofFirst)
        if let second {
            let rest = UnsafeRawBufferPointer(rebasing: second.dropFirst(max(0, start - first.count)))
            UnsafeMutableRawBufferPointer(rebasing: payload.dropFirst(ofFirst.count)).copyMemory(from: rest)
        }
        let request = block.assumingMemoryBound(to: uv_write_t.self)
        request.pointee.data = UnsafeMutableRawPointer(bitPattern: count)
        var buffer = Self.view(UnsafeRawBufferPointer(payload))
        let code = uv_write(request, uvStream, &buffer, 1, Self.written)
        if code < 0 {
            block.deallocate()
            return false
        }
        queuedBytes += count
        return true
    }

    private static let written: uv_write_cb = { request, status in
        guard let request else { return }
        let count = Int(bitPattern: request.pointee.data)
        let behind = LoopHandle.behind(request.pointee.handle.pointee.data)
        UnsafeMutableRawPointer(request).deallocate()
        guard let behind else { return }
        let stream = unsafeDowncast(behind, to: LoopStream.self)
        stream.queuedBytes -= count
        let failure = status < 0 ? RuntimeFailure(code: status, operation: "writing to a stream") : nil
        stream.delegate?.stream(stream, wroteQueued: failure)
    }

    /// Queued bytes that the kernel has not taken, to the byte: what moves while a slow reader reads.
    package var unsentBytes: Int { isClosed ? 0 : uv_stream_get_write_queue_size(uvStream) }

    /// Says that nothing more will be sent, once the queue has left; reading goes on.
    package func finishWriting() {
        loop.requireLoop()
        if isClosed { return }
        let block = UnsafeMutableRawPointer.allocate(byteCount: uv_req_size(UV_SHUTDOWN), alignment: 16)
        let request = block.assumingMemoryBound(to: uv_shutdown_t.self)
        let code = uv_shutdown(request, uvStream) { request, _ in UnsafeMutableRawPointer(request)?.deallocate() }
        if code < 0 { block.deallocate() }
    }
}
