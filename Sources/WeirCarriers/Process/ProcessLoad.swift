internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime

/// One load through a process: its words, the network, its words again.
struct ProcessLoad: Sendable {
    let process: AdapterProcess
    let ask: AdAsk
    let context: AdapterContext

    func run() async throws(AdapterError) -> LoadOutcome {
        let words = ask.wire
        let first = try await process.ask(.makeRequests(ask: words, remaining: remaining), until: ask.deadline)
        guard case .requests(let requests) = first else { return try outcome(first) }
        switch try judge(await replies(to: requests), requests) {
        case .decided(let noFill): return .noFill(noFill)
        case .toRead(let replies):
            let question = AdapterQuestion.outcome(ask: words, replies: replies, remaining: remaining)
            return try outcome(try await process.ask(question, until: ask.deadline, isUnderWay: true))
        }
    }

    private var remaining: Duration { ask.deadline.remaining(context.clock) }

    private func outcome(_ content: AdapterAnswer.Content) throws(AdapterError) -> LoadOutcome {
        guard case .outcome(let result) = content else {
            throw AdapterError(
                .crash,
                .protocol,
                "The adapter of \(context.network) wants requests sent when asked what the replies mean."
            )
        }
        guard case .fill(let all) = try result.get() else { return try result.get() }
        var offers: [Offer] = []
        offers.append(unrepeated: all)
        return .fill(offers)
    }

    // MARK: The network

    /// Sends the requests side by side; the transport keeps the deadline of each.
    private func replies(to requests: [AdapterRequest]) async -> [Result<InboundResponse, AdapterError>] {
        if let only = requests.first, requests.count == 1 { return [await reply(to: only.request)] }
        return await withTaskGroup(of: (Int, Result<InboundResponse, AdapterError>).self) { group in
            for (place, request) in requests.enumerated() {
                group.addTask { (place, await reply(to: request.request)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func reply(to request: OutboundRequest) async -> Result<InboundResponse, AdapterError> {
        do throws(AdapterError) { return .success(try await context.send(request, for: ask)) } catch {
            return .failure(error)
        }
    }

    private enum Judgement {
        case decided(NoFill)
        case toRead([AdapterReply])
    }

    /// What is left to read: replies with an ad perhaps, and those that the adapter wants whatever they are.
    ///
    /// When nothing is left, the first reply is the verdict.
    private func judge(
        _ replies: [Result<InboundResponse, AdapterError>],
        _ requests: [AdapterRequest]
    ) throws(AdapterError) -> Judgement {
        var toRead: [AdapterReply] = []
        var verdict: StatusVerdict?
        for (place, (reply, request)) in zip(replies, requests).enumerated() {
            switch reply {
            case .failure(let error): verdict = verdict ?? .failure(error)
            case .success(let response):
                let judged = request.wantsAnyStatus ? .readBody : StatusVerdict(response)
                if judged == .readBody {
                    toRead.append(AdapterReply(request: place, result: .success(response)))
                } else {
                    verdict = verdict ?? judged
                }
            }
        }
        if !toRead.isEmpty { return .toRead(toRead) }
        switch verdict {
        case .noFill(let noFill): return .decided(noFill)
        case .failure(let error): throw error
        case .readBody, nil: throw AdapterError(.crash, .protocol, "The adapter wants nothing sent.")
        }
    }
}
