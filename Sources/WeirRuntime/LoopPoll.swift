internal import CUV

/// Watches a descriptor that somebody else owns.
///
/// Create and use it on the loop. Close it before the descriptor is closed: the kernel hands the same number out again,
/// and a watch on a stranger's descriptor ends the process. Letting go of it closes it too, but maybe later.
package final class LoopPoll: Sendable {
    /// What a descriptor is ready for.
    package struct Events: OptionSet, Sendable {
        /// The bits.
        package let rawValue: Int32
        /// Events of these bits.
        package init(rawValue: Int32) { self.rawValue = rawValue }

        /// Bytes, a connection or an end can be read.
        package static let readable = Events(rawValue: 1)
        /// Bytes can be written.
        package static let writable = Events(rawValue: 2)
        /// The descriptor is broken; reading or writing tells why.
        package static let failed = Events(rawValue: 1 << 16)
    }

    private let handle: PollHandle

    /// A watch on `descriptor`, for nothing yet; `action` runs on the loop with what it is ready for.
    ///
    /// - Throws: `RuntimeFailure` when the descriptor cannot be watched (a plain file) or is watched already.
    package init(
        loop: EventLoop,
        descriptor: Int32,
        action: @escaping (Events) -> Void
    ) throws(RuntimeFailure) {
        handle = PollHandle(loop: loop, action: action)
        let code = uv_poll_init(loop.uv, handle.pointer(as: uv_poll_t.self), descriptor)
        if code < 0 { handle.abandon() } else { handle.adopt() }
        try RuntimeFailure.check(code, "watching descriptor \(descriptor)")
    }

    deinit {
        handle.closeFromAnywhere()
    }

    /// What is being watched for.
    package var watched: Events { handle.watched }

    /// Watches for `events` from now on; an unchanged wish costs nothing, none stops the watch.
    package func watch(_ events: Events) {
        handle.watch(events)
    }

    /// Stops at once; afterwards the descriptor may be closed.
    package func close() {
        handle.close()
    }
}

/// `@unchecked Sendable` for the reason given at `LoopHandle`.
private final class PollHandle: LoopHandle, @unchecked Sendable {
    private var action: ((LoopPoll.Events) -> Void)?
    private(set) var watched: LoopPoll.Events = []

    init(loop: EventLoop, action: @escaping (LoopPoll.Events) -> Void) {
        self.action = action
        super.init(loop: loop, type: UV_POLL)
    }

    func watch(_ events: LoopPoll.Events) {
        loop.requireLoop()
        if isClosed || events == watched { return }
        watched = events
        if events.isEmpty {
            uv_poll_stop(pointer(as: uv_poll_t.self))
            return
        }
        uv_poll_start(pointer(as: uv_poll_t.self), events.rawValue) { poll, status, ready in
            guard let handle = LoopHandle.behind(poll?.pointee.data) else { return }
            let poll = unsafeDowncast(handle, to: PollHandle.self)
            poll.action?(status < 0 ? .failed : LoopPoll.Events(rawValue: ready))
        }
    }

    override func willClose() {
        action = nil
        watched = []
    }
}
