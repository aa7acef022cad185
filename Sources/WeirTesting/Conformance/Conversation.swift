internal import WeirAdapterKit
internal import WeirHTTP
internal import WeirRuntime
internal import WeirTime

/// What passes between one adapter and the fake network: every request as the adapter made it, what came over the wire,
/// and what was answered.
final class Conversation: Sendable {
    /// What a request is answered.
    enum Answer: Sendable {
        /// A scripted answer, over the wire.
        case reply(SandboxReply)
        /// No answer: the connection fails so.
        case failure(TransportError.Kind)
    }

    /// One request and what became of it.
    struct Exchange: Sendable {
        /// The request, with the adapter's own address.
        var request: OutboundRequest
        /// What it is answered.
        var answer: Answer
        /// What reached the server; `nil` while nothing has.
        var arrival: Arrival?
        /// Whether the client went before the answer was complete.
        var wasCutShort = false
    }

    /// A request as the server saw it.
    struct Arrival: Sendable, Hashable {
        var method: String
        var target: String
        var body: [UInt8]
    }

    /// The most exchanges kept; an adapter that asks more often is stuck in a loop, and is refused from there on.
    static let exchangeCount = 1000

    let number: Int
    private let script: @Sendable (OutboundRequest) -> Answer
    private let state = Lock<[Exchange]>([])

    init(number: Int, answer: @escaping @Sendable (OutboundRequest) -> Answer) {
        self.number = number
        script = answer
    }

    /// All exchanges so far, in the order in which the adapter began them.
    var exchanges: [Exchange] { state.withLock { $0 } }

    /// What the adapter has asked so far.
    var requests: [OutboundRequest] { exchanges.map(\.request) }

    /// Notes a request before it leaves; `nil` when there have been too many.
    func begin(_ request: OutboundRequest) -> (number: Int, answer: Answer)? {
        // The script is asked outside of the lock, for it looks after itself.
        guard state.withLock({ $0.count }) < Self.exchangeCount else { return nil }
        let answer = script(request)
        return state.withLock { state in
            state.append(Exchange(request: request, answer: answer))
            return (state.count - 1, answer)
        }
    }

    /// Answers what came over the wire.
    func answer(_ request: ServerRequest, number: Int) async -> ServerResponse {
        let reply: SandboxReply? = state.withLock { exchanges in
            guard exchanges.indices.contains(number) else { return nil }
            exchanges[number].arrival = Arrival(request)
            guard case .reply(let reply) = exchanges[number].answer else { return nil }
            return reply
        }
        guard let reply else { return ServerResponse(status: 404) }
        let clock = RuntimeClock()
        await withTaskCancellationHandler {
            if case .fixed(let delay) = reply.delay, delay > .zero { try? await clock.sleep(for: delay) }
        } onCancel: {
            noteCut(number)
        }
        let answer = SandboxAnswer(reply: reply, template: SandboxTemplate(base: "", query: []), clock: clock)
        var response = answer.response(to: request)
        if case .stream(let body) = response.body {
            response.body = .stream { [self] writer in
                await withTaskCancellationHandler {
                    await body(writer)
                } onCancel: {
                    noteCut(number)
                }
            }
        }
        return response
    }

    private func noteCut(_ number: Int) {
        state.withLock { exchanges in
            if exchanges.indices.contains(number) { exchanges[number].wasCutShort = true }
        }
    }
}

extension Conversation.Arrival {
    fileprivate init(_ request: ServerRequest) {
        method = request.method
        let path = ConversationPlace(request.path)?.path ?? request.path
        target = path + (request.query.map { "?" + $0 } ?? "")
        body = request.body
    }
}

/// Where a request of a conversation goes on the fake network: `/CONVERSATION/NUMBER/HOST` and the adapter's own path.
struct ConversationPlace: Hashable {
    var conversation: Int
    var number: Int
    var host: String
    var path: String

    /// The place of an adapter's request; `nil` when its address is none of the web.
    init?(conversation: Int, number: Int, url: String) {
        guard let end = ["http://", "https://"].first(where: { url.lowercased().hasPrefix($0) })?.count else {
            return nil
        }
        let rest = url.dropFirst(end)
        let authority = rest.prefix { !"/?#".contains($0) }
        let path = rest.dropFirst(authority.count).prefix { $0 != "#" }
        self.conversation = conversation
        self.number = number
        // A label for people and for telling hosts apart: whatever it holds, the request stays on loopback.
        let host = authority.suffix(
            from: authority.lastIndex(of: "@").map(authority.index(after:)) ?? authority.startIndex
        )
        self.host = host.filter { $0.isASCII && ($0.isLetter || $0.isNumber || ".-:".contains($0)) }
        self.path = path.hasPrefix("/") ? String(path) : "/" + path
    }

    /// Reads a path that ``target`` made, without the query.
    init?(_ path: String) {
        let parts = path.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5, let conversation = Int(parts[1]), let number = Int(parts[2]) else { return nil }
        self.conversation = conversation
        self.number = number
        host = String(parts[3])
        self.path = "/" + parts[4]
    }

    /// The path on the fake network.
    var target: String { "/\(conversation)/\(number)/\(host)\(path)" }
}
