internal import CCurl
internal import Glibc
internal import WeirRuntime

/// The loop's watches on libcurl's descriptors.
///
/// A watch stays registered while its connection idles between two transfers: registering anew would cost two system
/// calls a request.
///
/// libuv ends the process when the kernel refuses a descriptor that it is about to watch, as it does when somebody has
/// closed it. libcurl does close some behind our back: the pipe of its resolver threads, and the socket of an attempt
/// to connect that it gives up (seen in 7.88, whatever `CURLOPT_CLOSESOCKETFUNCTION` promises). So libuv never sees
/// libcurl's descriptors: each watch has a duplicate of its own, which is closed in ``release(_:)`` alone, after the
/// watch. A duplicate would keep a connection open that libcurl has closed; therefore a watch is released as soon as
/// libcurl closes its descriptor, or loses interest in one that is closed already or is no connection.
final class SocketWatches {
    private final class Watch {
        let poll: LoopPoll
        let duplicate: Int32
        let file: FileIdentity
        /// Whether it may idle: connections may, pipes between threads may not.
        let isConnection: Bool
        /// What libcurl waits for; nothing while the connection idles.
        var wish: LoopPoll.Events = []

        init(poll: LoopPoll, duplicate: Int32, file: FileIdentity, isConnection: Bool) {
            self.poll = poll
            self.duplicate = duplicate
            self.file = file
            self.isConnection = isConnection
        }
    }

    private let loop: EventLoop
    private var watches: [Int32: Watch] = [:]

    /// Told what a descriptor is ready for, in libcurl's bits.
    var ready: (Int32, Int32) -> Void = { _, _ in }

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// How many descriptors are watched.
    var count: Int { watches.count }

    /// Watches for `events` from now on; without a descriptor to spare nothing happens until the deadline.
    func watch(_ descriptor: Int32, _ events: LoopPoll.Events) {
        // A number that has been closed and handed out again is another descriptor.
        if let watch = watches[descriptor], watch.file != FileIdentity(descriptor) { release(descriptor) }
        let watch = watches[descriptor] ?? makeWatch(descriptor)
        watches[descriptor] = watch
        watch?.wish = events
        watch?.poll.watch(events)
    }

    /// libcurl has lost interest: an open connection stays registered, anything else is let go.
    func rest(_ descriptor: Int32) {
        guard let watch = watches[descriptor] else { return }
        if !watch.isConnection || watch.file != FileIdentity(descriptor) { return release(descriptor) }
        watch.wish = []
        // An idle connection is always ready to be written to; watching for that would spin.
        if watch.poll.watched.contains(.writable) { watch.poll.watch(.readable) }
    }

    /// Ends the watch on a descriptor, if there is one.
    func release(_ descriptor: Int32) {
        guard let watch = watches.removeValue(forKey: descriptor) else { return }
        watch.poll.close()
        close(watch.duplicate)
    }

    /// Ends all watches.
    func releaseAll() {
        for descriptor in Array(watches.keys) { release(descriptor) }
    }

    private func makeWatch(_ descriptor: Int32) -> Watch? {
        let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else { return nil }
        do throws(RuntimeFailure) {
            let poll = try LoopPoll(loop: loop, descriptor: duplicate) { [weak self] events in
                self?.happened(descriptor, events)
            }
            let file = FileIdentity(duplicate)
            return Watch(poll: poll, duplicate: duplicate, file: file, isConnection: isInternetSocket(duplicate))
        } catch {
            close(duplicate)
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

/// What a descriptor stands for: two that are duplicates have the same, two sockets never.
private struct FileIdentity: Hashable {
    private var device: dev_t = 0
    private var number: ino_t = 0

    init(_ descriptor: Int32) {
        var status = stat()
        if fstat(descriptor, &status) == 0 {
            device = status.st_dev
            number = status.st_ino
        }
    }
}

private func isInternetSocket(_ descriptor: Int32) -> Bool {
    var domain: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0
        && (domain == AF_INET || domain == AF_INET6)
}
