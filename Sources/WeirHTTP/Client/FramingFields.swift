/// The fields of a head that say where the answer ends, and what must be undone.
///
/// They are the ones on which two readers must not differ, so a spelling that some would overlook is refused.
struct FramingFields: Hashable {
    /// What a line of a head means for the framing.
    enum Meaning: Hashable {
        /// Nothing, or the same as an earlier line.
        case other
        case bad
        /// A transfer coding that was not asked for.
        case badCoding
        case length(String)
        case chunked
        case connection(String)
    }

    private var hasLength = false
    private var hasCoding = false
    private var lastWasFraming = false

    /// Whether the head has a length and a coding, of which the coding counts.
    var isAmbiguous: Bool { hasLength && hasCoding }

    /// Looks at a line of the head after the status line.
    mutating func note(_ line: UnsafeRawBufferPointer) -> Meaning {
        guard let first = line.first else { return .other }
        // A folded line (RFC 9112 5.2) goes on with the one before it.
        if first == .space || first == .tab { return lastWasFraming ? .bad : .other }
        lastWasFraming = false
        guard let colon = line.firstIndex(of: .colon) else { return .other }
        let raw = UnsafeRawBufferPointer(rebasing: line[..<colon])
        let name = raw.trimmingBlanks()
        guard let field = Field(name) else { return .other }
        lastWasFraming = true
        if name.count != raw.count { return .bad }
        let value = UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]).trimmingBlanks()
        switch field {
        case .length:
            // The collector has made sure that a second one says the same.
            if hasLength { return .other }
            hasLength = true
            return .length(String(decoding: value, as: UTF8.self))
        case .coding:
            if value.equalsIgnoringCase("identity") { return .other }
            guard value.equalsIgnoringCase("chunked"), !hasCoding else { return .badCoding }
            hasCoding = true
            return .chunked
        case .connection: return .connection(String(decoding: value, as: UTF8.self))
        // Its spelling counts here; what it lists is the collector's to note.
        case .contentCoding: return .other
        }
    }

    /// Whether a line is neither a field, nor the continuation of one, nor the end of an interim head.
    static func isNoField(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let first = line.first, first != .space, first != .tab, !line.contains(.colon) else { return false }
        return !line.trimmingBlanks().isEmpty
    }

    private enum Field {
        case length
        case coding
        case connection
        case contentCoding

        init?(_ name: UnsafeRawBufferPointer) {
            // The lengths tell most fields from these without a look at their letters.
            switch name.count {
            case 10 where name.equalsIgnoringCase("connection"): self = .connection
            case 14 where name.equalsIgnoringCase("content-length"): self = .length
            case 16 where name.equalsIgnoringCase("content-encoding"): self = .contentCoding
            case 17 where name.equalsIgnoringCase("transfer-encoding"): self = .coding
            default: return nil
            }
        }
    }
}
