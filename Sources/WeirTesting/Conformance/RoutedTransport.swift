internal import WeirAdapterKit
internal import WeirHTTP
internal import WeirTime

/// The transport of one conversation: the real client, whose requests go to the fake network whatever host they name.
///
/// Failures speak of the host that the adapter asked for. What loopback cannot do (name look-ups, TLS, a full client) is
/// answered by the failure itself.
struct RoutedTransport: HTTPTransport {
    let conversation: Conversation
    let port: Int
    let wire: NetworkTransport

    /// A body that is far beyond any limit of the client.
    private static let tooMuch = 64 << 20

    func send(_ request: OutboundRequest, deadline: Deadline) async throws(TransportError) -> InboundResponse {
        guard let (number, answer) = conversation.begin(request) else {
            throw TransportError(.saturated, "The adapter has sent \(Conversation.exchangeCount) requests in one call.")
        }
        guard let place = ConversationPlace(conversation: conversation.number, number: number, url: request.url) else {
            // Not http or https: the client refuses it, as it would in service.
            return try await wire.send(request, deadline: deadline)
        }
        var authority = "127.0.0.1:\(port)"
        if case .failure(let kind) = answer {
            switch kind {
            case .connectionRefused: authority = "127.0.0.1:1"
            case .addressRefused: authority = "127.0.0.2:\(port)"
            default: throw TransportError(kind, "\(place.host): \(kind.rawValue.replacing("_", with: " ")).")
            }
        }
        var routed = request
        routed.url = "http://\(authority)\(place.target)"
        do {
            return try await wire.send(routed, deadline: deadline)
        } catch {
            throw TransportError(error.kind, error.message.replacing(authority, with: place.host))
        }
    }

    /// The answer over the wire that makes the client fail in this way; `nil` when none does.
    static func answer(for failure: TransportError.Kind) -> SandboxReply? {
        var reply = SandboxReply()
        switch failure {
        case .timeout:
            reply.delay = .fixed(.seconds(3600))
        case .reset:
            reply.body = .bytes(Array("<VAST".utf8))
            reply.repeatBytes = 1000
            reply.closeAfter = 5
            reply.closesByReset = true
        case .tooLarge:
            // As large as the pieces that are sent, which saves joining them.
            reply.body = .bytes([UInt8](repeating: UInt8(ascii: "<"), count: 65_536))
            reply.repeatBytes = tooMuch
            reply.isLengthOpen = true
        case .badEncoding:
            reply.headers = [SandboxReply.Header("Content-Encoding", "gzip")]
            reply.body = .bytes(Array("this is no gzip".utf8))
        default: return nil
        }
        return reply
    }
}
