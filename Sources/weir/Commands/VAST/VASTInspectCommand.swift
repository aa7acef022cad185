internal import WeirVAST

/// `weir vast inspect`: a document as a tree, with the remarks under each element.
struct VASTInspectCommand: Command {
    static let specification = CommandSpecification(
        name: "vast inspect",
        operands: [VASTInput.operand],
        summary: "shows a VAST, DAAST or VMAP document as a tree with its remarks",
        options: VASTInput.options,
        example: "weir vast inspect answer.xml"
    )

    private let input: VASTInput
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        input = try VASTInput(arguments)
        printsJSON = arguments.has("--json")
    }

    func run() async -> ExitCode {
        await VASTRun.document(input) { bytes, _ in
            let reading = VASTReader.read(bytes, options: input.reading)
            if printsJSON {
                say(VASTReport.inspection(reading))
            } else {
                let tree = VASTTree(bytes, reading, options: input.reading, style: .standardOutput)
                say(tree.lines.joined(separator: "\n"))
            }
            return reading.failure == nil ? .good : .no
        } onFailure: { message in
            if printsJSON { say(VASTReport.inspection(VASTReport.unfetched(message))) }
        }
    }
}

/// What all `weir vast` commands do first.
enum VASTRun {
    /// Hands the document's bytes and its URL on; without them says why and ends with 1.
    static func document(
        _ input: VASTInput,
        _ body: @Sendable ([UInt8], String?) async -> ExitCode,
        onFailure: @Sendable (String) -> Void = { _ in }
    ) async -> ExitCode {
        let content = await DocumentFetcher.with(input.source, limits: input.reading.limits) { fetcher in
            await input.content(over: fetcher)
        }
        switch content {
        case .bytes(let bytes, let url)?: return await body(bytes, url)
        case .failed(let message)?:
            complain("weir: \(input.name): \(message)")
            onFailure(message)
            return .no
        case nil:
            complain("weir: no event loop could be started.")
            return .no
        }
    }
}
