internal import WeirVAST

/// `weir vast validate`: every remark about a document; exit code 1 when one of them is an error.
struct VASTValidateCommand: Command {
    static let specification = CommandSpecification(
        name: "vast validate",
        operands: [VASTInput.operand],
        summary: "lists every remark about a document; 1 when one is an error",
        options: [
            CommandSpecification.Option(
                "--schema",
                "XSD|DIR",
                "checks against a schema too, or against the one of the document's version in a folder"
            )
        ] + VASTInput.options,
        example: "weir vast validate --schema schemas/vast_4.2.xsd answer.xml"
    )

    private let input: VASTInput
    private let schemaPath: String?
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        input = try VASTInput(arguments)
        schemaPath = arguments["--schema"]
        printsJSON = arguments.has("--json")
    }

    func run() async -> ExitCode {
        await VASTRun.document(input) { bytes, _ in
            var reading = VASTReader.read(bytes, options: input.reading)
            if let schemaPath {
                switch SchemaFile.load(schemaPath, for: reading) {
                case .success(let schema):
                    reading.diagnostics += schema.validate(bytes, options: input.reading)
                case .failure(let error):
                    complain("weir: \(error.message)")
                    return .usage
                }
            }
            if printsJSON {
                say(VASTReport.inspection(reading, isValidation: true))
            } else {
                say(lines(reading, .standardOutput).joined(separator: "\n"))
            }
            return reading.isValid ? .good : .no
        } onFailure: { message in
            if printsJSON { say(VASTReport.inspection(VASTReport.unfetched(message), isValidation: true)) }
        }
    }

    /// One remark a line, `file:line:column` first so that editors find the place.
    private func lines(_ reading: Reading, _ style: Style) -> [String] {
        let remarks = reading.diagnostics.map { remark in
            "\(input.name):\(remark.line):\(remark.column): \(VASTTree.severity(remark, style)) "
                + "[\(remark.code.rawValue)] \(remark.message)"
                + (remark.path.isEmpty ? "" : style.dim("  \(remark.path)"))
        }
        let errors = reading.diagnostics.count { $0.severity == .error }
        let verdict =
            reading.isValid
            ? style.green("\(input.name) is valid.")
            : style.red("\(input.name) is not valid: \(errors) \(errors == 1 ? "error" : "errors").")
        return remarks + [verdict]
    }
}

/// Finds the schema that `--schema` means.
enum SchemaFile {
    /// Why there is none.
    struct Problem: Error {
        var message: String
    }

    /// The published schemas by version, under the names that IAB gave their files; 4.3 has none of its own.
    private static let names: [VASTVersion: [String]] = [
        .v2: ["vast_2.0.1.xsd"], .v3: ["vast3_draft.xsd", "vast_3.0.xsd"], .v4: ["vast4.xsd", "vast_4.0.xsd"],
        .v41: ["vast_4.1.xsd"], .v42: ["vast_4.2.xsd"], .v43: ["vast_4.3.xsd", "vast_4.2.xsd"],
    ]

    /// The schema in the file `path`, or in the folder `path` the one of the document's version.
    static func load(_ path: String, for reading: Reading) -> Result<VASTSchema, Problem> {
        if let bytes = readFile(path) { return compile(bytes, path) }
        let version = VASTVersion(reading.vast?.version ?? "") ?? .v42
        let files = reading.vmap == nil ? names[version] ?? [] : ["vmap.xsd", "vmap-own.xsd"]
        for name in files {
            if let bytes = readFile(path + "/" + name) { return compile(bytes, path + "/" + name) }
        }
        return .failure(Problem(message: "There is no schema \(files.joined(separator: " or ")) in \(path)."))
    }

    private static func compile(_ bytes: [UInt8], _ path: String) -> Result<VASTSchema, Problem> {
        do throws(VASTSchema.Unusable) {
            return .success(try VASTSchema(bytes))
        } catch {
            return .failure(Problem(message: "\(path): \(error.message)"))
        }
    }
}
