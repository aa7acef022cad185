internal import CCurl
internal import Glibc
internal import WeirRuntime

/// The loop's watches on libcurl's descriptors.
///
/// A watch stays registered while its connection idles between two transfers: registering anew would cost two system
/// calls a request.
///
/// libuv ends the process when the kernel refuses a descriptor that it watches, as it does when somebody has closed it.
/// Here that cannot happen, because every watched descriptor is closed by this room alone, after its watch:
/// - a connection's socket is opened by `openSocket`, which adopts it, and closed by `closeSocket`, which releases it
///   first; libcurl promises to close what that callback opened through this one only;
/// - of any other descriptor (the pipe of libcurl's resolver threads, which libcurl closes itself) a duplicate of our
///   own is watched, and it is closed in `rest` or `closeAll`.
final class SocketWatches {
    private final class Watch {
        let poll: LoopPoll
        /// The duplicate that is watched in place of a descriptor that is not ours.
        let duplicate: Int32?
        var wish: LoopPoll.Events = []

        init(poll: LoopPoll, duplicate: Int32?) {
            self.poll = poll
            self.duplicate = duplicate
        }
    }

    private let loop: EventLoop
    private var watches: [Int32: Watch] = [:]

    /// Told what a descriptor is ready for, in libcurl's bits.
    var ready: (Int32, Int32) -> Void = { _, _ in }

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Registers a socket of ours, for nothing yet; `false` when the loop refuses it.
    func adopt(_ descriptor: Int32) -> Bool {
        release(descriptor)
        watches[descriptor] = makeWatch(descriptor, duplicate: nil)
        return watches[descriptor] != nil
    }

    /// Ends the watch on a descriptor that is about to be closed.
    func release(_ descriptor: Int32) {
        guard let watch = watches.removeValue(forKey: descriptor) else { return }
        watch.poll.close()
        if let duplicate = watch.duplicate { close(duplicate) }
    }

    /// Watches for `events` from now on.
    func watch(_ descriptor: Int32, _ events: LoopPoll.Events) {
        if watches[descriptor] == nil {
            let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            if duplicate < 0 { return }
            watches[descriptor] = makeWatch(descriptor, duplicate: duplicate)
            if watches[descriptor] == nil { close(duplicate) }
        }
        watches[descriptor]?.wish = events
        watches[descriptor]?.poll.watch(events)
    }

    /// libcurl has lost interest: a connection stays registered, anything else is let go.
    func rest(_ descriptor: Int32) {
        guard let watch = watches[descriptor] else { return }
        if watch.duplicate != nil { return release(descriptor) }
        watch.wish = []
        // An idle connection is always ready to be written to; watching for that would spin.
        if watch.poll.watched.contains(.writable) { watch.poll.watch(.readable) }
    }

    /// Ends all watches.
    func closeAll() {
        for descriptor in Array(watches.keys) { release(descriptor) }
    }

    private func makeWatch(_ descriptor: Int32, duplicate: Int32?) -> Watch? {
        do throws(RuntimeFailure) {
            let poll = try LoopPoll(loop: loop, descriptor: duplicate ?? descriptor) { [weak self] events in
                self?.happened(descriptor, events)
            }
            return Watch(poll: poll, duplicate: duplicate)
        } catch {
            return nil
        }
    }

    private func happened(_ descriptor: Int32, _ events: LoopPoll.Events) {
        guard let watch = watches[descriptor] else { return }
        if watch.wish.isEmpty {
            // The peer has closed or broken an idle connection. libcurl finds out before it uses it again.
            watch.poll.watch([])
            return
        }
        var bits: Int32 = 0
        if events.contains(.readable) { bits |= CURL_CSELECT_IN }
        if events.contains(.writable) { bits |= CURL_CSELECT_OUT }
        if events.contains(.failed) {
            // libuv has stopped watching. Reading tells libcurl what happened; an error alone would hide it.
            watch.poll.watch([])
            bits |= CURL_CSELECT_IN | CURL_CSELECT_ERR
        }
        ready(descriptor, bits)
        if events.contains(.failed), let watch = watches[descriptor], watch.poll.watched.isEmpty {
            watch.poll.watch(watch.wish)
        }
    }
}
