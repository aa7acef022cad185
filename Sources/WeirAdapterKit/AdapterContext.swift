public import WeirJSON
public import WeirModel
public import WeirTime

/// What the core hands an adapter: the only doors to the outside.
public struct AdapterContext: Sendable {
    /// The network this adapter speaks for.
    public var network: NetworkID
    /// The way to it.
    public var transport: any HTTPTransport
    /// The time.
    public var clock: any GatewayClock
    /// Writes one line to the log; secrets of the configuration are blacked out.
    public var log: @Sendable (String) -> Void

    /// A context.
    public init(
        network: NetworkID,
        transport: any HTTPTransport,
        clock: any GatewayClock,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.network = network
        self.transport = transport
        self.clock = clock
        self.log = log
    }

    /// Sends a request for an ask: passes the trace context on and keeps both halves for the trace.
    ///
    /// - Returns: The reply, whatever its status.
    /// - Throws: ``AdapterError`` when there is none.
    public func send(_ request: OutboundRequest, for ask: AdAsk) async throws(AdapterError) -> InboundResponse {
        var request = request
        if let traceParent = ask.traceParent { request.headers.append(HTTPHeader("traceparent", traceParent)) }
        do {
            let reply = try await transport.send(request, deadline: ask.deadline)
            ask.trace?.record(lineItem: ask.lineItem.id, request: request, reply: reply)
            return reply
        } catch {
            ask.trace?.record(lineItem: ask.lineItem.id, request: request, failure: error)
            throw AdapterError(error)
        }
    }
}

/// Bad settings: the path within `settings`, and one sentence.
public struct SettingsError: Error, Sendable, Hashable {
    /// Where, such as `settings.tag_url`.
    public var path: String
    /// What is wrong and what would be right.
    public var message: String

    /// A complaint.
    public init(path: String, message: String) {
        self.path = path
        self.message = message
    }
}

/// Makes adapters of one kind; the composition root lists all of them.
public struct AdapterFactory: Sendable {
    /// What the adapters say about themselves.
    public var descriptor: AdapterDescriptor
    /// The setting names that are known; an unknown one is an error with the nearest known name.
    public var settings: [String]
    /// The settings that must be given as `{"env": …}` or `{"file": …}`, never written out.
    public var secrets: Set<String> = []
    /// Makes one, without any I/O.
    ///
    /// Secrets in the settings are already resolved to their text.
    public var make:
        @Sendable (_ settings: JSONValue, _ context: AdapterContext) throws(SettingsError) -> any NetworkAdapter

    /// A factory.
    public init(
        descriptor: AdapterDescriptor,
        settings: [String],
        make:
            @escaping @Sendable (_ settings: JSONValue, _ context: AdapterContext) throws(SettingsError) ->
            any NetworkAdapter
    ) {
        self.descriptor = descriptor
        self.settings = settings
        self.make = make
    }
}
