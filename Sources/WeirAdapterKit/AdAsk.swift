public import WeirModel
public import WeirTime

/// One question to one network: everything it may know, and by when it must answer.
///
/// A value: what one adapter does with it, no other can see. Where consent demands it, personal data is already gone
/// from ``request`` (age, gender, language, user and advertising ids).
public struct AdAsk: Sendable {
    /// The ad request's id; stable through all its attempts.
    public var requestID: RequestID
    /// What the caller asked for.
    public var request: AdRequest
    /// The ad unit that is being filled.
    public var adUnit: AdUnit
    /// The line item whose turn it is.
    public var lineItem: LineItem
    /// The instant after which an answer is of no use.
    public var deadline: Deadline
    /// Whether a test ad is wanted, by the caller or by the environment.
    public var isTest: Bool
    /// W3C trace context to pass on.
    public var traceParent: String?
    /// Where requests and replies are kept when the caller asked for a trace.
    public var trace: TraceRecorder?

    /// A question with all its parts.
    public init(
        requestID: RequestID,
        request: AdRequest,
        adUnit: AdUnit,
        lineItem: LineItem,
        deadline: Deadline,
        isTest: Bool = false,
        traceParent: String? = nil,
        trace: TraceRecorder? = nil
    ) {
        self.requestID = requestID
        self.request = request
        self.adUnit = adUnit
        self.lineItem = lineItem
        self.deadline = deadline
        self.isTest = isTest
        self.traceParent = traceParent
        self.trace = trace
    }
}
