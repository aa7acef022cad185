internal import WeirVAST

/// `weir vast convert`: a document in another version; what that one cannot express is reported.
struct VASTConvertCommand: Command {
    static let specification = CommandSpecification(
        name: "vast convert",
        operands: [VASTInput.operand],
        summary: "writes a document in another version of VAST; its report goes to standard error",
        options: [CommandSpecification.Option("--to", "VERSION", "2.0, 3.0, 4.0, 4.1, 4.2 or 4.3 (4.2)")]
            + VASTInput.options,
        example: "weir vast convert --to 3.0 answer.xml > answer-3.xml"
    )

    private let input: VASTInput
    private let version: VASTVersion
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        let text = arguments["--to"] ?? VASTVersion.v42.rawValue
        guard let version = VASTVersion(text) else {
            let known = VASTVersion.allCases.map(\.rawValue).joined(separator: ", ")
            throw Arguments.UsageError(message: "--to must be one of \(known), not \(text).")
        }
        self.version = version
        input = try VASTInput(arguments)
        printsJSON = arguments.has("--json")
    }

    func run() async -> ExitCode {
        await VASTRun.document(input) { bytes, _ in
            let reading = VASTReader.read(bytes, options: input.reading)
            let output: VASTWriter.Output
            switch reading.content {
            case .vast(let document), .daast(let document): output = VASTWriter.convert(document, to: version)
            case .vmap(let document): output = VASTWriter.convert(document, to: version)
            case .unreadable(let failure):
                complain("weir: \(input.name): \(failure.message)")
                if printsJSON { say(VASTReport.conversion(nil, remarks: reading.diagnostics, to: version)) }
                return .no
            }
            if printsJSON {
                say(VASTReport.conversion(output.text, remarks: output.remarks, to: version))
            } else {
                say(output.text)
            }
            for remark in output.remarks {
                complain("\(remark.severity.rawValue): \(remark.path): \(remark.message)")
            }
            return .good
        }
    }
}
