internal import WeirAdapterKit
internal import WeirHTTP
internal import WeirRuntime
internal import WeirTime
internal import WeirVAST

/// Where documents come from.
enum DocumentSource: Sendable {
    /// http and https, public addresses and those that are named, as the gateway does it.
    case network(AddressPolicy)
    /// Files; what is not among them is not found.
    case files([URLMapping])
}

/// Fetches the documents of a chain, and calls error URLs when it is told to.
struct DocumentFetcher: Sendable {
    let clock: any GatewayClock
    private let source: DocumentSource
    private let transport: NetworkTransport

    /// Runs `body` with a fetcher and its event loop.
    static func with<Result: Sendable>(
        _ source: DocumentSource,
        limits: ReadLimits,
        _ body: (DocumentFetcher) async -> Result
    ) async -> Result? {
        let clock = RuntimeClock()
        guard let loops = try? EventLoopGroup(count: 1) else { return nil }
        let clients = HTTPClientPool(group: loops, clock: clock)
        var policy = OutboundPolicy()
        policy.maxBodyBytes = limits.bytes
        if case .network(let addresses) = source { policy.allowPrivate = addresses }
        let fetcher = DocumentFetcher(clock: clock, source: source, transport: clients.transport(policy: policy))
        let result = await body(fetcher)
        await clients.shutdown()
        await loops.shutDown()
        return result
    }

    /// One document.
    func fetch(_ request: FetchRequest) async -> FetchResult {
        switch source {
        case .network: await fetchOverNetwork(request)
        case .files(let mappings): Self.answer(request.url, from: mappings)
        }
    }

    /// Calls a URL; nobody looks at the answer.
    func call(_ url: String) async {
        let request = OutboundRequest(url: url)
        _ = try? await transport.send(request, deadline: .after(.seconds(5), clock: clock))
    }

    private static func answer(_ url: String, from mappings: [URLMapping]) -> FetchResult {
        guard let path = mappings.lazy.compactMap({ $0.path(of: url) }).first, let bytes = readFile(path) else {
            return .failed(.status(404), message: "The address answered 404.")
        }
        return bytes.isEmpty ? .empty : .document(bytes, url: url)
    }

    private func fetchOverNetwork(_ request: FetchRequest) async -> FetchResult {
        do throws(TransportError) {
            let reply = try await transport.send(OutboundRequest(url: request.url), deadline: request.deadline)
            switch reply.status {
            case 204: return .empty
            case 200..<300: return reply.body.isEmpty ? .empty : .document(reply.body, url: request.url)
            default: return .failed(.status(reply.status), message: "The address answered \(reply.status).")
            }
        } catch {
            let way = error.kind == .addressRefused ? " --allow-private ADDRESS lets it be reached." : ""
            return .failed(Self.failure(error.kind), message: error.message + way)
        }
    }

    private static func failure(_ kind: TransportError.Kind) -> FetchFailure {
        switch kind {
        case .timeout: .timeout
        case .addressRefused: .refusedAddress
        case .tooLarge: .tooLarge
        case .cancelled: .cancelled
        case .connectionRefused, .dns, .tls, .reset, .badEncoding, .saturated: .network
        }
    }
}
