package import WeirJSON
package import WeirModel
internal import WeirTime

/// A message from the gateway to an adapter's process.
package enum AdapterQuestion: Sendable, Hashable {
    /// The first message: which protocol, and whose adapter.
    case hello(network: NetworkID, weir: String)
    /// The settings; answered by ``AdapterAnswer/Content/ready(_:)`` or a failure, perhaps after requests.
    case setUp(settings: JSONValue)
    /// What came of the requests that a set-up wanted sent.
    case replies([AdapterReply])
    /// Our words into the network's; `ask` is an ``WeirAdapterKit/AdAsk`` as JSON.
    case makeRequests(ask: [UInt8], remaining: Duration)
    /// The network's words into ours.
    case outcome(ask: [UInt8], replies: [AdapterReply], remaining: Duration)
    /// The last message: end.
    case tearDown

    /// The message as one line, with its line end.
    package func line(id: Int) -> [UInt8] {
        var json = JSONWriter(reserving: 1024)
        json.object { json in
            json.member("type", type)
            json.member("id", id)
            write(to: &json)
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// The message's name on the wire.
    package var type: String {
        switch self {
        case .hello: "hello"
        case .setUp: "set_up"
        case .replies: "replies"
        case .makeRequests: "make_requests"
        case .outcome: "outcome"
        case .tearDown: "tear_down"
        }
    }

    private func write(to json: inout JSONWriter) {
        switch self {
        case .hello(let network, let weir):
            json.member("api", AdapterProtocol.version)
            json.member("network", network.text)
            json.member("weir", weir)
        case .setUp(let settings):
            json.member("settings", settings)
        case .replies(let replies):
            json.array("replies") { json in for reply in replies { reply.write(to: &json) } }
        case .makeRequests(let ask, let remaining):
            json.member("remaining_ms", remaining.milliseconds)
            json.key("ask")
            json.raw(ask)
        case .outcome(let ask, let replies, let remaining):
            json.member("remaining_ms", remaining.milliseconds)
            json.array("replies") { json in for reply in replies { reply.write(to: &json) } }
            json.key("ask")
            json.raw(ask)
        case .tearDown:
            break
        }
    }
}

/// What came of one request that an adapter wanted sent.
package struct AdapterReply: Sendable, Hashable {
    /// Which of the requests, from 0.
    package var request: Int
    /// The response, or why there is none.
    package var result: Result<InboundResponse, TransportError>

    /// What came of the request at `request`.
    package init(request: Int, result: Result<InboundResponse, TransportError>) {
        self.request = request
        self.result = result
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("request", request)
            switch result {
            case .success(let response):
                json.member("status", response.status)
                json.array("headers") { json in
                    for header in response.headers {
                        json.array { json in
                            json.string(header.name)
                            json.string(header.value)
                        }
                    }
                }
                if let text = Self.text(response.body) {
                    json.member("body", text)
                } else {
                    json.member("body_base64", Base64.encoded(response.body))
                }
            case .failure(let failure):
                json.member("failure", failure.kind.rawValue)
                json.member("message", failure.message)
            }
        }
    }

    /// The body as text, when it is text; NUL is none, because many readers of JSON refuse it.
    private static func text(_ body: [UInt8]) -> String? {
        body.contains(0) ? nil : String(validating: body, as: UTF8.self)
    }
}

/// A request that an adapter's process wants sent.
package struct AdapterRequest: Sendable, Hashable {
    /// The request.
    package var request: OutboundRequest
    /// Whether the process wants every reply, whatever its status; otherwise the gateway judges those without an ad.
    package var wantsAnyStatus = false

    /// A request whose reply is judged first.
    package init(_ request: OutboundRequest) {
        self.request = request
    }
}
