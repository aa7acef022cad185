internal import WeirJSON
internal import WeirModel

/// A message from an adapter's process to the gateway.
package struct AdapterAnswer: Sendable {
    /// What is said.
    package enum Content: Sendable {
        /// Which adapter this is.
        case hello(api: Int, AdapterDescriptor)
        /// What the set-up is waiting for, or has done.
        case progress(SetUpProgress.Note)
        /// The set-up succeeded; perhaps with a word about how.
        case ready(String?)
        /// The set-up failed.
        case failed(SetUpFailure)
        /// Send these.
        case requests([AdapterRequest])
        /// What the network's answer means.
        case outcome(Result<LoadOutcome, AdapterError>)
        /// The adapter could not answer; in its own words.
        case error(String)
    }

    /// A line that is no message; with the number of the message it belongs to, when that can be told.
    package struct Fault: Error, Sendable, Hashable {
        /// The message that it answers.
        package var id: Int?
        /// What is wrong with it, as a sentence about the line.
        package var reason: String

        /// A fault.
        package init(id: Int?, reason: String) {
            self.id = id
            self.reason = reason
        }
    }

    /// The message that is answered.
    package var id: Int
    /// What is said.
    package var content: Content

    /// An answer.
    package init(id: Int, content: Content) {
        self.id = id
        self.content = content
    }

    /// Reads one line.
    ///
    /// Members that are not known are ignored, so that version 1 can grow.
    ///
    /// - Throws: ``Fault``.
    package init(line: [UInt8]) throws(Fault) {
        let value: JSONValue
        do { value = try JSONReader.read(line, limits: JSONLimits(bytes: line.count, depth: 32)) } catch {
            throw Fault(id: Self.looseID(line), reason: "is no JSON that Weir reads (\(error))")
        }
        guard value.object != nil else { throw Fault(id: nil, reason: "is \(value.kindName), not an object") }
        guard let id = value["id"]?.int else { throw Fault(id: nil, reason: "has no id") }
        let problems = JSONProblems()
        let content = Content(JSONField(value, problems: problems))
        if let problem = problems.list.first {
            throw Fault(id: id, reason: "is wrong: \(problem.path) \(problem.message). \(problem.hint ?? "")".trimmed)
        }
        guard let content else { throw Fault(id: id, reason: "is no message of version \(AdapterProtocol.version)") }
        self.init(id: id, content: content)
    }

    /// The number after the first `"id":` of a line that cannot be read as a whole, or was cut off.
    ///
    /// What a network sends can make one line unreadable; that must cost one attempt, not the process.
    package static func looseID(_ line: [UInt8]) -> Int? {
        let key = Array("\"id\":".utf8)
        guard line.count > key.count else { return nil }
        for start in 0..<min(line.count - key.count, 256) where line[start..<(start + key.count)].elementsEqual(key) {
            let digits = line[(start + key.count)...].drop { $0 == 0x20 }.prefix(18).prefix { (48...57).contains($0) }
            return Int(String(decoding: digits, as: UTF8.self))
        }
        return nil
    }
}

extension AdapterAnswer.Content {
    /// Reads a message; problems are noted, `nil` is a type that is not known or a problem that was noted.
    fileprivate init?(_ root: JSONField) {
        switch root.requiredString("type") {
        case "hello": self.init(hello: root)
        case "progress":
            var note = SetUpProgress.Note()
            note.waitingFor = root.sentence("waiting_for")
            note.remedy = root.sentence("remedy")
            note.done = root.sentence("done")
            self = .progress(note)
        case "ready": self = .ready(root.sentence("done"))
        case "failed":
            self = .failed(
                SetUpFailure(
                    reason: root.sentence("reason") ?? "the adapter gives no reason",
                    remedy: root.sentence("remedy") ?? "Look at the adapter's log.",
                    isRetryable: root.optionalBool("retryable") ?? true
                )
            )
        case "requests": self = .requests(root.adapterRequests)
        case "outcome":
            guard let outcome = root.adapterOutcome else { return nil }
            self = .outcome(outcome)
        case "error": self = .error(root.sentence("message") ?? "no reason given")
        case let type?:
            root.complain(
                about: "type",
                "is \(JSONValue.string(String(type.prefix(40))).encodedText), which is no answer"
            )
            return nil
        case nil: return nil
        }
    }

    private init?(hello root: JSONField) {
        guard let api = root.requiredInt("api"), let version = root.requiredString("version", maxBytes: 128),
            let formats = root.requiredMember("formats")?.elements(maxCount: 16)
        else { return nil }
        var descriptor = AdapterDescriptor(
            kind: "process",
            version: version.printable,
            formats: Set(formats.compactMap { $0.choice(AdFormat.self) })
        )
        if formats.isEmpty { root.complain(about: "formats", "must name at least one format") }
        descriptor.api = api
        self = .hello(api: api, descriptor)
    }
}

extension JSONField {
    /// A sentence of a stranger: cut to a length that a log line bears, without control characters.
    func sentence(_ key: String) -> String? {
        guard let text = member(key)?.value.string else { return nil }
        return String(text.unicodeScalars.prefix(AdapterProtocol.textBytes / 4)).printable
    }
}

extension String {
    /// The text with a blank for every control character.
    var printable: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        var kept = UnicodeScalarView()
        for scalar in unicodeScalars { kept.append(scalar.properties.generalCategory == .control ? " " : scalar) }
        return String(kept)
    }

    /// The text without blanks at its end.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
