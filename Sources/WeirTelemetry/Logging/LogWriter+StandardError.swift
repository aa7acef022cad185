internal import Glibc

extension LogWriter {
    /// The sink that writes to the process' standard error.
    ///
    /// A broken pipe is not fatal: the lines are lost, for there is nobody left to read them.
    package static let standardError: Sink = { lines in
        lines.withUnsafeBytes { all in
            var rest = all[...]
            while !rest.isEmpty {
                let written = write(STDERR_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written > 0 {
                    rest = rest.dropFirst(written)
                } else if errno == EAGAIN {
                    var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&descriptor, 1, 1000)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }

    /// Whether standard error is a terminal that shows colours.
    package static var standardErrorShowsColours: Bool {
        isatty(STDERR_FILENO) == 1 && getenv("NO_COLOR") == nil
    }
}
