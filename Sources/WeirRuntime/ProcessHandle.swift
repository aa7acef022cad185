internal import CUV
internal import Glibc

/// libuv's side of a child.
///
/// `@unchecked Sendable` for the reason given at ``LoopHandle``.
final class ProcessHandle: LoopHandle, @unchecked Sendable {
    private(set) var ending: ChildProcess.Ending?
    let news: LoopNews
    private var processID: Int32 = 0

    init(loop: EventLoop) {
        news = LoopNews(loop: loop)
        super.init(loop: loop, type: UV_PROCESS)
    }

    /// Starts the program with `streams` as its descriptors 0, 1 and 2; returns its number.
    ///
    /// It inherits no other descriptor: whoever forgot to mark one as not to be inherited is helped here.
    func spawn(_ command: ChildProcess.Command, _ streams: [LoopStream]) throws(RuntimeFailure) -> Int32 {
        let arguments = CStrings([command.program] + command.arguments)
        let environment = command.environment.map { CStrings($0) }
        let directory = command.directory.map { CStrings([$0]) }
        // Only the child's side is named: it reads the first and writes the others.
        var pipes = streams.enumerated().map { place, stream in
            let direction = place == 0 ? UV_READABLE_PIPE : UV_WRITABLE_PIPE
            let flags = uv_stdio_flags(UV_CREATE_PIPE.rawValue | direction.rawValue)
            return uv_stdio_container_t(flags: flags, data: .init(stream: stream.uvStream))
        }
        weir_close_on_exec_from(3)
        let code = pipes.withUnsafeMutableBufferPointer { pipes -> Int32 in
            var options = uv_process_options_t()
            options.exit_cb = Self.exited
            options.file = UnsafePointer(arguments.list.first ?? nil)
            options.args = arguments.pointer
            options.env = environment?.pointer
            options.cwd = UnsafePointer(directory?.list.first ?? nil)
            options.flags = UInt32(UV_PROCESS_DETACHED.rawValue)
            options.stdio_count = Int32(pipes.count)
            options.stdio = pipes.baseAddress
            let code = uv_spawn(loop.uv, pointer(as: uv_process_t.self), &options)
            // Even a failed start leaves a handle that must be closed.
            adopt()
            return code
        }
        withExtendedLifetime((arguments, environment, directory)) {}
        if code < 0 { ending = .abandoned }
        try RuntimeFailure.check(code, "starting \(command.program)")
        processID = pointer(as: uv_process_t.self).pointee.pid
        return processID
    }

    /// Sends `signal` to the child's whole group, as long as it is there.
    func send(_ signal: Int32) {
        if ending != nil || processID <= 0 { return }
        // The child leads its session, so the group has its number; until it is reaped nobody else gets that number.
        if kill(-processID, signal) != 0 { kill(processID, signal) }
    }

    override func loopStops() {
        send(SIGKILL)
        if ending == nil {
            ending = .abandoned
            reap()
        }
        close()
        news.announce()
    }

    /// Takes the end of a child that libuv will not see any more, so that it does not stay behind as a zombie: whoever
    /// waits for any child of this process would meet it again and again.
    ///
    /// A killed child ends at once unless the system itself holds it; it is not waited for longer than a second.
    private func reap() {
        guard processID > 0 else { return }
        for _ in 0..<1000 {
            let result = waitpid(processID, nil, WNOHANG)
            if result == processID || (result < 0 && errno != EINTR) { return }
            usleep(1000)
        }
    }

    private static let exited: uv_exit_cb = { process, code, signal in
        guard let behind = LoopHandle.behind(process?.pointee.data) else { return }
        let handle = unsafeDowncast(behind, to: ProcessHandle.self)
        handle.ending = signal != 0 ? .signalled(Int(signal)) : .exited(Int(code))
        // Its own children go with it. The child was reaped a moment ago on this very thread: for its number to be
        // another group's by now, all other numbers would have to have been used up in between.
        if handle.processID > 0 { kill(-handle.processID, SIGKILL) }
        handle.close()
        handle.news.announce()
    }
}

/// Strings of C with a NULL behind the last, for the length of one call.
private final class CStrings {
    let list: [UnsafeMutablePointer<CChar>?]
    let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    init(_ strings: [String]) {
        list = strings.map { strdup($0) }
        pointer = .allocate(capacity: list.count + 1)
        for (place, string) in list.enumerated() { (pointer + place).initialize(to: string) }
        (pointer + list.count).initialize(to: nil)
    }

    deinit {
        for string in list { free(string) }
        pointer.deallocate()
    }
}
