/// Stand-in.
public enum JSONValue: Sendable, Hashable { case null }
