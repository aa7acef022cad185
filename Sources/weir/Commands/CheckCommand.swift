internal import WeirConfig

/// `weir check`: says whether a configuration is good.
struct CheckCommand: Command {
    static let specification = CommandSpecification(
        name: "check",
        operands: [],
        summary: "says what is wrong in a configuration, and where",
        options: [
            CommandSpecification.Option("--config", "FILE", "the configuration; default config/weir.json"),
            CommandSpecification.Option("--lenient", nil, "judges as weir serve --lenient does"),
            CommandSpecification.Option("--json", nil, "prints {\"valid\": …, \"diagnostics\": […]}"),
        ],
        example: "weir check --config config/weir.json"
    )

    private let path: String
    private let isLenient: Bool
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        path = arguments["--config"] ?? LoadedConfiguration.defaultPath
        isLenient = arguments.has("--lenient")
        printsJSON = arguments.has("--json")
    }

    func run() async -> ExitCode {
        let report = LoadedConfiguration.reader.read(path: path, lenient: isLenient).report
        if printsJSON {
            say(String(decoding: report.encoded(), as: UTF8.self))
        } else {
            say(report.text, terminator: "")
            let style = Style.standardOutput
            say(report.isValid ? style.green("\(path) is good.") : style.red("\(path) cannot be used."))
        }
        return report.isValid ? .good : .no
    }
}
