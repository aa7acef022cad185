public import WeirJSON

/// One case of an adapter: what it is asked, what the network is sent, what it answers, and what that means.
///
/// Read from a JSON file, so that a case is documentation as well:
///
/// ```json
/// {
///   "name": "a tag that answers 204 has nothing to sell",
///   "settings": {"tag_url": "https://ads.example/tag?iu={network_unit}"},
///   "ask": {"network_unit": "/123/high"},
///   "steps": [{"expect": {"url": "https://ads.example/tag", "query": {"iu": "/123/high"}}, "reply": {"status": 204}}],
///   "outcome": {"result": "no_fill", "reason": "http_204"}
/// }
/// ```
///
/// What is expected is a part of what must be there: members that a case does not name may hold anything. The texts
/// `$any`, `$absent`, `$regex:…` and `$contains:…` match as their names say.
public struct AdapterCase: Sendable, CustomStringConvertible {
    /// One request of the adapter and its answer.
    public struct Step: Sendable {
        /// What the request must be: `method`, `url` (without query when `query` is there), `query`, `headers`, `body`;
        /// a form's body may be an object, too.
        public var expect: JSONValue
        /// What is answered: `status`, `headers`, `body` or `body_file`, or `failure` for a transport error's kind; over
        /// the wire `delay_ms`, `chunk_ms`, `chunk_bytes`, `repeat_bytes`, `close_after`, `reset` and `length_open` too.
        public var reply: JSONValue
    }

    /// A file that cannot be read as a case.
    public struct Unreadable: Error, Sendable, CustomStringConvertible {
        /// The file, where in it, and what is wrong.
        public var description: String
    }

    /// One sentence.
    public var name: String
    /// The settings of the network.
    public var settings: JSONValue
    /// What is asked; the members are those of ``AdAsk/init(_:clock:)``.
    public var ask: JSONValue
    /// What passes over the wire.
    public var steps: [Step]
    /// What must come of it: `result`, `reason`, `message`, `offers`, `log`, or `settings_error`.
    public var outcome: JSONValue
    /// The folder that `body_file` counts from.
    public var directory: String

    /// The name, for a test's report.
    public var description: String { name }

    /// Reads one file.
    ///
    /// - Throws: ``Unreadable``, or `TextFile.Unreadable` when there is no such file.
    public init(file: String) throws {
        let body: JSONValue
        do { body = try JSONReader.read(TextFile.read(file)) } catch let error as JSONError {
            throw Unreadable(description: "\(file): \(error)")
        }
        let problems = JSONProblems()
        let root = JSONField(body, problems: problems)
        root.refuseUnknownKeys(known: ["name", "about", "settings", "ask", "steps", "outcome"])
        name = root.requiredString("name") ?? ""
        settings = body["settings"] ?? [:]
        ask = body["ask"] ?? [:]
        root.optionalObject("ask").map(Self.check(ask:))
        outcome = root.requiredObject("outcome")?.value ?? [:]
        root.member("outcome").map(Self.check(outcome:))
        steps = root.elements("steps").map { step in
            step.refuseUnknownKeys(known: ["expect", "reply"])
            step.optionalObject("expect").map(Self.check(expect:))
            let reply = step.requiredObject("reply")
            if let reply { CaseReply.check(reply) }
            return Step(expect: step.value["expect"] ?? [:], reply: reply?.value ?? [:])
        }
        directory = String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
        guard problems.isEmpty else {
            let sentences = problems.list.map { problem in
                "\(file): \(problem.path) \(problem.message).\(problem.hint.map { " \($0)" } ?? "")"
            }
            throw Unreadable(description: sentences.joined(separator: "\n"))
        }
    }

    /// The cases in `Fixtures/exemplary` and `Fixtures/supplemental` beside a test's source file.
    ///
    /// - Parameter source: `#filePath` of the test.
    /// - Returns: The cases, the exemplary ones first.
    /// - Throws: ``Unreadable`` for the first file that is no case.
    public static func all(beside source: String) throws -> [AdapterCase] {
        let folder = source[..<(source.lastIndex(of: "/") ?? source.startIndex)]
        return try ["exemplary", "supplemental"].flatMap { kind in
            try all(in: "\(folder)/Fixtures/\(kind)")
        }
    }

    /// The cases in one folder.
    ///
    /// - Returns: The cases by file name.
    /// - Throws: ``Unreadable`` for the first file that is no case.
    public static func all(in folder: String) throws -> [AdapterCase] {
        try TextFile.names(in: folder).filter { $0.hasSuffix(".json") }.map { try AdapterCase(file: "\(folder)/\($0)") }
    }
}
