internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel
internal import WeirRuntime
internal import WeirTime

/// Where faults are sent: an adapter, the fake network, and the good answers that can be distorted.
struct FaultStage: Sendable {
    /// What an adapter has to answer, unless a fault says otherwise.
    static let time: Duration = .seconds(10)

    let subject: ConformanceSubject
    let network: FakeNetwork
    let goods: [GoodAnswer]
    /// How long after its time, or after it was cancelled, a call may end.
    var grace = AdapterConformance.usualGrace
    /// Gets what the adapters of this stage log.
    var lines = LastLines()
    let clock = RuntimeClock()

    /// An adapter and its conversation, for one fault.
    struct Actor: Sendable {
        let adapter: any NetworkAdapter
        let conversation: Conversation
        let log: LogLines
    }

    /// Makes an adapter whose requests are answered by `answer`.
    ///
    /// - Throws: `SettingsError` when it refuses its settings.
    func actor(
        _ settings: JSONValue? = nil,
        good: GoodAnswer? = nil,
        _ answer: @escaping @Sendable (OutboundRequest) -> Conversation.Answer
    ) throws(SettingsError) -> Actor {
        let conversation = network.converse(answer)
        let log = LogLines()
        let context = AdapterContext(
            network: "network",
            transport: network.transport(conversation),
            clock: clock
        ) { [lines] line in
            log.append(line)
            lines.append(line)
        }
        let adapter = try subject.factory.make(settings ?? self.settings(good), context)
        return Actor(adapter: adapter, conversation: conversation, log: log)
    }

    /// The settings that a fault plays with: those of its good answer, or of the first case that speaks with a network.
    func settings(_ good: GoodAnswer? = nil) -> JSONValue {
        let settings = (good?.example ?? example)?.settings ?? [:]
        return settings.object?.isEmpty ?? true ? subject.settings : settings
    }

    /// The ask of a fault.
    func ask(_ good: GoodAnswer? = nil, time: Duration = time, trace: TraceRecorder? = nil) -> AdAsk {
        var body = (good?.example ?? example)?.ask.object ?? JSONObject()
        let formats = subject.factory.descriptor.formats
        if body["format"] == nil, let format = AdFormat.allCases.first(where: formats.contains) {
            body["format"] = .string(format.rawValue)
        }
        var ask = AdAsk(.object(body), clock: clock)
        ask.deadline = .after(time, clock: clock)
        ask.trace = trace
        return ask
    }

    /// The case that faults without a good answer borrow settings and ask from.
    private var example: AdapterCase? {
        goods.first?.example ?? subject.cases.first { !$0.steps.isEmpty && $0.outcome["settings_error"] == nil }
    }

    /// Answers the requests before the last as the good case does, and the last one and all further by `reply`.
    func script(
        _ good: GoodAnswer?,
        _ reply: @escaping @Sendable (OutboundRequest, Int) -> SandboxReply
    ) -> @Sendable (OutboundRequest) -> Conversation.Answer {
        let count = Lock(0)
        let earlier = good?.earlier ?? []
        return { request in
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return .reply(earlier.indices.contains(number) ? earlier[number] : reply(request, number))
        }
    }

    /// Asks once, the network answering with `reply`.
    ///
    /// - Throws: `SettingsError` when the adapter refuses its settings, or cannot be set up.
    func play(
        _ reply: SandboxReply,
        good: GoodAnswer? = nil,
        time: Duration = time
    ) async throws(SettingsError) -> FaultObservation {
        let actor = try actor(good: good, script(good) { _, _ in reply })
        defer { network.end(actor.conversation) }
        try await prepare(actor)
        let observation = await load(actor, ask(good, time: time))
        await tearDown(actor)
        return observation
    }

    /// Sets up an adapter that answers only afterwards.
    func prepare(_ actor: Actor) async throws(SettingsError) {
        guard let failure = await subject.prepare(actor.adapter) else { return }
        await tearDown(actor)
        throw SettingsError(path: "set-up", message: "failed: \(failure.reason)")
    }

