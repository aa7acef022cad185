internal import Glibc
internal import WeirAdapterKit
internal import WeirJSON
internal import WeirRuntime
internal import WeirTime

/// What one load costs by each carrier, side by side in one run.
///
/// `bench-adapters [--rounds N] PROCESS…`
///
/// The network answers at once and in memory, so that nothing but the adapter and its carrier is measured. Rounds of
/// all carriers take turns; the medians are told. Limits of the carriers are checked: the exit code is 1 when one is
/// exceeded.
@main
enum AdapterBench {
    /// Rounds of each carrier, unless told otherwise.
    private static let usualRounds = 9

    static func main() async {
        var words = Array(CommandLine.arguments.dropFirst())
        var rounds = usualRounds
        if let place = words.firstIndex(of: "--rounds"), words.indices.contains(place + 1) {
            rounds = Int(words[place + 1]) ?? rounds
            words.removeSubrange(place...(place + 1))
        }
        do {
            let loop = EventLoop()
            try loop.start()
            let carriers = try await Carriers.all(loop: loop, commands: words)
            for carrier in carriers { await carrier.load(carrier.loads / 4, on: loop) }
            var measured = carriers.map { _ in [Cost]() }
            for _ in 0..<rounds {
                for (index, carrier) in carriers.enumerated() {
                    measured[index].append(await carrier.measure(on: loop))
                }
            }
            let isGood = report(carriers, measured, rounds)
            for carrier in carriers { await carrier.adapter.tearDown() }
            await loop.shutDown()
            exit(isGood ? 0 : 1)
        } catch {
            print("\(error)")
            exit(2)
        }
    }

    private static func report(_ carriers: [Carrier], _ measured: [[Cost]], _ rounds: Int) -> Bool {
        print("One load, median of \(rounds) rounds, in microseconds:")
        print(row("", "wall", "CPU here", "CPU there", "limit"))
        var isGood = true
        for (carrier, costs) in zip(carriers, measured) {
            let cost = Cost.median(costs)
            isGood = isGood && carrier.limit.map { cost.judged <= $0 } ?? true && costs.allSatisfy(\.isComplete)
            print(
                row(
                    carrier.name,
                    text(cost.wall),
                    text(cost.here),
                    carrier.process == nil ? "" : text(cost.there),
                    carrier.limit.map { "\(text($0)) \(cost.judged <= $0 ? "kept" : "EXCEEDED")" } ?? ""
                )
            )
        }
        return isGood
    }

    private static func row(_ cells: String...) -> String {
        let widths = [34, 9, 9, 10, 0]
        return zip(cells, widths).enumerated().map { index, cell in
            let blanks = String(repeating: " ", count: max(0, cell.1 - cell.0.count))
            return index == 0 ? cell.0 + blanks : (index == 4 ? "  " + cell.0 : blanks + cell.0)
        }.joined()
    }

    private static func text(_ time: Duration) -> String {
        let nanoseconds = time.components.attoseconds / 1_000_000_000 + time.components.seconds * 1_000_000_000
        let hundredths = nanoseconds / 10
        return "\(hundredths / 100).\(String(hundredths % 100 + 100).dropFirst())"
    }
}

/// What one load cost, averaged over a round.
struct Cost: Sendable {
    /// By the clock on the wall, as many in flight as the carrier says.
    var wall: Duration
    /// CPU of this process.
    var here: Duration
    /// CPU of the adapter's process.
    var there: Duration
    /// Whether every load was a fill.
    var isComplete: Bool

    /// What the limit is held against: all CPU where one process does everything, else the time of a load.
    var judged: Duration { there == .zero ? here : max(wall, here + there) }

    /// The median of each part.
    static func median(_ costs: [Cost]) -> Cost {
        func middle(_ part: (Cost) -> Duration) -> Duration {
            let sorted = costs.map(part).sorted()
            return sorted[sorted.count / 2]
        }
        return Cost(wall: middle(\.wall), here: middle(\.here), there: middle(\.there), isComplete: true)
    }
}
