public import WeirModel

/// What an adapter says about itself.
public struct AdapterDescriptor: Sendable, Hashable {
    /// The word configuration uses, such as `vast`.
    public var kind: String
    /// The adapter's own version.
    public var version: String
    /// The version of this contract it was written for.
    public var api: Int
    /// What it can load.
    public var formats: Set<AdFormat>

    /// A descriptor for contract version 1.
    public init(kind: String, version: String, formats: Set<AdFormat>) {
        self.kind = kind
        self.version = version
        self.formats = formats
        api = 1
    }
}

/// How a network joins Weir: one value per configured network, for as long as the configuration lives.
///
/// An adapter says how to start, what to send, and what the answer means. The core does everything else: sockets,
/// deadlines, caps, consent, the breaker, VAST, metrics, the trace.
///
/// **It may assume** that `setUp` is called once at a time and never beside `tearDown`; that `load` may come many times
/// at once, and before `setUp` has ended when the network is asked though not ready (S2.33); that personal data in an
/// ask has already been removed where consent demands it.
///
/// **It must promise** to open no socket itself (the context's transport does), to keep no unbounded state, and to end
/// soon after its task is cancelled. One that ignores cancellation is left behind and counted, never waited for.
///
/// Nearly every adapter is an ``HTTPAdapter``: two pure functions.
public protocol NetworkAdapter: Sendable {
    /// What the adapter says about itself.
    var descriptor: AdapterDescriptor { get }

    /// Prepares the network; the default is ready at once.
    ///
    /// Runs under `initialization.timeout_ms`, and goes on beyond it: a late success still counts. A thrown failure
    /// that is `retryable` is tried again with back-off.
    ///
    /// - Parameter progress: Told what is being waited for, so that an operator can read it at any time.
    /// - Throws: ``SetUpFailure`` with what was tried and what the operator can do.
    func setUp(_ progress: SetUpProgress) async throws(SetUpFailure)

    /// Asks the network for ads.
    ///
    /// - Parameter ask: Everything the network may know.
    /// - Returns: Offers, or that the network has nothing to sell, which is no error.
    /// - Throws: ``AdapterError`` when something broke. Cancellation ends the call early with any error.
    func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome

    /// Ends what `setUp` began; the default does nothing.
    func tearDown() async
}

extension NetworkAdapter {
    /// Ready at once.
    public func setUp(_ progress: SetUpProgress) async throws(SetUpFailure) {}

    /// Nothing to end.
    public func tearDown() async {}
}

/// An adapter whose network is asked by one HTTP request: two pure halves, `load` comes with it.
public protocol HTTPAdapter: NetworkAdapter {
    /// What the core handed to the factory.
    var context: AdapterContext { get }

    /// Our words into the network's words.
    func request(for ask: AdAsk) throws(AdapterError) -> OutboundRequest

    /// The network's words into ours.
    ///
    /// Only a reply of status 200 with a body arrives here; ``StatusVerdict`` has judged the rest.
    func outcome(of reply: InboundResponse, for ask: AdAsk) throws(AdapterError) -> LoadOutcome
}

extension HTTPAdapter {
    /// Sends ``request(for:)`` and reads the reply by ``StatusVerdict`` and ``outcome(of:for:)``.
    public func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        let request = try request(for: ask)
        let reply = try await context.send(request, for: ask)
        switch StatusVerdict(reply) {
        case .noFill(let noFill): return .noFill(noFill)
        case .failure(let error): throw error
        case .readBody: return try outcome(of: reply, for: ask)
        }
    }
}
