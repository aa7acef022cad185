internal import WeirJSON
internal import WeirRewards

/// `weir ssv verify`: whether an AdMob callback is genuine, and if not, which step fails.
struct SSVCommand: Command {
    static let specification = CommandSpecification(
        name: "ssv",
        operands: ["verify", "URL"],
        summary: "tells step by step whether a server-side verification callback is genuine",
        options: [
            CommandSpecification.Option("--keys", "FILE|URL", "the verifier keys (\(SSVCommand.googleKeys))"),
            CommandSpecification.Option("--json", nil, "prints {\"valid\":…,\"reason\":…,\"key_id\":…,\"fields\":{…}}"),
        ],
        example: "weir ssv verify --keys keys.json 'https://game.example/ssv?ad_network=…&signature=…&key_id=…'"
    )

    /// Where Google publishes the keys of AdMob.
    private static let googleKeys = "https://www.gstatic.com/admob/reward/verifier-keys.json"

    private let query: String
    private let source: String
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        guard arguments.operands[0] == "verify" else {
            throw Arguments.UsageError(message: "weir ssv knows only verify.")
        }
        // What stands behind the first question mark, or a bare query.
        let text = arguments.operands[1]
        query = text.firstIndex(of: "?").map { String(text[text.index(after: $0)...]) } ?? text
        source = arguments["--keys"] ?? Self.googleKeys
        printsJSON = arguments.has("--json")
    }

    func run() async -> ExitCode {
        let document: [UInt8]
        if source.hasPrefix("http://") || source.hasPrefix("https://") {
            do throws(AdminClient.Unreachable) {
                document = try await AdminClient(base: source).send("GET", "").body
            } catch {
                complain("weir: the keys cannot be fetched from \(source).")
                return .unreachable
            }
        } else {
            guard let content = readFile(source) else {
                complain("weir: the file \(source) cannot be read.")
                return .usage
            }
            document = content
        }
        guard let keys = VerifierKeys(json: document) else {
            complain("weir: \(source) holds no verifier keys on the curve P-256.")
            return .no
        }
        let explanation = SSVExplanation(query, keys: keys)
        say(printsJSON ? json(explanation) : text(explanation, .standardOutput))
        return explanation.fault == nil ? .good : .no
    }

    private func json(_ explanation: SSVExplanation) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("valid", explanation.fault == nil)
            json.member("reason", explanation.fault?.reason.rawValue)
            json.member("detail", explanation.fault?.detail)
            // As text: key ids may be longer than what JavaScript counts exactly.
            json.member("key_id", explanation.parts.map { String($0.keyID) })
            json.object("fields") { json in
                for field in explanation.parts?.fields.fields ?? [] { json.member(field.name, field.value) }
            }
            json.array("steps") { json in
                for step in explanation.steps {
                    json.object { json in
                        json.member("step", step.title)
                        json.member("outcome", step.outcome.rawValue)
                        json.member("detail", step.detail)
                    }
                }
            }
        }
        return json.text
    }

    private func text(_ explanation: SSVExplanation, _ style: Style) -> String {
        var table = Table()
        for step in explanation.steps {
            let mark: Table.Cell =
                switch step.outcome {
                case .good: Table.Cell("✓", style.green)
                case .bad: Table.Cell("✗", style.red)
                case .notReached: Table.Cell("·", style.dim)
                }
            table.row([mark, Table.Cell(step.title), Table.Cell(printable(step.detail), style.dim)])
        }
        for field in explanation.parts?.fields.fields ?? [] {
            table.row([
                Table.Cell(" "), Table.Cell("  " + printable(field.name)), Table.Cell(printable(field.value)),
            ])
        }
        let verdict =
            explanation.fault.map { style.red("Not genuine (\($0.reason.rawValue)): \(printable($0.detail)).") }
            ?? style.green("Genuine.")
        return table.lines().joined(separator: "\n") + "\n" + verdict
    }
}
