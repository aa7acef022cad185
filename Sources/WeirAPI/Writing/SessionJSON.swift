internal import WeirGateway
internal import WeirJSON
internal import WeirModel
internal import WeirPlayback

extension JSONWriter {
    /// The answer to `POST /v1/sessions`.
    static func opened(_ view: SessionView) -> [UInt8] {
        var json = JSONWriter(reserving: 4096)
        json.object { json in
            json.member("session", view.answer.id.text)
            json.member("state", view.answer.state)
            json.member("format", view.format.rawValue)
            json.member("placement", view.placement.text)
            json.details(view.snapshot.filter { $0.name == "cue_points_ms" }, view.answer)
            json.member("request_id", view.answer.requestID?.text)
            json.outputs(view.answer)
            json.ui(view.answer.ui)
        }
        return json.bytes
    }

    /// The answer to inputs, and to a poll of outputs.
    static func answer(_ answer: SessionAnswer) -> [UInt8] {
        var json = JSONWriter(reserving: 1024)
        json.object { json in
            json.member("state", answer.state)
            json.outputs(answer)
            if let ui = answer.ui { json.ui(ui) }
        }
        return json.bytes
    }

    /// Everything that can be read of a session.
    static func session(_ view: SessionView) -> [UInt8] {
        var json = JSONWriter(reserving: 8192)
        json.object { json in
            json.member("session", view.answer.id.text)
            json.member("state", view.answer.state)
            json.member("format", view.format.rawValue)
            json.member("placement", view.placement.text)
            json.member("request_id", view.answer.requestID?.text)
            json.details(view.snapshot, view.answer)
            json.outputs(view.answer)
            json.ui(view.answer.ui)
            json.array("beacons") { json in for beacon in view.beacons { json.beacon(beacon) } }
        }
        return json.bytes
    }

    /// One output, as a line of an event stream carries it.
    static func output(_ numbered: NumberedOutput<SessionOutput>, _ answer: SessionAnswer) -> [UInt8] {
        var json = JSONWriter(reserving: 512)
        json.output(numbered, answer)
        return json.bytes
    }

    /// The user interface alone.
    static func ui(_ ui: [PlaybackDetail]) -> [UInt8] {
        var json = JSONWriter(reserving: 256)
        json.object { json in for detail in ui { json.member(detail, nil) } }
        return json.bytes
    }

    private mutating func outputs(_ answer: SessionAnswer) {
        member("client_seq", answer.clientSeq)
        member("last_seq", answer.lastSeq)
        array("outputs") { json in for output in answer.outputs { json.output(output, answer) } }
    }

    private mutating func output(_ numbered: NumberedOutput<SessionOutput>, _ answer: SessionAnswer) {
        let output = numbered.output.output
        object { json in
            json.member("seq", numbered.seq)
            json.member("kind", output.kind.rawValue)
            json.member("type", output.type)
            for detail in output.details {
                if detail.name == "url", let url = numbered.output.url {
                    json.member("url", url)
                } else {
                    json.member(detail, answer)
                }
            }
            if let due = output.beacon { json.member("ad_key", due.ad?.index) }
        }
    }

    private mutating func ui(_ ui: [PlaybackDetail]?) {
        guard let ui else { return }
        object("ui") { json in for detail in ui { json.member(detail, nil) } }
    }

    private mutating func details(_ details: [PlaybackDetail], _ answer: SessionAnswer) {
        for detail in details { member(detail, answer) }
    }

    private mutating func member(_ detail: PlaybackDetail, _ answer: SessionAnswer?) {
        key(detail.name)
        value(detail.value, answer)
    }

    private mutating func value(_ value: PlaybackValue, _ answer: SessionAnswer?) {
        switch value {
        case .null: null()
        case .flag(let flag): bool(flag)
        case .integer(let number): int(number)
        case .number(let number): double(number)
        case .text(let text): string(text)
        case .list(let values):
            beginArray()
            for value in values { self.value(value, answer) }
            endArray()
        case .object(let details):
            beginObject()
            for detail in details { member(detail, answer) }
            endObject()
        case .ad(let key):
            guard let answer, let context = answer.context, answer.served.indices.contains(key.index) else {
                return null()
            }
            ad(answer.served[key.index], of: context.adUnit, expiresAt: context.expiresAt)
        }
    }

    private mutating func beacon(_ beacon: BeaconRecord) {
        object { json in
            json.member("number", beacon.number)
            json.member("event", beacon.event)
            json.member("ad_key", beacon.ad)
            json.member("url", beacon.url)
            json.member("state", beacon.state.rawValue)
            json.member("status", beacon.status)
            json.member("attempts", beacon.attempts)
            json.member("reason", beacon.reason)
        }
    }
}
