import Synchronization
import WeirTime

@testable import WeirRuntime

/// A loop on its own thread for the length of one test.
func withLoop<Value: Sendable>(_ body: @Sendable (EventLoop) async throws -> Value) async throws -> Value {
    let loop = EventLoop()
    try loop.start()
    do {
        let value = try await body(loop)
        await loop.shutDown()
        return value
    } catch {
        await loop.shutDown()
        throw error
    }
}

/// Notes taken by several threads.
final class Notes<Note: Sendable>: Sendable {
    private let notes = Lock<[Note]>([])

    var all: [Note] { notes.withLock { $0 } }

    func add(_ note: Note) { notes.withLock { $0.append(note) } }

    func clear() { notes.withLock { $0 = [] } }
}

/// A number counted up by several threads.
final class Tally: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add(_ step: Int = 1) { count.wrappingAdd(step, ordering: .relaxed) }
}
