internal import CUV

/// A signal of the process, delivered on a loop.
///
/// Create it on the loop. Letting go of it anywhere gives the signal its former meaning back.
package final class LoopSignal: Sendable {
    private let handle: SignalHandle

    /// Calls `action` on the loop each time the process gets `signal`.
    ///
    /// - Throws: `RuntimeFailure` for a signal that cannot be watched, such as `SIGKILL`.
    package init(loop: EventLoop, signal: Int32, action: @escaping () -> Void) throws(RuntimeFailure) {
        handle = SignalHandle(loop: loop, action: action)
        let code = uv_signal_start(
            handle.pointer(as: uv_signal_t.self),
            { signal, _ in
                guard let handle = LoopHandle.behind(signal?.pointee.data) else { return }
                unsafeDowncast(handle, to: SignalHandle.self).action?()
            },
            signal
        )
        if code < 0 { handle.close() }
        try RuntimeFailure.check(code, "watching signal \(signal)")
    }

    deinit {
        handle.closeFromAnywhere()
    }
}

/// `@unchecked Sendable` for the reason given at `LoopHandle`.
private final class SignalHandle: LoopHandle, @unchecked Sendable {
    var action: (() -> Void)?

    init(loop: EventLoop, action: @escaping () -> Void) {
        self.action = action
        super.init(loop: loop, type: UV_SIGNAL)
        uv_signal_init(loop.uv, pointer(as: uv_signal_t.self))
        adopt()
    }

    override func willClose() {
        action = nil
    }
}
