internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel
internal import WeirRuntime
internal import WeirTelemetry
internal import WeirTime

/// Secrets in what people read: the log, messages, the trace.
extension Fault {
    static let secrets = Fault(
        name: "secrets",
        sent: "good and bad answers, the settings holding a known secret",
        fix:
            "Write neither settings nor addresses with their query into log lines and messages; the gateway blacks a secret "
            + "out only where it stands as it is."
    ) { (stage) throws(SettingsError) in
        let good = stage.goods.first
        let canary = Canary(secrets: stage.subject.factory.secrets)
        guard let settings = canary.planted(in: stage.settings(good), stage) else {
            return .notApplicable(
                "no setting is an address, or a secret by its declaration or name (key, token, secret, password)"
            )
        }
        var words: [String] = []
        let trace = TraceRecorder()
        for reply in badReplies(good) {
            let actor = try stage.actor(settings, good: good, stage.script(good) { _, _ in reply })
            defer { stage.network.end(actor.conversation) }
            words += await stage.setUpWords(actor)
            words += await stage.load(actor, stage.ask(good, time: .milliseconds(500), trace: trace)).words
            await stage.tearDown(actor)
            words += actor.log.all
        }
        if let leak = words.first(where: canary.isIn) {
            return .failed("it says: \(canary.hidden(leak).prefix(120))")
        }
        if let leak = canary.leak(in: trace.exchanges) {
            return .failed("the trace shows it in base64: \(leak.prefix(60))")
        }
        return .passed("\(words.count) messages and \(trace.exchanges.count) traced requests without it")
    }

    private static func badReplies(_ good: GoodAnswer?) -> [SandboxReply] {
        var hanging = SandboxReply()
        hanging.delay = .fixed(.seconds(3600))
        let failures = [TransportError.Kind.reset, .tooLarge, .badEncoding].compactMap {
            RoutedTransport.answer(for: $0)
        }
        return [good?.reply ?? SandboxReply(status: 204), SandboxReply(status: 403, type: "text/plain", "no")]
            + [SandboxReply(type: "text/html", FaultDocuments.page), SandboxReply(status: 200), hanging] + failures
    }
}

extension FaultStage {
    /// Sets up, bounded, and returns what was said about it.
    fileprivate func setUpWords(_ actor: Actor) async -> [String] {
        let progress = SetUpProgress()
        let failure = await race(until: .after(.seconds(2), clock: clock), clock: clock) { () async -> SetUpFailure? in
            do throws(SetUpFailure) {
                try await actor.adapter.setUp(progress)
                return nil
            } catch { return error }
        }
        let note = progress.note
        return [failure??.reason, failure??.remedy, note.waitingFor, note.remedy, note.done].compactMap(\.self)
    }
}

/// A secret that stands nowhere else, so that it is known again.
private struct Canary: Sendable {
    /// The settings that are declared to be secrets.
    let secrets: Set<String>

    private let text = "weircanary" + String(UInt64.random(in: .min ... .max), radix: 36)

    init(secrets: Set<String>) {
        self.secrets = secrets
    }

    /// The settings with the secret in each place for one, and as a parameter of each address; `nil` when there is no
    /// place.
    func planted(in settings: JSONValue, _ stage: FaultStage) -> JSONValue? {
        var members = settings.object ?? JSONObject()
        if stage.subject.factory.settings.contains("probe_url") {
            members["probe_url"] = "https://probe.example/health"
        }
        let planted = plant(.object(members), key: "")
        if planted == .object(members) { return nil }
        return planted
    }

    private func plant(_ value: JSONValue, key: String) -> JSONValue {
        switch value {
        case .object(let object):
            .object(JSONObject(object.members.map { ($0.key, plant($0.value, key: $0.key)) }))
        case .array(let elements): .array(elements.map { plant($0, key: key) })
        case .string(let value): .string(secrets.contains(key) ? text : plant(value, key: key.lowercased()))
        default: value
        }
    }

    private func plant(_ value: String, key: String) -> String {
        // The names under which the configuration hides values, too.
        if ["key", "token", "secret", "password"].contains(where: key.contains), !value.contains("{") { return text }
        guard value.hasPrefix("http"), value.contains("://"), !value.contains("#") else { return value }
        return value + (value.contains("?") ? "&" : "?") + "weir=" + text
    }

    /// Whether words hold the secret, as it is or in base64.
    func isIn(_ words: String) -> Bool { words.contains(text) || inBase64(words) }

    /// Words as they may be shown.
    func hidden(_ words: String) -> String { words.replacing(text, with: "[secret]") }

    /// Where the secret is left in what the gateway would show of a trace.
    func leak(in exchanges: [TraceRecorder.Exchange]) -> String? {
        let redactor = Redactor()
        redactor.register(text)
        let shown = exchanges.flatMap { exchange in
            [exchange.request.url, String(decoding: exchange.request.body, as: UTF8.self)]
                + exchange.request.headers.map(\.value)
        }
        return shown.map(redactor.redact).first(where: isIn)
    }

    private func inBase64(_ words: String) -> Bool {
        Base64Text.traces(of: Array(text.utf8)).contains { words.contains($0) }
    }
}
