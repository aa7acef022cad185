import Testing
import WeirTime

@testable import WeirVAST

/// What holds for every document, tried on many made at random; a seed that fails can be tried alone.
@Suite("Properties")
struct PropertyTests {
    @Test("a random document is the same after writing and reading, in both modes", arguments: 0..<25)
    func survives(block: Int) {
        for seed in (block * 20)..<(block * 20 + 20) {
            var random = RandomDocument(seed: UInt64(seed))
            let document = random.document()
            let output = VASTWriter.write(document)
            #expect(Self.read(output.bytes, .lenient) == document, "seed \(seed)")
            #expect(Self.read(output.bytes, .strict) == document, "seed \(seed)")
            #expect(output.remarks.isEmpty)
        }
    }

    /// The model of a written document; an impression that the writer adds where none is leaves no trace in it.
    private static func read(_ bytes: [UInt8], _ options: ReadOptions) -> VASTDocument? {
        VASTReader.read(bytes, options: options).vast
    }

    @Test(
        "converted to any version, a random document is readable, and stable when it is converted again",
        arguments: 0..<10
    )
    func converts(block: Int) {
        for seed in (block * 20)..<(block * 20 + 20) {
            var random = RandomDocument(seed: UInt64(seed))
            let document = random.document()
            for version in VASTVersion.allCases {
                let once = VASTWriter.convert(document, to: version)
                guard let again = VASTReader.read(once.bytes).vast else {
                    Issue.record("seed \(seed) to \(version)")
                    continue
                }
                #expect(again.ads.count == document.ads.count)
                let twice = VASTWriter.convert(again, to: version)
                #expect(twice.bytes == once.bytes, "seed \(seed) to \(version)")
                #expect(twice.remarks.isEmpty, "seed \(seed) to \(version): \(twice.remarks)")
            }
        }
    }

    @Test("a random document resolves, and every ad has a verdict", arguments: 0..<10)
    func resolves(block: Int) async {
        for seed in (block * 10)..<(block * 10 + 10) {
            var random = RandomDocument(seed: UInt64(seed))
            let document = random.document()
            let resolution = await VASTResolver().resolve(Reading(content: .vast(document)), clock: FixedClock()) { _ in
                .failed(.status(404), message: "404")
            }
            #expect(resolution.ads.isEmpty == (resolution.refusal != nil))
            for ad in resolution.ads {
                var tracking = AdTracking(ad: ad)
                #expect(tracking.take(.started).count >= ad.impressions.count)
                #expect(tracking.take(.started).isEmpty)
            }
        }
    }

    @Test("documents of the corpus with bytes changed at random never trap", arguments: Corpus.entries)
    func mutatedCorpus(entry: Corpus.Entry) {
        Self.mutate(Corpus.bytes(entry), rounds: 12, seed: UInt64(entry.file.utf8.count))
    }

    @Test("random bytes never trap", arguments: 0..<20)
    func randomBytes(block: Int) {
        var generator = SmallGenerator(seed: UInt64(block))
        for _ in 0..<60 {
            let count = Int.random(in: 0...400, using: &generator)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            _ = VASTReader.read(bytes)
            bytes = Array("<VAST version=\"4.2\"><Ad>".utf8) + bytes
            _ = VASTReader.read(bytes, options: .strict)
        }
    }

    /// Changes, drops, doubles and moves pieces of a document; what is read must be written and read again.
    private static func mutate(_ bytes: [UInt8], rounds: Int, seed: UInt64) {
        guard bytes.count > 2 else { return }
        var generator = SmallGenerator(seed: seed)
        for _ in 0..<rounds {
            var mutant = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<mutant.count, using: &generator)
                let end = min(mutant.count, place + Int.random(in: 1...20, using: &generator))
                switch Int.random(in: 0...3, using: &generator) {
                case 0: mutant[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: mutant.removeSubrange(place..<end)
                case 2: mutant.insert(contentsOf: mutant[place..<end], at: place)
                default: mutant.insert(contentsOf: mutant[place..<end], at: mutant.count / 2)
                }
                if mutant.count < 2 { break }
            }
            guard let document = VASTReader.read(mutant).vast else { continue }
            #expect(VASTReader.read(VASTWriter.write(document).bytes).vast == document)
        }
    }
}
