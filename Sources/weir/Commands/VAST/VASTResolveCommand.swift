internal import WeirTime
internal import WeirVAST

/// `weir vast resolve`: follows the wrappers of a document and says what becomes of every ad.
struct VASTResolveCommand: Command {
    static let specification = CommandSpecification(
        name: "vast resolve",
        operands: [VASTInput.operand],
        summary: "follows wrappers and says what plays, what does not, why, and who must be told",
        options: [
            CommandSpecification.Option("--wrapper-depth", "N", "wrappers before a complete ad (5)"),
            CommandSpecification.Option("--base", "URL", "where a file or standard input came from"),
            CommandSpecification.Option("--fire", nil, "really calls the error URLs"),
        ] + VASTInput.options,
        example: "weir vast resolve https://ads.example/tag"
    )

    private let input: VASTInput
    private let depth: Int
    private let base: String?
    private let fires: Bool
    private let printsJSON: Bool

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        depth = try arguments.number("--wrapper-depth", in: 0...100) ?? ResolveOptions().wrapperDepth
        input = try VASTInput(arguments)
        base = arguments["--base"]
        fires = arguments.has("--fire")
        printsJSON = arguments.has("--json")
    }

    func run() async -> ExitCode {
        let resolution = await DocumentFetcher.with(input.source, limits: input.reading.limits) { fetcher in
            await resolve(over: fetcher)
        }
        guard let resolution else {
            complain("weir: no event loop could be started.")
            return .no
        }
        if printsJSON {
            say(VASTReport.resolution(resolution))
        } else {
            say(ResolutionText(resolution, style: .standardOutput).lines.joined(separator: "\n"))
        }
        return resolution.ads.isEmpty ? .no : .good
    }

    private func resolve(over fetcher: DocumentFetcher) async -> Resolution {
        let begin = fetcher.clock.now
        var options = ResolveOptions()
        options.reading = input.reading
        options.wrapperDepth = depth
        let reading: Reading
        switch await input.content(over: fetcher) {
        case .bytes(let bytes, let url):
            options.baseURL = base ?? url
            reading = VASTReader.read(bytes, options: input.reading)
        case .failed(let message):
            var resolution = Resolution()
            resolution.refusal = Refusal(reason: .wrapperFailed, code: .wrapperFetch, message: message)
            resolution.chain = [
                Hop(url: input.name, depth: 0, latency: fetcher.clock.now - begin, result: .failed, reason: message)
            ]
            return resolution
        }
        let resolution = await VASTResolver().resolve(reading, options: options, clock: fetcher.clock) {
            await fetcher.fetch($0)
        }
        if fires {
            for ping in resolution.pings { await fetcher.call(ping.url) }
        }
        return resolution
    }
}
