/// The content codings of one answer, undone one after the other.
///
/// Neither what comes in nor what any layer unfolds may be longer than the body may be: a few hundred bytes can unfold to
/// gigabytes of a coding that in turn unfolds to nothing, and who undoes it serves nobody else meanwhile.
struct BodyDecoder {
    /// More codings on top of each other than anybody uses; each may unfold a thousandfold.
    static let maxCodings = 5

    /// What a coding may add to bytes that it cannot make shorter.
    private static let slack = 65536

    private let layers: [Inflater]
    /// What each layer may still unfold, and at the end what may still come in.
    private var left: [Int]

    /// Undoes `codings`, given in the order in which they were applied, of a body of at most `maxBytes`.
    init(_ codings: [Inflater.Coding] = [], maxBytes: Int = 0) {
        layers = codings.map { Inflater($0) }
        let (limit, isHuge) = maxBytes.addingReportingOverflow(Self.slack)
        // Most bodies have no coding, and nothing to be counted here.
        left = codings.isEmpty ? [] : Array(repeating: isHuge ? .max : limit, count: codings.count + 1)
    }

    /// Whether bytes pass as they are.
    var isIdle: Bool { layers.isEmpty }

    /// Undoes all codings of `bytes`, the last applied first, and hands on what comes out.
    ///
    /// - Returns: `stopped` when the receiver wants no more, or when it is longer than the body may be.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer,
        _ receive: (UnsafeRawBufferPointer) -> Bool
    ) -> Inflater.Outcome {
        if isIdle { return receive(bytes) ? .taken : .stopped }
        return take(bytes, through: layers.count, receive)
    }

    private mutating func take(
        _ bytes: UnsafeRawBufferPointer,
        through count: Int,
        _ receive: (UnsafeRawBufferPointer) -> Bool
    ) -> Inflater.Outcome {
        left[count] -= bytes.count
        guard left[count] >= 0 else { return .stopped }
        if count == 0 { return receive(bytes) ? .taken : .stopped }
        var inner = Inflater.Outcome.taken
        let layer = layers[count - 1]
        let outer = layer.take(bytes) { portion in
            inner = take(portion, through: count - 1, receive)
            return inner == .taken
        }
        return inner == .taken ? outer : inner
    }
}
