import Testing
import WeirMediation

@Suite("Hybrid order")
struct HybridOrderTests {
    private typealias Rank = HybridOrder.Rank
    private typealias Entry = HybridOrder.Entry

    private static func order(_ steps: [Int64?], _ bids: [Int64], bidsFirst: Bool = false) -> [Entry] {
        // The configuration lists all steps, then all bids, or the other way round.
        let (first, second) = bidsFirst ? (bids.count, 0) : (0, steps.count)
        return HybridOrder.entries(
            steps: steps.enumerated().map { Rank(position: first + $0, worth: $1) },
            bids: bids.enumerated().map { Rank(position: second + $0, worth: $1) }
        )
    }

    @Test("a bid stands before the first step that is worth less")
    func insertion() {
        #expect(Self.order([9, 5, 2], [4, 10, 1]) == [.bid(1), .step(0), .step(1), .bid(0), .step(2), .bid(2)])
    }

    @Test("at the same worth the one that was configured first stands first")
    func ties() {
        #expect(Self.order([5], [5]) == [.step(0), .bid(0)])
        #expect(Self.order([5], [5], bidsFirst: true) == [.bid(0), .step(0)])
        #expect(Self.order([], [5, 5, 5]) == [.bid(0), .bid(1), .bid(2)])
        #expect(Self.order([5, 5], [5], bidsFirst: true) == [.bid(0), .step(0), .step(1)])
    }

    @Test("a step without a rate is worth less than any bid")
    func unrated() {
        #expect(Self.order([nil, 9, nil], [1, 0]) == [.bid(0), .bid(1), .step(0), .step(1), .step(2)])
        #expect(Self.order([9, nil], [1]) == [.step(0), .bid(0), .step(1)])
    }

    @Test("nothing is left of nothing")
    func empty() {
        #expect(Self.order([], []).isEmpty)
        #expect(Self.order([1, nil], []) == [.step(0), .step(1)])
    }

    @Test("over 20,000 random waterfalls the order is total, stable and sorted")
    func property() {
        var random = SplitMix(seed: 20_260)
        for _ in 0..<20_000 {
            // Few different worths, so that ties are common.
            let places = (0..<Int.random(in: 0...12, using: &random)).map { $0 }.shuffled(using: &random)
            let split = Int.random(in: 0...places.count, using: &random)
            var steps = places[..<split].map { position in
                Rank(
                    position: position,
                    worth: Int.random(in: 0...4, using: &random) == 0 ? nil : Int64.random(in: 0...4, using: &random)
                )
            }
            let isByRate = Bool.random(using: &random)
            steps.sort { left, right in
                guard isByRate, left.worth != right.worth else { return left.position < right.position }
                return (left.worth ?? .min) > (right.worth ?? .min)
            }
            let bids = places[split...].map { Rank(position: $0, worth: Int64.random(in: 0...4, using: &random)) }
            check(HybridOrder.entries(steps: steps, bids: bids), steps, bids, isByRate: isByRate)
        }
    }

    private func check(_ entries: [Entry], _ steps: [Rank], _ bids: [Rank], isByRate: Bool) {
        // Everybody exactly once.
        #expect(Set(entries).count == entries.count && entries.count == steps.count + bids.count)
        let stepOrder = entries.compactMap { if case .step(let number) = $0 { number } else { nil } }
        #expect(stepOrder == Array(steps.indices))
        let ranks = entries.map { entry in
            switch entry {
            case .step(let number): (rank: steps[number], isBid: false)
            case .bid(let number): (rank: bids[number], isBid: true)
            }
        }
        for (place, later) in ranks.enumerated() where later.isBid {
            for earlier in ranks[..<place] {
                // Nobody who is worth less stands before a bid; of equal ones the first configured does.
                let (before, after) = (earlier.rank.worth ?? .min, later.rank.worth ?? .min)
                if earlier.isBid || isByRate {
                    #expect(before > after || (before == after && earlier.rank.position < later.rank.position))
                }
            }
            // In list order a step that is worth less may stand before a bid only behind one that is worth more… never:
            // the first step worth less is where the bid stands.
            #expect(!ranks[..<place].contains { !$0.isBid && ($0.rank.worth ?? .min) < (later.rank.worth ?? .min) })
        }
        if isByRate {
            let worths = ranks.map { $0.rank.worth ?? .min }
            #expect(worths == worths.sorted(by: >))
        }
    }
}
