import WeirJSON
import WeirTelemetry
import WeirTime

/// A clock that stands still: log lines carry its one instant.
struct StoppedClock: GatewayClock {
    let now = ContinuousClock.now
    let wallNow = WallTime(milliseconds: 1_767_225_600_250)

    func sleep(until instant: ContinuousClock.Instant) async throws {
        throw CancellationError()
    }
}

/// A sink that remembers, and that can be made to block.
final class LogCapture: Sendable {
    private let bytes = Lock<[UInt8]>([])
    let started = Doorbell()
    let mayGoOn = Doorbell()
    let blocks: Bool

    init(blocks: Bool = false) {
        self.blocks = blocks
    }

    var sink: LogWriter.Sink {
        { lines in
            if self.blocks {
                self.started.ring()
                self.mayGoOn.wait(atMost: .seconds(20))
            }
            self.bytes.withLock { $0 += lines }
        }
    }

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

    var lines: [String] { text.split(separator: "\n").map(String.init) }

    var events: [JSONValue] { lines.compactMap { try? JSONReader.read($0) } }
}
