public import WeirJSON

/// A script that cannot be read: every complaint with its path.
public struct SandboxScriptError: Error, Sendable, CustomStringConvertible {
    /// One complaint.
    public struct Problem: Sendable, Hashable {
        /// Where, such as `paths["/tag"].delay_ms`; empty for the whole text.
        public var path: String
        /// What is wrong, as the end of a sentence.
        public var message: String
    }

    /// At least one.
    public var problems: [Problem]

    /// One line each.
    public var description: String {
        problems.map { $0.path.isEmpty ? $0.message : "\($0.path) \($0.message)" }.joined(separator: "\n")
    }
}

extension SandboxScript {
    /// The most paths of one script.
    public static let pathCount = 1000

    /// The most steps of one path.
    public static let stepCount = 1000

    /// Reads a script file: JSON with comments; `body_file` counts from the file's folder.
    ///
    /// - Throws: ``SandboxScriptError``, or `TextFile.Unreadable` when there is no such file.
    public init(file: String) throws {
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
        let value: JSONValue
        do {
            value = try JSONReader.read(JSONComments.blank(TextFile.read(file)))
        } catch let error as JSONError {
            throw SandboxScriptError(problems: [.init(path: "", message: "\(file): \(error)")])
        }
        try self.init(value, folder: folder)
    }

    /// Reads a script.
    ///
    /// - Parameters:
    ///   - value: `{"paths": {"/tag": {…}}, "standard": true}`.
    ///   - folder: What `body_file` counts from; `nil` refuses files.
    /// - Throws: ``SandboxScriptError``.
    public init(_ value: JSONValue, folder: String?) throws(SandboxScriptError) {
        let problems = JSONProblems()
        let root = JSONField(value, problems: problems)
        root.refuseUnknownKeys(known: ["standard", "paths"])
        let reader = ReplyReader(folder: folder)
        var paths: [String: SandboxPath] = [:]
        let members = root.requiredObject("paths")?.members() ?? []
        if members.count > Self.pathCount { root.complain(about: "paths", "has more than \(Self.pathCount) members") }
        for (path, field) in members.prefix(Self.pathCount) {
            if !path.hasPrefix("/") || path.hasPrefix("/_") {
                field.complain("must begin with / and not with /_, where the sandbox's own paths are")
            } else if let read = reader.path(field) {
                paths[path] = read
            }
        }
        let base = root.optionalBool("standard") == true ? SandboxScript.standard : SandboxScript()
        guard problems.isEmpty else {
            throw SandboxScriptError(
                problems: problems.list.map {
                    .init(
                        path: $0.path.description,
                        message: [$0.message, $0.hint].compactMap(\.self).joined(separator: ". ")
                    )
                }
            )
        }
        self = base.overlaid(with: SandboxScript(paths: paths))
    }
}

/// Reads the answers of one script.
private struct ReplyReader {
    let folder: String?

    private static let keys = [
        "status", "headers", "body", "body_file", "media", "raw", "delay_ms", "chunk_ms", "chunk_bytes", "repeat_bytes",
        "length_open", "close_after", "reset",
    ]

    func path(_ field: JSONField) -> SandboxPath? {
        guard field.object() != nil else { return nil }
        if field.value["steps"] == nil {
            field.refuseUnknownKeys(known: Self.keys + ["steps"])
            return SandboxPath(reply(field))
        }
        field.refuseUnknownKeys(known: ["steps"])
        let steps = field.elements("steps", maxCount: SandboxScript.stepCount).map { step in
            step.refuseUnknownKeys(known: Self.keys + ["times", "after_ms"])
            return SandboxPath.Step(
                reply(step),
                times: step.optionalInt("times", range: 1...Int.max),
                after: step.optionalInt("after_ms", range: 0...SandboxReply.longestDelay).map { .milliseconds($0) }
            )
        }
        if steps.isEmpty { field.complain(about: "steps", "must hold at least one step") }
        return SandboxPath(steps: steps)
    }

    private func reply(_ field: JSONField) -> SandboxReply {
        var reply = SandboxReply()
        reply.status = field.optionalInt("status", range: 200...599) ?? 200
        for member in field.optionalObject("headers")?.members() ?? [] {
            for value in member.field.value.array == nil ? [member.field] : member.field.elements() ?? [] {
                if let text = value.string() { reply.headers.append(SandboxReply.Header(member.key, text)) }
            }
        }
        reply.body = body(field, &reply)
        reply.delay = delay(field)
        reply.chunkPause = milliseconds("chunk_ms", field)
        reply.chunkBytes = field.optionalInt("chunk_bytes", range: 1...65_536) ?? 1
        reply.repeatBytes = field.optionalInt("repeat_bytes", range: 0...SandboxReply.longestBody)
        reply.isLengthOpen = field.optionalBool("length_open") ?? false
        reply.closeAfter = field.optionalInt("close_after", range: 0...SandboxReply.longestBody)
        reply.closesByReset = field.optionalBool("reset") ?? false
        return reply
    }

    private func milliseconds(_ key: String, _ field: JSONField) -> Duration? {
        field.optionalInt(key, range: 0...SandboxReply.longestDelay).map { .milliseconds($0) }
    }

    private func delay(_ field: JSONField) -> SandboxReply.Delay {
        guard let delay = field.member("delay_ms"), delay.value.object != nil else {
            return .fixed(milliseconds("delay_ms", field) ?? .zero)
        }
        delay.refuseUnknownKeys(known: ["query", "otherwise"])
        return .query(delay.requiredString("query") ?? "", otherwise: milliseconds("otherwise", delay) ?? .zero)
    }

    private func body(_ field: JSONField, _ reply: inout SandboxReply) -> SandboxReply.Body {
        let given = ["body", "body_file", "media", "raw"].filter { field.member($0) != nil }
        if given.count > 1 { field.complain("must have one of \(given.joined(separator: ", ")), not \(given.count)") }
        if let raw = field.optionalString("raw", maxBytes: TextFile.largest) { return .raw(Array(raw.utf8)) }
        if let media = field.optionalChoice("media", SandboxMedia.self) { return .media(media) }
        if let file = field.member("body_file") { return bytes(of: file) }
        guard let body = field.member("body") else { return .none }
        if let text = body.value.string { return .template(text) }
        if reply.contentType.isEmpty { reply.headers.append(SandboxReply.Header("Content-Type", "application/json")) }
        return .template(body.value.encodedText)
    }

    private func bytes(of field: JSONField) -> SandboxReply.Body {
        guard let name = field.string() else { return .none }
        guard let folder else {
            field.complain("is for script files only")
            return .none
        }
        do { return .bytes(try TextFile.read(name.hasPrefix("/") ? name : "\(folder)/\(name)")) } catch {
            field.complain("cannot be read: \(error)")
            return .none
        }
    }
}
