import Testing
import WeirTesting

/// What people read: it fits the terminal, and nothing a network says can steer it.
@Suite("Terminal", .serialized)
struct TerminalTests {
    private static let commands = ["serve", "demo", "adapters", "request", "explain", "check", "sandbox"]

    private func run(
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> (code: Int32?, output: String, errors: String) {
        let process = try WeirProcess(arguments, environment: environment)
        let code = try await process.waitForExit()
        return (code, process.output, process.errors)
    }

    private func tooWide(_ text: String, _ width: Int) -> [Substring] {
        text.split(separator: "\n").filter { $0.count > width }
    }

    @Test("help fits 80 columns, also into a pipe")
    func help() async throws {
        for words in [["--help"]] + Self.commands.map({ [$0, "--help"] }) {
            let help = try await run(words)
            #expect(tooWide(help.output, 80).isEmpty, "\(words)")
        }
    }

    @Test("weir help COMMAND is weir COMMAND --help; no command at all is wrong usage")
    func helpForms() async throws {
        for command in Self.commands {
            #expect(try await run(["help", command]) == run([command, "--help"]))
        }
        let nothing = try await run([])
        #expect(nothing.code == 2 && nothing.output.isEmpty && nothing.errors.contains("Usage: weir COMMAND"))
    }

    @Test("wrong usage names the command once and what was probably meant")
    func usage() async throws {
        let cases: [(words: [String], errors: String)] = [
            (["adapters", "--wach"], "There is no option --wach. Did you mean --watch?"),
            (["check", "my.json"], "\"my.json\" is not understood. Did you mean --config my.json?"),
            (["request"], "PLACEMENT is missing."),
            (["demo", "-p"], "There is no option -p."),
            (["adapters", "--watch", "--config", "a"], "--watch looks at a running gateway, --config starts none."),
        ]
        for (words, errors) in cases {
            let shown = try await run(words)
            #expect(shown.code == 2)
            #expect(shown.errors == "weir \(words[0]): \(errors) Try weir \(words[0]) --help.\n")
        }
    }

    @Test("what is wrong in a sandbox script is named with its file, one complaint a line")
    func sandboxScript() async throws {
        let file = try TemporaryFile("{\"paths\": {\"/a\": {\"statu\": 204}}, \"pats\": 1}")
        defer { file.remove() }
        let shown = try await run(["sandbox", "--port", "0", "--script", file.path])
        #expect(shown.code == 1 && shown.output.isEmpty)
        let lines = shown.errors.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("\(file.path): error: pat") }, "\(shown.errors)")
    }

    @Test("tables and timelines fit the width; no sentence is lost", arguments: [60, 80, 120])
    func width(_ columns: Int) async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("a-longer-line", base, "/nofill")
            plan.line("broken", base, "/broken")
            plan.line("good", base, "/video", probe: "/health/video")
            plan.line("gone", "http://127.0.0.1:1", "/x", probe: "/a/path/to/a/probe/that/nobody/answers")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let admin = ["--admin", "http://127.0.0.1:\(gateway.admin.port)"]
            let narrow = ["COLUMNS": "\(columns)"]
            for words in [["adapters"], ["request", "p"], ["explain", "p"]] {
                let wide = try await run(words + admin)
                let shown = try await run(words + admin, environment: narrow)
                #expect(shown.code == wide.code)
                #expect(tooWide(shown.output, columns).isEmpty, "\(shown.output)")
                #expect(!shown.output.split(separator: "\n").contains { $0.hasSuffix(" ") }, "\(shown.output)")
                for line in wide.output.split(separator: "\n") {
                    // A sentence is what ends in a full stop; wrapping breaks it at blanks only, long words aside.
                    let last = line.split(separator: "  ").last.map(String.init) ?? ""
                    guard last.hasSuffix("."), !last.contains(where: \.isNumber) else { continue }
                    let words = shown.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
                    #expect(words.contains(last), "\(last)")
                }
            }
        }
    }

    @Test("one network's table says nothing of the initialization")
    func oneNetwork() async throws {
        try await LiveGateway.run { base in
            var plan = Plan()
            plan.line("good", base, "/video")
            return plan.json
        } _: { gateway in
            try await gateway.initialized()
            let shown = try await run(["adapters", "n-good", "--admin", "http://127.0.0.1:\(gateway.admin.port)"])
            #expect(shown.output.hasPrefix("1 of 1 ready\n"))
        }
    }

    @Test("control characters in a network's words are shown, not obeyed")
    func steering() async throws {
        let title = "\u{9B}31mred\u{9B}2J\u{202E}daerb"
        let ad = """
            <VAST version="4.2"><Ad id="1"><InLine><AdSystem>x</AdSystem><AdTitle>\(title)</AdTitle>
            <Impression>http://127.0.0.1:1/i</Impression><Creatives><Creative><Linear><Duration>00:00:05</Duration>
            <MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="2" height="2">http://127.0.0.1:1/m
            </MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
            """
        try await LiveGateway.run(["/evil": SandboxReply(type: "application/xml", ad)]) { base in
            var plan = Plan()
            plan.line("evil", base, "/evil")
            return plan.json
        } _: { gateway in
            let shown = try await run(["request", "p", "--trace", "--admin", "http://127.0.0.1:\(gateway.admin.port)"])
            #expect(shown.code == 0)
            #expect(shown.output.contains("\\u{9B}31mred\\u{9B}2J\\u{202E}daerb"))
            let steering: [Unicode.Scalar] = ["\u{9B}", "\u{1B}", "\u{202E}"]
            #expect(!shown.output.unicodeScalars.contains { steering.contains($0) })
        }
    }
}
