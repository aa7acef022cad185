public import WeirTime

/// Follows wrappers until there are complete ads, merges what each level adds, and says what it decided and why.
///
/// It is pure but for the `fetch` closure: it opens no connection, sends no ping and reads no other clock. Ads of a pod
/// and breaks of a schedule are fetched side by side, in child tasks on the caller's executor; stand-alone ads are
/// alternatives and are asked one after another, so that no server is asked for an ad that is not needed.
public struct VASTResolver: Sendable {
    /// A resolver; all are alike.
    public init() {}

    /// Resolves what was read.
    ///
    /// A `fetch` that ignores its deadline is left behind when the hop's time is up.
    public func resolve(
        _ reading: Reading,
        options: ResolveOptions = ResolveOptions(),
        clock: any GatewayClock,
        fetch: @escaping @Sendable (FetchRequest) async -> FetchResult
    ) async -> Resolution {
        let run = ResolveRun(options: options, clock: clock, fetch: fetch)
        var resolution: Resolution
        switch reading.content {
        case .vast(let document):
            resolution = await run.resolve(document, isDAAST: false)
        case .daast(let document):
            resolution = await run.resolve(document, isDAAST: true)
        case .vmap(let document):
            resolution = await run.resolve(document)
        case .unreadable(let failure):
            resolution = Resolution()
            resolution.refusal = Refusal(reading: failure)
        }
        resolution.diagnostics = reading.diagnostics + resolution.diagnostics
        return resolution
    }
}

extension Refusal {
    /// A document that cannot be read.
    init(reading failure: ReadFailure) {
        let reason: Reason =
            switch failure.reason {
            case .empty: .emptyBody
            case .encoding: .badEncoding
            case .limit: .tooLarge
            case .notWellFormed, .doctype, .unknownRoot, .vast1: .badVAST
            }
        self.init(reason: reason, code: failure.errorCode, message: failure.message)
    }
}
