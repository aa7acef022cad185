import WeirAdapterKit

@testable import WeirHTTP

/// Feeds bytes to the reader of networks' answers, all at once and then in pieces: both must come to the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAnswers(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    let whole = outcome(bytes, pieces: bytes.count)
    precondition(whole == outcome(bytes, pieces: 1), "It matters how the bytes arrive: \(whole).")
    precondition(
        whole == outcome(bytes, pieces: Int(bytes.first ?? 0) % 7 + 2),
        "It matters how the bytes arrive: \(whole)."
    )
    return 0
}

/// What a connection would make of the bytes: one line an answer, and what ends them.
private func outcome(_ bytes: [UInt8], pieces: Int) -> [String] {
    let reader = ResponseReader()
    let rules = ResponseReader.Rules(maxHeaderBytes: 2000, maxBodyBytes: 4000, isHead: bytes.last == 0x48)
    reader.begin(rules)
    var result: [String] = []
    var start = 0
    while start < bytes.count {
        let end = min(start + max(1, pieces), bytes.count)
        let (consumed, event) = bytes[start..<end].withUnsafeBytes { reader.read($0) }
        precondition(consumed <= end - start && (event != .needsMore || consumed == end - start))
        start += consumed
        switch event {
        case .needsMore: continue
        // Which of two limits is met first is a matter of the pieces.
        case .fault: return result + ["fault"]
        case .complete:
            let keepsAlive = reader.keepsAlive
            let answer = reader.takeResponse()
            precondition(answer.body.count <= rules.maxBodyBytes && (100...599).contains(answer.status))
            result.append("\(answer.status) \(answer.headers) \(answer.body) \(keepsAlive)")
            if !keepsAlive { return result }
            reader.begin(rules)
        }
    }
    return result + ["\(reader.finish())"]
}
