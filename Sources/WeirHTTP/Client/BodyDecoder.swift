/// The content codings of one answer, undone one after the other.
struct BodyDecoder {
    /// More codings on top of each other than anybody uses; each may unfold a thousandfold.
    static let maxCodings = 5

    private var layers: [Inflater] = []

    /// Whether bytes pass as they are.
    var isIdle: Bool { layers.isEmpty }

    /// Adds the codings that a `Content-Encoding` field lists, in the order in which they were applied.
    ///
    /// - Returns: `false` when there are more than ``maxCodings``.
    mutating func add(_ codings: [Inflater.Coding]) -> Bool {
        if layers.count + codings.count > Self.maxCodings { return false }
        layers += codings.map { Inflater($0) }
        return true
    }

    /// Undoes all codings of `bytes`, the last applied first, and hands on what comes out.
    func take(_ bytes: UnsafeRawBufferPointer, _ receive: (UnsafeRawBufferPointer) -> Bool) -> Inflater.Outcome {
        take(bytes, through: layers.count, receive)
    }

    private func take(
        _ bytes: UnsafeRawBufferPointer,
        through count: Int,
        _ receive: (UnsafeRawBufferPointer) -> Bool
    ) -> Inflater.Outcome {
        if count == 0 { return receive(bytes) ? .taken : .stopped }
        var inner = Inflater.Outcome.taken
        let outer = layers[count - 1].take(bytes) { portion in
            inner = take(portion, through: count - 1, receive)
            return inner == .taken
        }
        return inner == .taken ? outer : inner
    }
}