    /// One call, however it ends.
    func load(_ actor: Actor, _ ask: AdAsk) async -> FaultObservation {
        let start = clock.now
        let limit = Deadline(ask.deadline.instant.advanced(by: grace))
        let end = await race(until: limit, clock: clock) { () async -> FaultObservation.End in
            do throws(AdapterError) { return .outcome(try await actor.adapter.load(ask)) } catch {
                return .error(error)
            }
        }
        return FaultObservation(
            end: end ?? .stuck,
            elapsed: start.duration(to: clock.now),
            exchanges: actor.conversation.exchanges
        )
    }

    /// Ends an adapter; one that does not end is left behind.
    func tearDown(_ actor: Actor) async {
        _ = await race(until: .after(grace, clock: clock), clock: clock) { await actor.adapter.tearDown() }
    }
}

extension FaultStage {
    /// The good answers of the exemplary cases: each is played once, undistorted.
    static func goods(_ subject: ConformanceSubject, _ network: FakeNetwork) async -> [GoodAnswer] {
        var goods: [GoodAnswer] = []
        for example in subject.cases where example.isGood {
            guard
                let replies = try? example.steps.map({
                    try CaseReply($0.reply, directory: example.directory).scripted()
                }), let last = replies.last
            else { continue }
            let body: [UInt8] = if case .bytes(let bytes) = last.body { bytes } else { [] }
            let plain = GoodAnswer(
                example: example,
                earlier: Array(replies.dropLast()),
                reply: last,
                body: body,
                offers: []
            )
            let stage = FaultStage(subject: subject, network: network, goods: [plain])
            guard let seen = try? await stage.play(last, good: plain), !seen.offers.isEmpty,
                seen.exchanges.count == replies.count
            else { continue }
            var good = GoodAnswer(
                example: example,
                earlier: plain.earlier,
                reply: last,
                body: body,
                offers: seen.offers
            )
            if var alone = await stage.alone(good) {
                if alone.price == nil { alone.triedPrice = await stage.priceByTrial(alone) }
                goods.append(alone)
            }
            if good.price == nil { good.triedPrice = await stage.priceByTrial(good) }
            goods.append(good)
        }
        // What is distorted should be the only thing on offer.
        return goods.filter { $0.offers.count == 1 } + goods.filter { $0.offers.count != 1 }
    }
}

extension FaultStage {
    /// The same answer with one of its ads alone, found by leaving the elements of its lists away; `nil` when it has one
    /// only, or when its ads stand in no list.
    private func alone(_ good: GoodAnswer) async -> GoodAnswer? {
        guard good.offers.count > 1, var json = good.json else { return nil }
        var found: GoodAnswer?
        var tries = GoodAnswer.mostTries
        var count = good.offers.count
        for list in json.lists() where count > 1 {
            // One list lies within another: what was left away above is gone.
            guard let elements = json[list]?.array, elements.count > 1 else { continue }
            for element in elements where tries > 0 {
                tries -= 1
                let less = json.replacing([list], with: [element])
                let reply = good.answer(less)
                guard let seen = try? await play(reply, good: good), seen.exchanges.count == good.requestCount,
                    (1..<count).contains(seen.offers.count)
                else { continue }
                found = GoodAnswer(
                    example: good.example,
                    earlier: good.earlier,
                    reply: reply,
                    body: less.encoded(),
                    offers: seen.offers
                )
                (json, count) = (less, seen.offers.count)
                break
            }
        }
        return found
    }

    /// Where the price stands when neither its name nor its value tells: the number that makes another price of it.
    private func priceByTrial(_ good: GoodAnswer) async -> JSONPlace? {
        guard let price = good.offers.first?.price else { return nil }
        for (place, answer) in good.trials {
            guard let seen = try? await play(answer, good: good), let other = seen.offers.first?.price else { continue }
            if other != price, other.currency == price.currency { return place }
        }
        return nil
    }
}

extension AdapterCase {
    /// Whether a network answers and an ad comes of it.
    fileprivate var isGood: Bool {
        outcome["result"]?.string == "fill" && !steps.isEmpty
            && steps.allSatisfy { step in
                let status = step.reply["status"]?.int ?? 200
                return (200..<300).contains(status) && step.reply["failure"] == nil && step.reply["close_after"] == nil
                    && step.reply["repeat_bytes"] == nil
            }
    }
}
