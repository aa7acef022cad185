internal import CZ

/// Undoes one content coding of the gzip family, piece by piece.
///
/// It looks back at most 32 KiB, whatever the sender claims; what it unfolds goes out in small portions, so that whoever
/// takes them can stop at its limit. Not safe to share.
final class Inflater {
    /// What became of a piece.
    enum Outcome: Hashable {
        case taken
        /// The receiver wants no more.
        case stopped
        /// The bytes are not what the coding allows.
        case bad
    }

    /// The codings that are asked for.
    enum Coding: Hashable {
        case gzip
        /// What HTTP calls deflate: zlib's format, or, as some servers have it, the bare blocks.
        case deflate
    }

    /// Unfolded bytes of one portion.
    private static let portionBytes = 16384
    /// Added to the window's bits, gzip's head is told apart from zlib's.
    private static let anyHead: Int32 = 32

    private let coding: Coding
    // zlib keeps a pointer to it, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isOpen: Bool
    private var hasEnded = false
    /// Whether a member of a gzip file has just ended, and another may follow.
    private var isBetweenMembers = false
    /// The first bytes, until it is certain that they are zlib's head.
    private var head: [UInt8] = []

    init(_ coding: Coding) {
        self.coding = coding
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isOpen = weir_inflate_init(stream, MAX_WBITS + Self.anyHead) == Z_OK
    }

    deinit {
        if isOpen { inflateEnd(stream) }
        stream.deallocate()
    }

    /// Unfolds `bytes` and hands the portions to `receive`, which says whether it wants more.
    ///
    /// gzip may have several members (RFC 1952 2.2). Whatever else follows the end of the coded bytes is left out.
    func take(_ bytes: UnsafeRawBufferPointer, _ receive: (UnsafeRawBufferPointer) -> Bool) -> Outcome {
        if bytes.isEmpty || hasEnded { return .taken }
        guard isOpen else { return .bad }
        guard coding == .deflate, head.count < 2 else { return inflate(bytes, receive) }
        // Two bytes tell zlib's format (RFC 1950 2.2: a check of the first two) from bare blocks.
        head.append(contentsOf: bytes)
        guard head.count >= 2 else { return .taken }
        if (Int(head[0]) << 8 | Int(head[1])) % 31 != 0 || head[0] & 15 != 8 {
            guard inflateReset2(stream, -MAX_WBITS) == Z_OK else { return .bad }
        }
        return head.withUnsafeBytes { inflate($0, receive) }
    }

    private func inflate(_ bytes: UnsafeRawBufferPointer, _ receive: (UnsafeRawBufferPointer) -> Bool) -> Outcome {
        let start = bytes.baseAddress.map { UnsafeMutableRawPointer(mutating: $0).assumingMemoryBound(to: UInt8.self) }
        stream.pointee.next_in = start
        stream.pointee.avail_in = UInt32(clamping: bytes.count)
        return withUnsafeTemporaryAllocation(byteCount: Self.portionBytes, alignment: 16) { portion in
            repeat {
                if isBetweenMembers, !beginMember() { return .taken }
                stream.pointee.next_out = portion.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.pointee.avail_out = UInt32(portion.count)
                let code = CZ.inflate(stream, Z_NO_FLUSH)
                let made = portion.count - Int(stream.pointee.avail_out)
                if made > 0 && !receive(UnsafeRawBufferPointer(rebasing: portion[..<made])) { return .stopped }
                if code == Z_STREAM_END {
                    (hasEnded, isBetweenMembers) = (coding != .gzip, coding == .gzip)
                    if stream.pointee.avail_in > 0 && !hasEnded { continue }
                    return .taken
                }
                // Z_BUF_ERROR: everything has been read, and the portion happened to be full the last time.
                if code != Z_OK && code != Z_BUF_ERROR { return .bad }
            } while stream.pointee.avail_out == 0 || isBetweenMembers
            return .taken
        }
    }

    /// Whether what follows a member is another one.
    private func beginMember() -> Bool {
        isBetweenMembers = false
        hasEnded = stream.pointee.next_in.pointee != 0x1F || inflateReset2(stream, MAX_WBITS + Self.anyHead) != Z_OK
        return !hasEnded
    }
}
