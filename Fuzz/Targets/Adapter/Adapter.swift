import WeirAdapterKit
import WeirModel

@testable import WeirCarriers

/// Reads bytes as what an adapter's process writes: it does not matter in which pieces they arrive, every line is a message
/// or a fault, and a message is the same after writing and reading.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAdapter(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    let lines = pieces(bytes, step: max(1, bytes.count))
    precondition(pieces(bytes, step: 1) == lines, "The pieces matter.")
    for case .line(let line) in lines {
        precondition(line.count <= longestLine, "A line is longer than allowed.")
        do throws(AdapterAnswer.Fault) { try check(AdapterAnswer(line: line)) } catch {
            precondition(!error.reason.isEmpty, "It does not say why.")
        }
    }
    return 0
}

/// Short, so that lines beyond the limit are tried as well.
private let longestLine = 4096

private func pieces(_ bytes: [UInt8], step: Int) -> [LineSplitter.Piece] {
    var splitter = LineSplitter(limit: longestLine, kept: 256)
    var pieces: [LineSplitter.Piece] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
        pieces += splitter.feed(Array(bytes[start..<min(bytes.count, start + step)]))
    }
    return pieces + splitter.finish()
}

private func check(_ answer: AdapterAnswer) throws(AdapterAnswer.Fault) {
    let line = answer.line
    precondition(line.last == 0x0A && line.count { $0 == 0x0A } == 1, "It is not one line.")
    if case .outcome(.success(.fill(let offers))) = answer.content {
        precondition(!offers.isEmpty && offers.count <= AdapterProtocol.offerCount, "So many offers cannot be.")
    }
    let again: AdapterAnswer
    do { again = try AdapterAnswer(line: Array(line.dropLast())) } catch {
        preconditionFailure("What was written cannot be read: it \(error.reason)")
    }
    precondition(again.id == answer.id && again.line == line, "It is not what was written.")
}
