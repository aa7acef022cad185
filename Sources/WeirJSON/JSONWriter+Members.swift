/// Whole members and containers in one call.
extension JSONWriter {
    /// Writes an object whose members `body` writes.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    /// Writes an array whose elements `body` writes.
    public mutating func array(_ body: (inout JSONWriter) -> Void) {
        beginArray()
        body(&self)
        endArray()
    }

    /// Writes a member that is an object.
    public mutating func object(_ key: String, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        object(body)
    }

    /// Writes a member that is an array.
    public mutating func array(_ key: String, _ body: (inout JSONWriter) -> Void) {
        self.key(key)
        array(body)
    }

    /// Writes a string member; `nil` is `null`.
    public mutating func member(_ key: String, _ value: String?) {
        self.key(key)
        if let value { string(value) } else { null() }
    }

    /// Writes a whole-number member; `nil` is `null`.
    @inlinable
    public mutating func member(_ key: String, _ value: (some BinaryInteger)?) {
        self.key(key)
        if let value { int(value) } else { null() }
    }

    /// Writes a truth-value member; `nil` is `null`.
    public mutating func member(_ key: String, _ value: Bool?) {
        self.key(key)
        if let value { bool(value) } else { null() }
    }

    /// Writes a number member; `nil` is `null`.
    public mutating func member(_ key: String, _ value: Double?) {
        self.key(key)
        if let value { double(value) } else { null() }
    }

    /// Writes a member of any shape; `nil` is `null`.
    public mutating func member(_ key: String, _ value: JSONValue?) {
        self.key(key)
        self.value(value ?? .null)
    }

    /// Writes a member that is an array of strings.
    public mutating func member(_ key: String, _ values: [String]) {
        array(key) { json in for value in values { json.string(value) } }
    }

    /// Writes a member that is `null`.
    public mutating func nullMember(_ key: String) {
        self.key(key)
        null()
    }

    /// Writes a value of any shape.
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let number): self.number(number)
        case .string(let value): string(value)
        case .array(let elements): array { json in for element in elements { json.value(element) } }
        case .object(let object):
            self.object { json in
                for member in object.members { json.member(member.key, member.value) }
            }
        }
    }
}

extension JSONValue {
    /// The value as JSON bytes.
    public func encoded(pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(pretty: pretty)
        writer.value(self)
        return writer.bytes
    }

    /// The value as JSON text.
    public var encodedText: String { String(decoding: encoded(), as: UTF8.self) }
}
