/// What is known about a moment, for filling macros (VAST 4.3 §6).
///
/// A missing value becomes `-1` (unknown, would be shared) unless ``withheld`` names the macro (`-2`, will not be shared).
public struct MacroContext: Hashable, Sendable {
    /// One macro's value, before encoding.
    public enum Value: Hashable, Sendable {
        /// Encoded as a whole.
        case text(String)
        /// Encoded one by one, with plain commas between.
        case list([String])
        /// A number.
        case number(Int)
    }

    /// Values by macro name, without brackets.
    public var values: [String: Value]
    /// Macros whose value is known but not to be told.
    public var withheld: Set<String>

    /// A context with these values.
    public init(values: [String: Value] = [:], withheld: Set<String> = []) {
        self.values = values
        self.withheld = withheld
    }

    /// The value of a macro.
    public subscript(_ name: String) -> Value? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The same context with one more text.
    public func setting(_ name: String, to text: String) -> MacroContext {
        var copy = self
        copy.values[name] = .text(text)
        return copy
    }

    /// The same context with an error code under both names in use: VAST's and VMAP's.
    public func setting(error code: VASTErrorCode, message: String = "") -> MacroContext {
        var copy = self
        copy.values["ERRORCODE"] = .number(code.rawValue)
        copy.values["ERROR_CODE"] = .number(code.rawValue)
        copy.values["ERROR_MESSAGE"] = .text(message)
        return copy
    }
}
