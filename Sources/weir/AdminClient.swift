internal import WeirAdapterKit
internal import WeirHTTP
internal import WeirJSON
internal import WeirRuntime
internal import WeirTime

/// Talks to a running gateway's admin listener.
struct AdminClient: Sendable {
    /// No answer came, or not one of Weir's.
    struct Unreachable: Error, Sendable {
        var message: String
    }

    /// What came back.
    struct Answer: Sendable {
        var status: Int
        var body: [UInt8]
        var json: JSONValue

        /// The body as text, without the line end.
        var text: String {
            String(decoding: body.last == UInt8(ascii: "\n") ? body.dropLast() : body[...], as: UTF8.self)
        }

        /// The sentence of a problem, for a person.
        var problem: String {
            guard status != 401 else { return "The gateway wants its admin key: --key KEY, or WEIR_ADMIN_KEY." }
            return json["detail"]?.string ?? json["title"]?.string ?? "The gateway answered \(status)."
        }
    }

    /// The options of every command that talks to a running gateway.
    static let options = [
        CommandSpecification.Option(
            "--admin",
            "URL",
            "the admin listener; default WEIR_ADMIN, else http://127.0.0.1:8081"
        ),
        CommandSpecification.Option("--key", "KEY", "the admin key; default WEIR_ADMIN_KEY"),
    ]

    /// The longest that one answer is waited for: above the longest request.
    private static let patience: Duration = .seconds(65)

    private let base: String
    private let key: String?
    private let clock = RuntimeClock()

    init(_ arguments: Arguments) {
        var base = arguments["--admin"] ?? environment("WEIR_ADMIN") ?? "http://127.0.0.1:8081"
        if !base.contains("://") { base = "http://" + base }
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
        key = arguments["--key"] ?? environment("WEIR_ADMIN_KEY")
    }

    /// A client of the listener at `base`, without a key.
    init(base: String) {
        self.base = base
        key = nil
    }

    /// Sends one request and reads the answer as JSON.
    func send(_ method: String = "GET", _ path: String, body: [UInt8] = []) async throws(Unreachable) -> Answer {
        let reply: InboundResponse
        do {
            reply = try await exchange(method, path, body)
        } catch {
            throw Unreachable(message: "No gateway answers at \(base): \(reason(error)) Is weir serve running?")
        }
        let json = (try? JSONReader.read(reply.body)) ?? .null
        guard !json.isNull || reply.status < 300 else {
            throw Unreachable(message: "What answers at \(base) is not Weir's admin listener (status \(reply.status)).")
        }
        return Answer(status: reply.status, body: reply.body, json: json)
    }

    /// The transport's sentence without the address, which has been named.
    private func reason(_ error: TransportError) -> String {
        let authority = base.split(separator: "/").dropFirst().first.map(String.init) ?? base
        let prefix = authority + ": "
        return error.message.hasPrefix(prefix) ? String(error.message.dropFirst(prefix.count)) : error.message
    }

    private func exchange(
        _ method: String,
        _ path: String,
        _ body: [UInt8]
    ) async throws(TransportError) -> InboundResponse {
        let loops: EventLoopGroup
        do { loops = try EventLoopGroup(count: 1) } catch { throw TransportError(.reset, "\(error)") }
        let clients = HTTPClientPool(group: loops, clock: clock)
        let outcome: Result<InboundResponse, TransportError>
        do throws(TransportError) {
            outcome = .success(
                try await clients.transport(policy: Self.policy).send(
                    request(method, path, body),
                    deadline: .after(Self.patience, clock: clock)
                )
            )
        } catch {
            outcome = .failure(error)
        }
        await clients.shutdown()
        await loops.shutDown()
        return try outcome.get()
    }

    private func request(_ method: String, _ path: String, _ body: [UInt8]) -> OutboundRequest {
        var headers: [HTTPHeader] = []
        if let key { headers.append(HTTPHeader("Authorization", "Bearer \(key)")) }
        if !body.isEmpty { headers.append(HTTPHeader("Content-Type", "application/json")) }
        return OutboundRequest(method: method, url: base + path, headers: headers, body: body)
    }

    /// The operator names the address, so any address may be meant.
    private static var policy: OutboundPolicy {
        var policy = OutboundPolicy(
            allowPrivate: (try? AddressPolicy(allowPrivate: ["0.0.0.0/0", "::/0"])) ?? AddressPolicy()
        )
        policy.maxBodyBytes = 64 << 20
        return policy
    }
}
