internal import WeirAdapterKit
internal import WeirModel
internal import WeirRuntime
internal import WeirTime

/// Many calls at once, and calls that are given up.
extension Fault {
    static let behaviours: [Fault] = [hundredAtOnce, cancelled]

    private static let hundredAtOnce = Fault(
        name: "hundred_at_once",
        sent: "a good answer to each of \(ManyCalls.count) calls at once",
        fix: "Keep nothing of a call in the adapter: what belongs to one lives in load's own values."
    ) { (stage) throws(SettingsError) in
        guard let good = stage.goods.first(where: { $0.withMarkup("") != nil }) ?? stage.goods.first else {
            return stage.needsExample
        }
        let calls = ManyCalls(good)
        let actor = try stage.actor(good: good) { _ in .reply(calls.answer()) }
        defer { stage.network.end(actor.conversation) }
        try await stage.prepare(actor)
        let complaint = await calls.run(stage, actor)
        await stage.tearDown(actor)
        return complaint.map { .failed($0) } ?? .passed("\(ManyCalls.count) fills")
    }

    private static let cancelled = Fault(
        name: "cancelled",
        sent: "no answer, and then the call is cancelled",
        fix: "Wait for nothing but the context's transport and clock, which end with the task; start no detached task."
    ) { (stage) throws(SettingsError) in
        let actor = try stage.actor { _ in
            var reply = SandboxReply()
            reply.delay = .fixed(.seconds(3600))
            return .reply(reply)
        }
        defer { stage.network.end(actor.conversation) }
        try await stage.prepare(actor)
        // Time enough that only the cancellation can end it.
        let ask = stage.ask(time: .seconds(3600))
        let ended = Flag()
        let call = Task {
            _ = try? await actor.adapter.load(ask)
            ended.raise()
        }
        let hasAsked = await stage.comesTrue { actor.conversation.exchanges.last?.arrival != nil || ended.isRaised }
        if ended.isRaised {
            return actor.conversation.exchanges.isEmpty
                ? .notApplicable("the adapter asks no network") : .failed("it ended before it was cancelled")
        }
        call.cancel()
        guard hasAsked else { return .failed("it asked nobody and did not end") }
        let start = stage.clock.now
        guard await stage.comesTrue({ ended.isRaised }) else {
            return .failed("still running \(stage.grace.milliseconds) ms after it was cancelled")
        }
        let elapsed = start.duration(to: stage.clock.now).milliseconds
        let isClosed = await stage.comesTrue { actor.conversation.exchanges.allSatisfy(\.wasCutShort) }
        await stage.tearDown(actor)
        return isClosed ? .passed("ended in \(elapsed) ms") : .failed("it ended, and its connection stayed open")
    }
}

extension FaultStage {
    /// Waits until `isTrue`, for as long as ``grace`` says.
    func comesTrue(_ isTrue: () -> Bool) async -> Bool {
        let limit = Deadline.after(grace, clock: clock)
        while !isTrue() {
            if limit.hasPassed(clock) { return false }
            try? await clock.sleep(for: .milliseconds(2))
        }
        return true
    }
}

/// Calls side by side whose answers differ, so that each can be seen to get its own.
private final class ManyCalls: Sendable {
    static let count = 100

    /// The call that a task belongs to; a carrier that sends from a task of its own loses it, and its answers are alike.
    @TaskLocal private static var number: Int?

    private struct State {
        var steps: [Int: Int] = [:]
        var marked: Set<Int> = []
    }

    private let good: GoodAnswer
    private let state = Lock(State())

    init(_ good: GoodAnswer) {
        self.good = good
    }

    /// The answer to the request of the running call.
    func answer() -> SandboxReply {
        guard let number = Self.number else { return slowed(good.reply) }
        let step = state.withLock { state in
            defer { state.steps[number, default: 0] += 1 }
            return state.steps[number, default: 0]
        }
        if good.earlier.indices.contains(step) { return good.earlier[step] }
        guard let marked = good.withMarkup(FaultDocuments.ad(version: "4.2", id: mark(number))) else {
            return slowed(good.reply)
        }
        state.withLock { _ = $0.marked.insert(number) }
        return slowed(marked)
    }

    /// Runs all calls.
    ///
    /// - Returns: What went wrong, in few words.
    func run(_ stage: FaultStage, _ actor: FaultStage.Actor) async -> String? {
        let wrong = await withTaskGroup(of: String?.self) { group in
            for number in 0..<Self.count {
                group.addTask { [self] in
                    await Self.$number.withValue(number) {
                        judge(await stage.load(actor, stage.ask(good, time: .seconds(10))), number)
                    }
                }
            }
            return await group.reduce(into: [String]()) { wrong, sentence in if let sentence { wrong.append(sentence) }
            }
        }
        return wrong.first.map { "\(wrong.count) of \(Self.count) calls: \($0)" }
    }

    private func judge(_ seen: FaultObservation, _ number: Int) -> String? {
        guard seen.isFill else { return seen.said }
        guard state.withLock({ $0.marked.contains(number) }) else { return nil }
        let isOwn = seen.offers.contains { offer in
            guard case .document(let bytes) = offer.markup else { return false }
            return String(decoding: bytes, as: UTF8.self).contains("\"\(mark(number))\"")
        }
        return isOwn ? nil : "the answer of another call"
    }

    private func mark(_ number: Int) -> String { "call-\(number)" }

    /// Long enough that calls overlap.
    private func slowed(_ reply: SandboxReply) -> SandboxReply {
        var reply = reply
        reply.delay = .fixed(.milliseconds(30))
        return reply
    }
}
