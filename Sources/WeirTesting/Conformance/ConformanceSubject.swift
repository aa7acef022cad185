public import WeirAdapterKit
public import WeirJSON

/// An adapter under test: how it is made, with which settings, and the cases that its author wrote.
public struct ConformanceSubject: Sendable {
    /// What people call it: a kind, or the file it came from.
    public var name: String
    /// Makes the adapters.
    public var factory: AdapterFactory
    /// The settings of a case that names none, and of the faults when there is no case.
    public var settings: JSONValue
    /// The author's cases, the exemplary ones first.
    public var cases: [AdapterCase]
    /// Whether the adapter answers only after its set-up: one that lives in a process of its own.
    public var needsSetUp: Bool

    /// A subject.
    public init(
        name: String,
        factory: AdapterFactory,
        settings: JSONValue = [:],
        cases: [AdapterCase] = [],
        needsSetUp: Bool = false
    ) {
        self.name = name
        self.factory = factory
        self.settings = settings
        self.cases = cases
        self.needsSetUp = needsSetUp
    }

    /// Sets an adapter up where it answers only afterwards.
    ///
    /// - Returns: Why it could not be.
    func prepare(_ adapter: any NetworkAdapter) async -> SetUpFailure? {
        guard needsSetUp else { return nil }
        do throws(SetUpFailure) {
            try await adapter.setUp(SetUpProgress())
            return nil
        } catch {
            return error
        }
    }
}
