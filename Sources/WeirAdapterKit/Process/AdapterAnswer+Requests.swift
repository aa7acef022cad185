internal import WeirJSON

extension JSONField {
    /// The requests of a `requests` message; what is wrong is noted.
    var adapterRequests: [AdapterRequest] {
        guard let list = requiredMember("requests")?.elements(maxCount: AdapterProtocol.requestCount) else { return [] }
        if list.isEmpty { complain(about: "requests", "must not be empty") }
        return list.compactMap(\.adapterRequest)
    }

    private var adapterRequest: AdapterRequest? {
        guard let url = requiredString("url", maxBytes: AdapterProtocol.addressBytes) else { return nil }
        guard url.isWebAddress else {
            complain(about: "url", "must be an absolute http or https address")
            return nil
        }
        var request = AdapterRequest(OutboundRequest(url: url))
        if let method = optionalString("method", maxBytes: 16) {
            if !method.isHeaderName { complain(about: "method", "must be the name of a method") }
            request.request.method = method
        }
        request.request.headers = adapterHeaders
        request.request.body = adapterBody
        request.wantsAnyStatus = optionalBool("any_status") ?? false
        return request
    }

    /// Either an object or a list of pairs, which can name a field twice.
    private var adapterHeaders: [HTTPHeader] {
        guard let field = member("headers") else { return [] }
        let pairs: [(name: String, value: JSONField)]
        if field.value.array != nil {
            pairs = (field.elements(maxCount: AdapterProtocol.headerCount) ?? []).compactMap { pair in
                guard let parts = pair.elements(maxCount: 2), parts.count == 2, let name = parts[0].string() else {
                    pair.complain("must be a name and a value")
                    return nil
                }
                return (name, parts[1])
            }
        } else {
            pairs = (field.members() ?? []).map { ($0.key, $0.field) }
        }
        guard pairs.count <= AdapterProtocol.headerCount else {
            field.complain("has \(pairs.count) fields; at most \(AdapterProtocol.headerCount) are allowed")
            return []
        }
        return pairs.compactMap { name, value in
            if !name.isHeaderName { value.complain("is not named like a header field") }
            if transportHeaders.contains(name.lowercased()) { value.complain("is set by the transport") }
            return value.string(maxBytes: AdapterProtocol.addressBytes).map { HTTPHeader(name, $0) }
        }
    }

    private var adapterBody: [UInt8] {
        if let field = member("body_base64") {
            guard let text = field.string(maxBytes: AdapterProtocol.frameBytes) else { return [] }
            guard let bytes = Base64.decoded(text) else {
                field.complain("is not base64")
                return []
            }
            return bytes
        }
        return optionalString("body", maxBytes: AdapterProtocol.frameBytes).map { Array($0.utf8) } ?? []
    }
}
