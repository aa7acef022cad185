internal import WeirJSON

/// `weir request`: one mediated ad, as a timeline.
struct RequestCommand: Command {
    static let specification = CommandSpecification(
        name: "request",
        operands: ["PLACEMENT"],
        summary: "asks for one ad, draws its waterfall as a timeline",
        options: AdminClient.options + [
            CommandSpecification.Option("--body", "FILE", "a request body; the placement on the command line wins"),
            CommandSpecification.Option("--trace", nil, "adds redacted network requests and responses"),
            CommandSpecification.Option("--json", nil, "prints the body of POST /v1/ads"),
        ],
        example: "weir request movie_preroll"
    )

    private let client: AdminClient
    private let body: RequestBody
    private let wantsTrace: Bool
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        client = AdminClient(arguments)
        body = try RequestBody(placement: arguments.operands[0], file: arguments["--body"])
        wantsTrace = arguments.has("--trace")
        printsJSON = arguments.has("--json")
    }

    func run() async -> ExitCode {
        do throws(AdminClient.Unreachable) {
            let answer = try await client.send("POST", wantsTrace ? "/v1/ads?trace=1" : "/v1/ads", body: body.bytes)
            if printsJSON { say(answer.text) }
            guard answer.status == 200 else {
                if !printsJSON { complain("weir: \(answer.problem)") }
                return .no
            }
            if !printsJSON {
                let width = Screen.standardOutput.width
                say(Timeline(answer.json, style: .standardOutput, width: width).lines.joined(separator: "\n"))
                if wantsTrace { say(TraceText(answer.json, style: .standardOutput).lines.joined(separator: "\n")) }
            }
            return answer.json["result"]?.string == "fill" ? .good : .no
        } catch {
            complain("weir: \(error.message)")
            return .unreachable
        }
    }
}

/// The body of a request made on the command line.
struct RequestBody: Sendable {
    let bytes: [UInt8]

    init(placement: String, file: String?) throws(Arguments.UsageError) {
        var value = JSONValue.object(JSONObject())
        if let file {
            guard let content = readFile(file) else {
                throw Arguments.UsageError(message: "The file \(file) cannot be read.")
            }
            do { value = try JSONReader.read(content) } catch {
                throw Arguments.UsageError(message: "\(file):\(error.line):\(error.column): \(error.reason)")
            }
        }
        var object = value.object ?? JSONObject()
        object["placement"] = .string(placement)
        bytes = JSONValue.object(object).encoded()
    }
}
