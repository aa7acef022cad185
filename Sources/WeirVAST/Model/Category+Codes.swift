extension Category {
    /// The codes one by one: several may stand in one element, with commas or blanks between.
    public var codes: [Category] {
        code.split { $0 == "," || $0.isWhitespace }.map { Category(authority: authority, code: String($0)) }
    }

    /// Whether both are one code of one list; a list that is not named stands for any, and case does not matter.
    public func matches(_ other: Category) -> Bool {
        guard code.lowercased() == other.code.lowercased() else { return false }
        guard let authority, let named = other.authority else { return true }
        return authority.lowercased() == named.lowercased()
    }
}
