@testable import WeirHTTP

/// Feeds bytes to the request reader, all at once and then in pieces: both must come to the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    let whole = outcomes(bytes, pieces: [bytes.count])
    let step = Int(bytes.first ?? 0) % 7 + 1
    let pieces = outcomes(bytes, pieces: Array(repeating: step, count: bytes.count / step + 1))
    precondition(whole == pieces, "It matters how the bytes arrive: \(whole) and \(pieces).")
    return 0
}

/// What a connection would make of the bytes: one line a request, and the fault that ends them.
private func outcomes(_ bytes: [UInt8], pieces: [Int]) -> [String] {
    let reader = RequestReader(configuration: ServerConfiguration(), peerAddress: "192.0.2.1")
    var result: [String] = []
    var pending: [UInt8] = []
    var rest = bytes[...]
    for piece in pieces {
        pending += rest.prefix(piece)
        rest = rest.dropFirst(piece)
        var goesOn = true
        while goesOn {
            let (consumed, event) = pending.withUnsafeBytes { reader.read($0) }
            precondition(consumed <= pending.count)
            pending.removeFirst(consumed)
            switch event {
            // A head that was taken leaves its body to the next call.
            case .needsMore: goesOn = consumed > 0 && !pending.isEmpty
            case .continueWanted: continue
            case .request(let request):
                let target = request.path + "?" + (request.query ?? "")
                let headers = request.headers.pairs.map { "\($0.name): \($0.value)" }
                result.append("\(request.method) \(target) \(headers) \(request.body)")
                guard reader.keepsAlive else { return result }
                reader.reset()
                goesOn = !pending.isEmpty
            case .fault(let fault): return result + ["\(fault)"]
            }
        }
    }
    return result
}
