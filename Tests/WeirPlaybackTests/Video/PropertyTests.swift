import Glibc
import Testing
import WeirPlayback

/// The invariants of docs/playback.md over random schedules and random inputs.
///
/// `WEIR_SEQUENCES` sets how many sequences there are (100,000), `WEIR_SEED` the first seed; a failure prints its
/// seed. `WEIR_TRACE` prints every input and output.
@Suite("Playback invariants")
struct PropertyTests {
    /// How many sequences each of the parts plays.
    private static let parts = 2

    @Test("SX.1 SX.2 SX.4 the invariants hold over 100,000 random input sequences", arguments: 0..<parts)
    func invariants(part: Int) {
        let sequences = Self.number("WEIR_SEQUENCES") ?? 100_000
        let firstSeed = Self.number("WEIR_SEED") ?? UInt64.random(in: 0 ... .max / 2)
        let share = sequences / UInt64(Self.parts)
        print("playback invariants: \(share) sequences from seed \(firstSeed), part \(part)")
        for number in 0..<share {
            let seed = firstSeed &+ UInt64(part) &* share &+ number
            if let violation = Self.play(seed: seed) {
                Issue.record("\(violation); WEIR_SEED=\(seed) WEIR_SEQUENCES=\(Self.parts) plays it again")
                return
            }
        }
    }

    /// Plays one sequence and destroys the session; returns the first broken promise.
    private static func play(seed: UInt64) -> String? {
        var play = RandomPlay(seed: seed)
        var machine = VideoMachine(play.configuration())
        var log = OutputLog<VideoOutput>(limit: 64)
        var invariants = Invariants()
        var clock = Duration.zero
        let isTraced = getenv("WEIR_TRACE") != nil
        let length = 8 + play.random.below(24)
        for _ in 0..<length {
            clock += .milliseconds(play.random.below(play.random.once(in: 10) ? 9_000 : 600))
            let input = play.input(machine)
            let outputs = log.append(machine.handle(input, at: clock))
            if isTraced { print("\(clock) \(input) -> \(outputs.map { "\($0.type)\($0.output.details)" })") }
            invariants.watch(outputs)
            _ = machine.customUI
            if let violation = invariants.violation { return "\(violation), after \(input.type)" }
        }
        invariants.watch(log.append(machine.handle(.destroy, at: clock)))
        invariants.finish(machine)
        return invariants.violation
    }

    private static func number(_ name: String) -> UInt64? {
        getenv(name).flatMap { UInt64(String(cString: $0)) }
    }
}
