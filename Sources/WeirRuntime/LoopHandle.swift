internal import CUV

/// The part that all watched things share: the libuv handle's memory and its way to be closed.
///
/// From its first day to libuv's close callback the handle holds a reference to this object, so a callback can never
/// meet a freed one; the memory is given back in that callback and nowhere else.
///
/// `@unchecked Sendable`: everything but `loop` and `raw` (constants) is touched on the loop's thread only.
package class LoopHandle: @unchecked Sendable {
    /// The loop that watches.
    package final let loop: EventLoop
    final let raw: UnsafeMutablePointer<uv_handle_t>
    /// Whether ``close()`` was called.
    package private(set) final var isClosed = false

    /// Memory for a handle of `type`, not yet initialized by libuv; ``adopt()`` or ``abandon()`` must follow.
    init(loop: EventLoop, type: uv_handle_type) {
        loop.requireLoop()
        precondition(!loop.hasFinished, "the loop has ended")
        self.loop = loop
        let size = max(uv_handle_size(type), MemoryLayout<uv_handle_t>.size)
        raw = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            .initializeMemory(as: uv_handle_t.self, repeating: uv_handle_t(), count: 1)
    }

    /// The same memory as the handle's own type.
    final func pointer<Handle>(as type: Handle.Type) -> UnsafeMutablePointer<Handle> {
        UnsafeMutableRawPointer(raw).assumingMemoryBound(to: type)
    }

    /// libuv knows the handle now: it keeps this object until the handle is closed.
    final func adopt() {
        raw.pointee.data = Unmanaged.passRetained(self).toOpaque()
    }

    /// libuv refused the handle before it knew it: nothing to close.
    final func abandon() {
        isClosed = true
        UnsafeMutableRawPointer(raw).deallocate()
    }

    /// Closes the handle; no callback of its kind comes after this.
    ///
    /// Doing it twice is harmless.
    package final func close() {
        loop.requireLoop()
        if isClosed { return }
        isClosed = true
        willClose()
        uv_close(raw) { handle in
            guard let handle else { return }
            let owner = handle.pointee.data
            UnsafeMutableRawPointer(handle).deallocate()
            if let owner { Unmanaged<LoopHandle>.fromOpaque(owner).takeRetainedValue().didClose() }
        }
    }

    /// Closes from wherever the last owner let go.
    final func closeFromAnywhere() {
        // A closed loop has closed its handles itself.
        loop.submit { self.close() }
    }

    /// Called when the loop stops and the handle is still open.
    package func loopStops() {
        close()
    }

    /// Called before the handle is closed, also when the loop stops.
    package func willClose() {}

    /// Called when libuv has let go.
    package func didClose() {}

    /// The object behind a handle that this room created.
    static func behind(_ data: UnsafeMutableRawPointer?) -> LoopHandle? {
        data.map { Unmanaged<LoopHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Closes what is still open when a loop ends.
    static func closeAll(of loop: EventLoop) {
        for handle in openHandles(of: loop) { handle.loopStops() }
    }

    /// Whether a handle is left, open or closing.
    static func anyOpen(in loop: EventLoop) -> Bool {
        var count = 0
        withUnsafeMutablePointer(to: &count) { counter in
            uv_walk(
                loop.uv,
                { _, counter in counter?.assumingMemoryBound(to: Int.self).pointee += 1 },
                counter
            )
        }
        return count > EventLoop.ownHandles
    }

    private static func openHandles(of loop: EventLoop) -> [LoopHandle] {
        final class Collector {
            let loop: EventLoop
            var handles: [LoopHandle] = []
            init(loop: EventLoop) { self.loop = loop }
        }
        let collector = Collector(loop: loop)
        let visit: uv_walk_cb = { handle, argument in
            guard let handle, let argument, uv_is_closing(handle) == 0 else { return }
            let collector = Unmanaged<Collector>.fromOpaque(argument).takeUnretainedValue()
            // The loop's own four handles point at the loop.
            if handle.pointee.data == Unmanaged.passUnretained(collector.loop).toOpaque() { return }
            if let found = LoopHandle.behind(handle.pointee.data) { collector.handles.append(found) }
        }
        withExtendedLifetime(collector) {
            uv_walk(loop.uv, visit, Unmanaged.passUnretained(collector).toOpaque())
        }
        return collector.handles
    }
}

extension EventLoop {
    /// Wake-up, prepare, idle and the sleepers' timer.
    static var ownHandles: Int { 4 }
}
