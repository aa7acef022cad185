/// Members by key: the optional ones may be absent or `null`, the required ones are noted when they are.
extension JSONField {
    /// The string `key`, when there is one.
    public func optionalString(_ key: String, maxBytes: Int = JSONField.stringBytes) -> String? {
        member(key)?.string(maxBytes: maxBytes)
    }

    /// The string `key`, which must be there and not be empty.
    public func requiredString(_ key: String, maxBytes: Int = JSONField.stringBytes) -> String? {
        requiredMember(key)?.filledString(maxBytes: maxBytes)
    }

    /// The whole number `key`, when there is one.
    public func optionalInt(_ key: String, range: ClosedRange<Int> = .min ... .max) -> Int? {
        member(key)?.int(in: range)
    }

    /// The whole number `key`, which must be there.
    public func requiredInt(_ key: String, range: ClosedRange<Int> = .min ... .max) -> Int? {
        requiredMember(key)?.int(in: range)
    }

    /// The number `key`, when there is one.
    public func optionalDouble(_ key: String, range: ClosedRange<Double>? = nil) -> Double? {
        member(key)?.double(in: range)
    }

    /// The truth value `key`, when there is one.
    public func optionalBool(_ key: String) -> Bool? { member(key)?.bool() }

    /// The object `key`, when there is one.
    public func optionalObject(_ key: String) -> JSONField? { member(key)?.object() }

    /// The object `key`, which must be there.
    public func requiredObject(_ key: String) -> JSONField? { requiredMember(key)?.object() }

    /// The elements of the array `key`; empty when it is absent.
    public func elements(_ key: String, maxCount: Int = 10_000) -> [JSONField] {
        member(key)?.elements(maxCount: maxCount) ?? []
    }

    /// The strings of the array `key`; empty when it is absent.
    public func strings(_ key: String, maxCount: Int = 10_000) -> [String] {
        member(key)?.strings(maxCount: maxCount) ?? []
    }

    /// The whole numbers of the array `key`; empty when it is absent.
    public func ints(
        _ key: String,
        range: ClosedRange<Int> = .min ... .max,
        maxCount: Int = 10_000
    ) -> [Int] {
        member(key)?.ints(in: range, maxCount: maxCount) ?? []
    }

    /// The strings of the object `key`, in order; empty when it is absent.
    public func stringMembers(_ key: String) -> [(key: String, value: String)] {
        member(key)?.stringMembers() ?? []
    }

    /// The case named by the string `key`, when there is one.
    public func optionalChoice<Choice>(_ key: String, _ type: Choice.Type) -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        member(key)?.choice(type)
    }

    /// The case named by the string `key`, which must be there.
    public func requiredChoice<Choice>(_ key: String, _ type: Choice.Type) -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        requiredMember(key)?.choice(type)
    }
}
