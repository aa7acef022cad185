internal import Glibc

/// Wakes a worker thread that waits for something to do.
///
/// Ringing never blocks and may happen on any thread; rings while nobody waits count as one. It is a pipe: the waiting
/// side can also give up after a while, and no lock is shared with the ringing side.
package final class Doorbell: Sendable {
    private let reading: Int32
    private let writing: Int32

    /// A bell that nobody has rung.
    ///
    /// When the process has no descriptors left, ringing does nothing and every wait lasts its full time.
    package init() {
        var ends: [Int32] = [-1, -1]
        if pipe(&ends) != 0 { ends = [-1, -1] }
        for end in ends where end >= 0 {
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        for end in [reading, writing] where end >= 0 { close(end) }
    }

    /// Wakes the waiting thread, now or at its next wait.
    package func ring() {
        var byte: UInt8 = 1
        // A full pipe has rung often enough already.
        _ = write(writing, &byte, 1)
    }

    /// Blocks the calling thread until the bell has rung, at most for `limit` (24 days at most).
    package func wait(atMost limit: Duration) {
        var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        let limit = Int32(clamping: max(0, limit.milliseconds))
        guard poll(&descriptor, 1, limit) > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) == bytes.count {}
    }
}
