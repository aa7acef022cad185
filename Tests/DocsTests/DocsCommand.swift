import Testing
import WeirAdapterKit
import WeirTesting

/// One line of a marked example, run against the demo: `curl` by a client of the tests, so that none need be installed,
/// and `weir` by the built program.
struct DocsCommand {
    /// What a line does that the tests do not understand.
    struct NotUnderstood: Error, CustomStringConvertible {
        var description: String
    }

    private let line: String
    private let words: [String]

    init(_ line: String) throws {
        self.line = line
        words = try Self.words(line)
    }

    /// Runs the line against the demo on `port`.
    ///
    /// - Returns: What it printed.
    /// - Throws: ``NotUnderstood``, also when it failed.
    func run(port: Int, directory: String) async throws -> String {
        switch words.first?.split(separator: "/").last {
        case "curl": return try await curl(port)
        case "weir":
            let process = try WeirProcess(
                Array(words.dropFirst()),
                environment: ["WEIR_ADMIN": "http://127.0.0.1:\(port + 1)"],
                directory: directory
            )
            let code = try await process.waitForExit()
            guard code == 0 else {
                throw NotUnderstood(description: "\(line) ended with \(code ?? -1): \(process.errors)")
            }
            return process.output
        default: throw NotUnderstood(description: "\(line) is neither curl nor weir")
        }
    }

    private func curl(_ port: Int) async throws -> String {
        var method: String?
        var url: String?
        var body: String?
        var headers: [HTTPHeader] = []
        var rest = words.dropFirst()
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else { throw NotUnderstood(description: "\(line): \(option) of what?") }
            return value
        }
        while let word = rest.popFirst() {
            switch word {
            case "-s": break
            case "-X": method = try value(of: word)
            case "-d": body = try value(of: word)
            case "-H":
                let parts = try value(of: word).split(separator: ":", maxSplits: 1).map(String.init)
                guard parts.count == 2 else { throw NotUnderstood(description: "\(line): \(parts) is no header") }
                headers.append(HTTPHeader(parts[0], String(parts[1].drop { $0 == " " })))
            case _ where word.hasPrefix("http://127.0.0.1:"): url = word
            default: throw NotUnderstood(description: "\(line): what is \(word)?")
            }
        }
        guard let target = url?.dropFirst("http://127.0.0.1:".count), let slash = target.firstIndex(of: "/"),
            let place = ["8080": port, "8081": port + 1][String(target[..<slash])]
        else { throw NotUnderstood(description: "\(line) asks no listener of the demo") }
        if body != nil, !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            headers.append(HTTPHeader("Content-Type", "application/x-www-form-urlencoded"))
        }
        let reply = try await LoopbackClient(port: place).send(
            method ?? (body == nil ? "GET" : "POST"),
            String(target[slash...]),
            headers: headers,
            body: Array((body ?? "").utf8)
        )
        guard (200..<300).contains(reply.status), reply.isComplete else {
            throw NotUnderstood(description: "\(line) was answered \(reply.status): \(reply.text.prefix(500))")
        }
        return reply.text
    }

    /// The words as a shell sees them: blanks part them, quotes hold them together, `#` begins a comment.
    static func words(_ line: String) throws -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            switch (quote, character) {
            case (.some(let open), character) where open == character: quote = nil
            case (.some, _): word = (word ?? "") + String(character)
            case (nil, "'"), (nil, "\""):
                quote = character
                word = word ?? ""
            case (nil, "#") where word == nil: return words
            case (nil, " "):
                if let whole = word { words.append(whole) }
                word = nil
            default: word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else { throw NotUnderstood(description: "\(line) does not close its quotes") }
        if let word { words.append(word) }
        return words
    }
}
