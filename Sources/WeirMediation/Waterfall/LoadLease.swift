internal import Synchronization

/// One load of an adapter whose deadline nobody but a race enforces: it may be given up and end later, or never.
final class LoadLease: Sendable {
    private enum Phase: UInt8, AtomicRepresentable {
        case underWay
        case leftBehind
        case ended
    }

    private let handle: NetworkHandle
    private let phase = Atomic(Phase.underWay)

    init(_ handle: NetworkHandle) {
        self.handle = handle
    }

    /// The load was given up; nothing happens when it has just ended.
    func leave() {
        if phase.compareExchange(expected: .underWay, desired: .leftBehind, ordering: .acquiringAndReleasing).exchanged
        {
            handle.loadLeftBehind()
        }
    }

    /// The load really ended.
    func end() {
        let before = phase.exchange(.ended, ordering: .acquiringAndReleasing)
        handle.loadEnded(wasLeftBehind: before == .leftBehind)
    }
}
