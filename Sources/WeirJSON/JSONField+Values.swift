/// The value itself, as a type; a mismatch is noted and answers `nil`.
extension JSONField {
    /// This as a string of at most `maxBytes`.
    public func string(maxBytes: Int = JSONField.stringBytes) -> String? {
        guard let text = value.string else { return mismatch("a string") }
        guard text.utf8.count <= maxBytes else {
            complain("is longer than \(maxBytes) bytes")
            return nil
        }
        return text
    }

    /// This as a string that is not empty.
    public func filledString(maxBytes: Int = JSONField.stringBytes) -> String? {
        guard let text = string(maxBytes: maxBytes) else { return nil }
        if text.isEmpty {
            complain("must not be empty")
            return nil
        }
        return text
    }

    /// This as a whole number in `range`.
    public func int(in range: ClosedRange<Int> = .min ... .max) -> Int? {
        guard let number = value.number else { return mismatch("a whole number") }
        guard let int = value.int else {
            let isWhole = number.text.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 | 0x20 != UInt8(ascii: "e") }
            complain(isWhole ? "is beyond the range of whole numbers" : "must be a whole number, not \(number.text)")
            return nil
        }
        guard range.contains(int) else {
            complain(rangeMessage(range, int))
            return nil
        }
        return int
    }

    /// This as a number in `range`.
    public func double(in range: ClosedRange<Double>? = nil) -> Double? {
        guard let number = value.number else { return mismatch("a number") }
        guard let double = number.double, range?.contains(double) ?? true else {
            let bounds = range.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? " that a double can hold"
            complain("must be a number\(bounds), not \(number.text)")
            return nil
        }
        return double
    }

    /// This as the text of a decimal number, written as a number or as a string; the text is not checked further.
    public func decimalText() -> String? {
        if let number = value.number { return number.text }
        guard let text = value.string else { return mismatch("a decimal number or a string that holds one") }
        return text
    }

    /// This as a truth value.
    public func bool() -> Bool? { value.bool ?? mismatch("true or false") }

    /// This as an object, to be read further.
    public func object() -> JSONField? { value.object == nil ? mismatch("an object") : self }

    /// The elements of this array, each with its path; at most `maxCount`.
    public func elements(maxCount: Int = 10_000) -> [JSONField]? {
        guard let array = value.array else { return mismatch("an array") }
        guard array.count <= maxCount else {
            complain("has \(array.count) elements; at most \(maxCount) are allowed")
            return nil
        }
        return array.enumerated().map { JSONField($1, path: path.index($0), problems: problems) }
    }

    /// The members of this object, each with its key and path.
    public func members() -> [(key: String, field: JSONField)]? {
        guard let object = value.object else { return mismatch("an object") }
        return object.members.map { ($0.key, JSONField($0.value, path: path.key($0.key), problems: problems)) }
    }

    /// The strings of this array; elements of other types are noted and left out.
    public func strings(maxCount: Int = 10_000) -> [String]? {
        elements(maxCount: maxCount)?.compactMap { $0.string() }
    }

    /// The whole numbers of this array; elements of other types or outside `range` are noted and left out.
    public func ints(in range: ClosedRange<Int> = .min ... .max, maxCount: Int = 10_000) -> [Int]? {
        elements(maxCount: maxCount)?.compactMap { $0.int(in: range) }
    }

    /// The strings of this object by key, in order; members of other types are noted and left out.
    public func stringMembers() -> [(key: String, value: String)]? {
        members()?.compactMap { key, field in field.string().map { (key, $0) } }
    }

    /// This as one of `names`.
    public func choice(_ names: [String]) -> String? {
        guard let text = string() else { return nil }
        if names.contains(text) { return text }
        let nearest = NearestName.of(text, among: names)
        let list = names.map { "`\($0)`" }.joined(separator: ", ")
        complain("must be one of \(list)", hint: nearest.map { "Did you mean `\($0)`?" })
        return nil
    }

    /// This as one case of an enumeration whose raw values are the names.
    public func choice<Choice>(_ type: Choice.Type) -> Choice?
    where Choice: RawRepresentable<String> & CaseIterable {
        choice(Choice.allCases.map(\.rawValue)).flatMap(Choice.init(rawValue:))
    }

    private func rangeMessage(_ range: ClosedRange<Int>, _ value: Int) -> String {
        switch (range.lowerBound, range.upperBound) {
        case (0, .max): "must not be negative"
        case (let low, .max): "must be at least \(low), not \(value)"
        case (.min, let high): "must be at most \(high), not \(value)"
        case (let low, let high): "must be from \(low) to \(high), not \(value)"
        }
    }
}
