internal import CLLHTTP

/// What llhttp's callbacks write down while it runs.
struct ParserNotes {
    var maxHeaders = 0
    /// The first byte of the head being parsed.
    var base: UnsafeRawPointer?
    var target = 0..<0
    var fields: [RequestHeaders.Field] = []
    var body: [UInt8] = []
    /// Body bytes that may still come.
    var bodyRoom = 0
    var refusal: ProtocolFault?
    /// Trailer lines are checked and dropped.
    var ignoresFields = false
    var isComplete = false

    init(maxHeaders: Int = 0) {
        self.maxHeaders = maxHeaders
        // What a browser sends; more lines make it grow.
        if maxHeaders > 0 { fields.reserveCapacity(min(maxHeaders, 12)) }
    }

    private func range(_ start: UnsafePointer<CChar>?, _ count: Int) -> Range<Int> {
        guard let start, let base else { return 0..<0 }
        let offset = UnsafeRawPointer(start) - base
        return offset..<(offset + count)
    }

    /// How many of `bytes` the parser had taken when it paused.
    func pausedAt(_ bytes: UnsafeRawBufferPointer, _ parser: UnsafeMutablePointer<llhttp_t>) -> Int {
        guard let position = llhttp_get_error_pos(parser), let base = bytes.baseAddress else { return bytes.count }
        return min(max(0, UnsafeRawPointer(position) - base), bytes.count)
    }

    /// The callbacks, shared by all parsers.
    ///
    /// `nonisolated(unsafe)`: written once, before its first use, and only read from then on.
    nonisolated(unsafe) static let settings: UnsafeMutablePointer<llhttp_settings_t> = {
        let settings = UnsafeMutablePointer<llhttp_settings_t>.allocate(capacity: 1)
        llhttp_settings_init(settings)
        settings.pointee.on_url = { parser, start, count in
            note(parser) { notes in
                notes.target = notes.range(start, count)
                return 0
            }
        }
        settings.pointee.on_header_field = { parser, start, count in
            note(parser) { $0.addName(start, count) }
        }
        settings.pointee.on_header_value = { parser, start, count in
            note(parser) { $0.addValue(start, count) }
        }
        settings.pointee.on_headers_complete = { parser in
            // An upgrade is never granted; without this llhttp would leave off parsing.
            parser?.pointee.upgrade = 0
            return 0
        }
        settings.pointee.on_chunk_header = { parser in
            let size = parser?.pointee.content_length ?? 0
            return note(parser) { $0.beginChunk(size) }
        }
        settings.pointee.on_body = { parser, start, count in
            note(parser) { $0.addBody(start, count) }
        }
        settings.pointee.on_message_complete = { parser in
            note(parser) { notes in
                notes.isComplete = true
                return pause
            }
        }
        return settings
    }()

    private static let pause = Int32(HPE_PAUSED.rawValue)
    private static let refuse: Int32 = -1

    private static func note(
        _ parser: UnsafeMutablePointer<llhttp_t>?,
        _ body: (inout ParserNotes) -> Int32
    ) -> Int32 {
        guard let owner = parser?.pointee.data else { return refuse }
        return body(&Unmanaged<RequestReader>.fromOpaque(owner).takeUnretainedValue().notes)
    }

    private mutating func addName(_ start: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
        if ignoresFields { return 0 }
        if fields.count >= maxHeaders {
            refusal = .headTooLarge
            return Self.refuse
        }
        fields.append(RequestHeaders.Field(name: range(start, count), value: 0..<0))
        return 0
    }

    private mutating func addValue(_ start: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
        if ignoresFields || fields.isEmpty { return 0 }
        fields[fields.count - 1].value = range(start, count)
        return 0
    }

    private mutating func beginChunk(_ size: UInt64) -> Int32 {
        if size == 0 { return Self.pause }
        if size > UInt64(max(0, bodyRoom - body.count)) {
            refusal = .bodyTooLarge
            return Self.refuse
        }
        return 0
    }

    private mutating func addBody(_ start: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
        if body.count + count > bodyRoom {
            refusal = .bodyTooLarge
            return Self.refuse
        }
        body.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
        return 0
    }
}

extension RequestHeaders.Field {
    /// RFC 9110, 5.5: white space after a value belongs to nobody.
    func trimmed(in bytes: [UInt8]) -> RequestHeaders.Field {
        var end = value.upperBound
        while end > value.lowerBound, bytes[end - 1] == .space || bytes[end - 1] == .tab { end -= 1 }
        return RequestHeaders.Field(name: name, value: value.lowerBound..<end)
    }
}
