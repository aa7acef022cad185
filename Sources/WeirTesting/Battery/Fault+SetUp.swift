internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel
internal import WeirRuntime
internal import WeirTime

/// Set-ups that hang, fail, and finish late.
extension Fault {
    static let setUps: [Fault] = [setUpHangs, setUpFails, setUpLate]

    private static let setUpHangs = Fault(
        name: "set_up_hangs",
        sent: "no answer to the set-up, and then it is cancelled",
        fix:
            "Tell progress what is waited for, wait only for the context's transport and clock, and do not claim to be "
            + "ready before the network has answered."
    ) { (stage) throws(SettingsError) in
        let actor = try stage.settingUp { _ in
            var reply = SandboxReply()
            reply.delay = .fixed(.seconds(3600))
            return reply
        }
        defer { stage.network.end(actor.conversation) }
        let run = SetUpRun(actor.adapter)
        _ = await stage.comesTrue { run.hasEnded || actor.conversation.exchanges.last?.arrival != nil }
        // What does not wait for the network ends about now.
        try? await stage.clock.sleep(for: .milliseconds(100))
        if run.hasEnded {
            if actor.conversation.exchanges.isEmpty { return .notApplicable("its set-up asks nobody") }
            return run.failure == nil ? .failed("ready, though nothing was answered") : .passed("failed at once")
        }
        let note = run.progress.note.waitingFor
        run.cancel()
        guard await stage.comesTrue({ run.hasEnded }) else {
            return .failed("still running \(stage.grace.milliseconds) ms after it was cancelled")
        }
        return note.map { .passed("waits for \($0)") } ?? .failed("waits, and progress does not know for what")
    }

    private static let setUpFails = Fault(
        name: "set_up_fails",
        sent: "503 to the set-up",
        fix: "Fail the set-up with what was tried and what the operator can do."
    ) { (stage) throws(SettingsError) in
        let actor = try stage.settingUp { _ in SandboxReply(status: 503, type: "text/plain", "busy") }
        defer { stage.network.end(actor.conversation) }
        let run = SetUpRun(actor.adapter)
        guard await stage.comesTrue({ run.hasEnded }) else {
            run.cancel()
            return .failed("still running after \(stage.grace.milliseconds) ms")
        }
        await stage.tearDown(actor)
        if actor.conversation.exchanges.isEmpty { return .notApplicable("its set-up asks nobody") }
        guard let failure = run.failure else { return .failed("ready") }
        guard !failure.reason.isEmpty, !failure.remedy.isEmpty else {
            return .failed("failed without \(failure.reason.isEmpty ? "a reason" : "a remedy")")
        }
        return .passed("failed: \(failure.reason)")
    }

    /// How late: long after an impatient set-up would have given up, and soon enough for a test.
    private static let lateness: Duration = .milliseconds(700)

    private static let setUpLate = Fault(
        name: "set_up_late",
        sent: "an answer to the set-up after \(lateness.milliseconds) ms, then a good answer",
        fix: "Give the set-up no time limit of its own: the gateway bounds initialization, and a late success counts."
    ) { (stage) throws(SettingsError) in
        let good = stage.goods.first
        let isReady = Flag()
        let loads = stage.script(good) { _, _ in good?.reply ?? SandboxReply(status: 204) }
        let actor = try stage.settingUp(good) { request in
            if isReady.isRaised, case .reply(let reply) = loads(request) { return reply }
            var reply = SandboxReply(type: "text/plain", "ok")
            reply.delay = .fixed(lateness)
            return reply
        }
        defer { stage.network.end(actor.conversation) }
        let run = SetUpRun(actor.adapter)
        guard await stage.comesTrue({ run.hasEnded }) else {
            run.cancel()
            return .failed("still running after \(stage.grace.milliseconds) ms")
        }
        if actor.conversation.exchanges.isEmpty { return .notApplicable("its set-up asks nobody") }
        if let failure = run.failure { return .failed("failed: \(failure.reason)") }
        isReady.raise()
        let seen = await stage.load(actor, stage.ask(good))
        await stage.tearDown(actor)
        return good == nil || seen.isFill ? .passed("ready, then \(seen.said)") : .failed("ready, then \(seen.said)")
    }
}

extension FaultStage {
    /// An adapter with something to ask at its set-up, where it knows `probe_url`.
    fileprivate func settingUp(
        _ good: GoodAnswer? = nil,
        _ reply: @escaping @Sendable (OutboundRequest) -> SandboxReply
    ) throws(SettingsError) -> Actor {
        var settings = settings(good).object ?? JSONObject()
        if subject.factory.settings.contains("probe_url") { settings["probe_url"] = "https://probe.example/health" }
        return try actor(.object(settings), good: good) { .reply(reply($0)) }
    }
}

/// A set-up under way, which nobody has to wait for.
private final class SetUpRun: Sendable {
    let progress = SetUpProgress()
    private let end = Lock<SetUpFailure??>(nil)
    private let task = Lock<Task<Void, Never>?>(nil)

    init(_ adapter: any NetworkAdapter) {
        let running = Task { [self] in
            var failure: SetUpFailure?
            do throws(SetUpFailure) { try await adapter.setUp(progress) } catch { failure = error }
            end.withLock { $0 = .some(failure) }
        }
        task.withLock { $0 = running }
    }

    var hasEnded: Bool { end.withLock { $0 != nil } }
    var failure: SetUpFailure? { end.withLock { $0 ?? nil } }

    func cancel() { task.withLock { $0 }?.cancel() }
}
