// make bench-vast: reading against xmllint's tree in the same run, allocations, and what the resolver adds to a hop.
import CAllocationCount
import Glibc
import WeirTime
import WeirVAST

if CommandLine.arguments.contains("--hops") {
    await Hops.measure()
    exit(0)
}
let folder = CommandLine.arguments.dropFirst().first ?? "../shared/data/vast"
guard let corpus = Corpus(folder: folder) else {
    print("bench-vast: there are no documents in \(folder); set WEIR_SHARED.")
    exit(1)
}
let repetitions = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 100

/// A number with so many decimals.
func text(_ value: Double, _ decimals: Int) -> String {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let whole = Int((value * scale).rounded())
    guard decimals > 0 else { return String(whole) }
    let digits = String(abs(whole))
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return (whole < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
}

/// Reads every document `count` times; returns the processor time.
func read(_ count: Int) -> Double {
    let begin = Processor.own
    var ads = 0
    for _ in 0..<count {
        for document in corpus.documents { ads &+= VASTReader.read(document).counts.ads }
    }
    precondition(ads > 0)
    return Processor.own - begin
}

_ = read(2)
// The quickest round is the one that other programs disturbed least.
let rounds = 7
var ours: [Double] = []
var theirs: [Double] = []
for _ in 0..<rounds {
    ours.append(read(repetitions) / Double(repetitions))
    if let seconds = Xmllint.run(corpus.paths) { theirs.append(seconds / Double(Xmllint.repetitions)) }
}
let count = Double(corpus.documents.count)
let own = ours.min() ?? 0
print(
    "\(corpus.documents.count) documents, \(corpus.bytes / corpus.documents.count) bytes on average, one thread, processor time of the quickest round"
)
print("WeirVAST, bytes to model:  \(text(count / own, 0)) documents/s, \(text(own / count * 1e6, 1)) µs each")
if theirs.count == rounds {
    let limit = theirs.min() ?? 0
    print("xmllint, bytes to tree:    \(text(count / limit, 0)) documents/s, \(text(limit / count * 1e6, 1)) µs each")
    print("ratio:                     \(text(limit / own, 2)) (at least 0.60 is wanted)")
} else {
    print("xmllint is not here: no ratio (Debian package libxml2-utils)")
}
let before = allocation_count()
for document in corpus.documents { _ = VASTReader.read(document) }
print("allocations:               \(text(Double(allocation_count() - before) / count, 0)) a document")
await Hops.measure()
