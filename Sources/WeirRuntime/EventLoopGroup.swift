internal import Glibc
internal import Synchronization

/// Several loops, each on a thread of its own.
package final class EventLoopGroup: Sendable {
    /// The loops, in the order in which ``next()`` deals them.
    package let loops: [EventLoop]
    private let turn = Atomic<Int>(0)

    /// `count` loops, one per processor unless told otherwise; they run when this returns.
    ///
    /// - Throws: `RuntimeFailure` when the system refuses a thread; the loops that ran already are stopped.
    package init(count: Int = EventLoopGroup.processors) throws(RuntimeFailure) {
        loops = (0..<max(1, count)).map { _ in EventLoop() }
        var started: [EventLoop] = []
        do {
            for loop in loops {
                try loop.start()
                started.append(loop)
            }
        } catch {
            for loop in started {
                loop.stop()
                loop.join()
            }
            throw error
        }
    }

    /// How many processors this process may use, at least one.
    package static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

    /// The loops in turn.
    package func next() -> EventLoop {
        let place = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        return loops[Int(UInt(bitPattern: place) % UInt(loops.count))]
    }

    /// Stops all loops and returns when their threads have ended.
    package func shutDown() async {
        for loop in loops { loop.stop() }
        for loop in loops { await loop.shutDown() }
    }
}
