internal import WeirJSON

extension AdapterReply {
    /// A reply as the gateway wrote it; `nil` when it is none.
    init?(wire value: JSONValue) {
        guard let request = value["request"]?.int else { return nil }
        if let status = value["status"]?.int {
            let body =
                value["body"]?.string.map { Array($0.utf8) } ?? value["body_base64"]?.string.flatMap(Base64.decoded)
                ?? []
            let headers = (value["headers"]?.array ?? []).compactMap { pair -> HTTPHeader? in
                guard let name = pair[0]?.string, let text = pair[1]?.string else { return nil }
                return HTTPHeader(name, text)
            }
            self.init(
                request: request,
                result: .success(InboundResponse(status: status, headers: headers, body: body))
            )
        } else {
            let kind = value["failure"]?.string.flatMap(TransportError.Kind.init) ?? .reset
            self.init(
                request: request,
                result: .failure(TransportError(kind, value["message"]?.string ?? "The request failed."))
            )
        }
    }
}
