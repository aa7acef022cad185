internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel
internal import WeirRuntime
internal import WeirTime

extension AdapterCase {
    /// The longest a case may take beyond the time of its ask, before its adapter counts as stuck.
    static let patience: Duration = .seconds(10)

    /// Plays the case over real sockets: the adapter's requests go through the real client to a server that answers by
    /// the steps.
    ///
    /// - Parameters:
    ///   - subject: The adapter.
    ///   - network: The server.
    ///   - lines: Gets what the adapter logs, until its end.
    /// - Returns: What differs from the case, one sentence each; nothing when the adapter does as the case says.
    func run(_ subject: ConformanceSubject, over network: FakeNetwork, lines: LastLines) async -> [String] {
        let clock = RuntimeClock()
        let caseClock = CaseClock()
        let script = CaseScript(self)
        let conversation = network.converse { script.scripted($0) }
        defer { network.end(conversation) }
        let context = AdapterContext(
            network: "network",
            transport: network.transport(conversation),
            clock: caseClock
        ) { line in
            script.log(line)
            lines.append(line)
        }
        let actual: JSONValue
        do {
            let settings = settings.isEmptyObject ? subject.settings : settings
            try Self.check(settings: settings, subject.factory)
            let adapter = try subject.factory.make(settings, context)
            let value = await race(until: .after(Self.patience, clock: clock), clock: clock) { () async -> JSONValue in
                if let failure = await subject.prepare(adapter) {
                    // A process has said all it will say when it is gone.
                    await adapter.tearDown()
                    return ["set_up_failure": .string(failure.reason)]
                }
                caseClock.begin()
                let value = await adapter.caseOutcome(of: AdAsk(ask, clock: caseClock))
                await adapter.tearDown()
                return value
            }
            actual = value ?? [:]
            if value == nil { script.complain("the adapter did not end within \(Self.patience.milliseconds) ms") }
        } catch {
            actual = ["settings_error": ["path": .string(error.path), "message": .string(error.message)]]
        }
        for difference in conversation.wireDifferences { script.complain(difference) }
        return script.differences(actual)
    }
}

extension CaseScript {
    /// The answer to a request, for a real server.
    fileprivate func scripted(_ request: OutboundRequest) -> Conversation.Answer {
        guard let reply = reply(to: request) else { return .failure(.cancelled) }
        if let failure = reply.failure {
            return RoutedTransport.answer(for: failure).map(Conversation.Answer.reply) ?? .failure(failure)
        }
        do { return .reply(try reply.scripted()) } catch {
            complain("\(error)")
            return .failure(.cancelled)
        }
    }
}

extension Conversation {
    /// Where what arrived is not what the adapter sent.
    fileprivate var wireDifferences: [String] {
        exchanges.enumerated().compactMap { number, exchange in
            guard let arrival = exchange.arrival,
                let place = ConversationPlace(conversation: self.number, number: number, url: exchange.request.url)
            else { return nil }
            let sent = Arrival(
                method: exchange.request.method,
                target: place.path,
                body: exchange.request.body
            )
            return arrival == sent
                ? nil : "the network received \(arrival.method) \(arrival.target), which is not what was sent"
        }
    }
}

extension JSONValue {
    /// Whether nothing is said.
    fileprivate var isEmptyObject: Bool { object?.isEmpty ?? isNull }
}
