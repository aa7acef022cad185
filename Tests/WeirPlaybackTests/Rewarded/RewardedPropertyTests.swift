import Glibc
import Testing
import WeirModel
import WeirVAST

@testable import WeirPlayback

@Suite("Rewarded invariants")
struct RewardedPropertyTests {
    /// `WEIR_SEQUENCES` sets how many there are (100,000), `WEIR_SEED` the first seed; a failure prints its own.
    @Test("SX.1 SX.2 SX.4 hold over 100,000 random sequences of inputs", arguments: 0..<4)
    func invariants(_ part: Int) {
        let content = Coins.content()
        let share = (Dice.number("WEIR_SEQUENCES") ?? 100_000) / 4
        let first = Dice.number("WEIR_SEED") ?? UInt64.random(in: 0 ... .max / 2)
        print("rewarded invariants: \(share) sequences from seed \(first), part \(part)")
        for number in 0..<share {
            let seed = first &+ UInt64(part) &* share &+ number
            var random = Dice(seed: seed)
            if let complaint = Self.run(&random, content) {
                Issue.record("\(complaint); WEIR_SEED=\(seed) WEIR_SEQUENCES=4 plays it again")
                return
            }
        }
    }

    /// One life of an ad; what it broke, in words.
    private static func run(_ random: inout Dice, _ content: RewardedContent) -> String? {
        var settings = RewardedSettings()
        settings.expires = .seconds(60)
        settings.autoload = random.below(8) != 0
        var machine = RewardedMachine(settings: settings)
        var log = OutputLog<RewardedOutput>(limit: 10_000)
        var elapsed = Duration.zero
        let checksRefusals = random.below(16) == 0
        var told: [String] = []
        var beacons: [String] = []
        for _ in 0..<(4 + random.below(16)) {
            elapsed += .seconds(random.below(20) == 0 ? random.below(50) : random.below(3))
            let before = checksRefusals ? machine : nil
            let outputs =
                random.below(12) == 0
                ? machine.timePassed(at: elapsed) : machine.handle(input(&random, content), at: elapsed)
            log.append(outputs)
            // What time itself brought may come before a refusal; apart from that nothing may have changed.
            if var waited = before, outputs.contains(where: { if case .refused = $0 { true } else { false } }) {
                _ = waited.timePassed(at: elapsed)
                if waited.snapshot != machine.snapshot || waited.state != machine.state {
                    return "a refusal changed something"
                }
            }
            for output in outputs {
                if let beacon = output.beacon, beacon.beacon.name != "click" { beacons.append(beacon.beacon.url) }
                if case .failedToPresent(_, _, isEnd: false) = output { continue }
                told.append(output.type)
            }
        }
        log.append(
            machine.handle(.destroy, at: elapsed).map { output in
                told.append(output.type)
                if let beacon = output.beacon { beacons.append(beacon.beacon.url) }
                return output
            }
        )
        return complaint(told, beacons, log)
    }

    private static func complaint(
        _ told: [String],
        _ beacons: [String],
        _ log: OutputLog<RewardedOutput>
    ) -> String? {
        func count(_ names: String...) -> Int { told.count { names.contains($0) } }
        func place(_ name: String) -> Int? { told.firstIndex(of: name) }
        if log.outputs.map(\.seq) != Array(1..<(log.lastSeq + 1)) { return "numbers have gaps" }
        if count("ads_loaded", "load_failed") != 1 { return "a load ended \(count("ads_loaded", "load_failed")) times" }
        if count("dismissed", "failed_to_present") != count("play_ad") {
            return "a presentation did not end once: \(told)"
        }
        if count("earned_reward") > 1 { return "rewarded twice" }
        if count("play_ad") > 1 { return "presented twice" }
        for name in ["will_present", "impression", "will_dismiss", "expired"] where count(name) > 1 {
            return "\(name) twice"
        }
        let order = ["play_ad", "will_present", "impression", "will_dismiss", "dismissed"].compactMap(place)
        if order != order.sorted() { return "out of order: \(told)" }
        if let dismissed = place("dismissed"),
            told[(dismissed + 1)...].contains(where: { $0 == "impression" || $0 == "click" })
        {
            return "an event after the end: \(told)"
        }
        if Set(beacons).count != beacons.count { return "a tracker twice: \(beacons)" }
        let quartiles = ["start", "q1", "q2", "q3", "complete"].compactMap {
            beacons.firstIndex(of: "https://t.test/\($0)")
        }
        if quartiles != quartiles.sorted() { return "quartiles out of order: \(beacons)" }
        return nil
    }

    private static func input(_ random: inout Dice, _ content: RewardedContent) -> RewardedInput {
        switch random.below(24) {
        case 0: .load
        case 1, 2, 3: .loaded(content)
        case 4: .loadFailed(code: "x", message: "y")
        case 5: .setSSVOptions(.init(userID: "u"))
        case 6, 7, 8: .present(optIn: random.below(6) != 0)
        case 9: .willPresent
        case 10, 11: .impression
        case 12: .click
        case 13, 14: .earnedReward
        case 15: .willDismiss
        case 16: .dismissed(earnedReward: random.below(2) == 0)
        case 17: random.below(3) == 0 ? .failedToPresent(reason: "z") : .muted
        case 18: .paused
        case 19: .resumed
        case 20, 21, 22: .progress(position: .milliseconds(random.below(40_000)), duration: nil)
        default: random.below(3) == 0 ? .destroy : .completed
        }
    }
}

/// Repeatable random numbers (SplitMix64).
struct Dice {
    private(set) var state: UInt64

    init(seed: UInt64) { state = seed }

    /// A number from the environment.
    static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0, below `bound`.
    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }
}
