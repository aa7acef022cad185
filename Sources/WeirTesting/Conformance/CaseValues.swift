internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel
internal import WeirTime

extension OutboundRequest {
    /// The request as case files spell it.
    ///
    /// - Parameters:
    ///   - splitsQuery: Whether the case looks at the parameters of the address one by one.
    ///   - splitsForm: Whether it looks at the fields of a form one by one.
    /// - Returns: An object of `method`, `url`, `query`, `headers` and `body`.
    func caseValue(splitsQuery: Bool, splitsForm: Bool = false) -> JSONValue {
        var value: JSONObject = ["method": .string(method), "url": .string(url)]
        if splitsQuery, let mark = url.firstIndex(of: "?") {
            value["url"] = .string(String(url[..<mark]))
            value["query"] = .object(JSONObject(queryItems(url[url.index(after: mark)...]).map { ($0, .string($1)) }))
        }
        value["headers"] = .object(JSONObject(headers.map { ($0.name, .string($0.value)) }))
        if !body.isEmpty {
            let text = String(decoding: body, as: UTF8.self)
            value["body"] =
                splitsForm && isForm
                ? .object(JSONObject(queryItems(text[...]).map { ($0, .string($1)) }))
                : (try? JSONReader.read(body)) ?? .string(text)
        }
        return .object(value)
    }

    /// Whether the body is a form.
    private var isForm: Bool {
        headers.contains { field in
            field.name.lowercased() == "content-type"
                && field.value.lowercased().hasPrefix("application/x-www-form-urlencoded")
        }
    }
}

/// The names and values of a query, percent-encoding undone.
func queryItems(_ query: Substring) -> [(name: String, value: String)] {
    query.split(separator: "&").map { item in
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (percentDecoded(parts[0]), percentDecoded(parts.count > 1 ? parts[1] : ""))
    }
}

/// The text with `%41` and `+` undone; a stray `%` stays.
func percentDecoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "+") {
            bytes.append(0x20)
        } else if byte == UInt8(ascii: "%"), let code = UInt8(String(Substring(rest.prefix(2))), radix: 16),
            rest.count >= 2
        {
            bytes.append(code)
            rest = rest.dropFirst(2)
        } else {
            bytes.append(byte)
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}

extension AttemptOutcome {
    /// The verdict as case files spell it.
    var caseValue: JSONValue {
        var value: JSONObject = [
            "result": .string(result.rawValue), "reason": .string(reason.rawValue), "message": .string(message),
        ]
        value["network_code"] = networkCode.map(JSONValue.string)
        value["network_message"] = networkMessage.map(JSONValue.string)
        return .object(value)
    }
}

extension AdapterError {
    /// The error as case files spell it.
    var caseValue: JSONValue {
        var value = outcome.caseValue.object ?? JSONObject()
        if !lossURLs.isEmpty { value["loss"] = .array(lossURLs.map(JSONValue.string)) }
        return .object(value)
    }
}

extension LoadOutcome {
    /// The outcome as case files spell it.
    var caseValue: JSONValue {
        switch self {
        case .fill(let offers):
            return ["result": "fill", "offers": .array(offers.map(\.caseValue))]
        case .noFill(let noFill):
            let verdict = AttemptOutcome(
                .noFill,
                noFill.reason,
                noFill.message,
                networkCode: noFill.networkCode,
                networkMessage: noFill.networkMessage
            )
            var value = verdict.caseValue.object ?? JSONObject()
            if !noFill.errorURLs.isEmpty { value["error_urls"] = .array(noFill.errorURLs.map(JSONValue.string)) }
            return .object(value)
        }
    }
}

extension Offer {
    /// The offer as case files spell it.
    var caseValue: JSONValue {
        var value = JSONObject()
        switch markup {
        case .document(let bytes): value["vast"] = .string(String(decoding: bytes, as: UTF8.self))
        case .url(let url): value["vast_url"] = .string(url)
        }
        value["id"] = id.map(JSONValue.string)
        value["title"] = title.map(JSONValue.string)
        value["price"] = price.map { ["amount": .string($0.amount), "currency": .string($0.currency.code)] }
        value["reward"] = reward.map { ["item": .string($0.item), "amount": .string($0.amount.description)] }
        value["expires_in_ms"] = expires.map { .int($0.milliseconds) }
        value["section"] = slot.map { .string($0.section.rawValue) }
        value["point_ms"] = slot?.point.map { .int($0.milliseconds) }
        value["seat"] = seat.map(JSONValue.string)
        value["deal"] = deal.map(JSONValue.string)
        value["creative_id"] = creativeID.map(JSONValue.string)
        if !advertiserDomains.isEmpty { value["advertiser_domains"] = .array(advertiserDomains.map(JSONValue.string)) }
        if !categories.isEmpty { value["categories"] = .array(categories.map(JSONValue.string)) }
        if !notices.win.isEmpty { value["win"] = .array(notices.win.map(JSONValue.string)) }
        if !notices.billing.isEmpty { value["billing"] = .array(notices.billing.map(JSONValue.string)) }
        if !notices.loss.isEmpty { value["loss"] = .array(notices.loss.map(JSONValue.string)) }
        if let refusal { value["refusal"] = refusal.caseValue }
        if let controls {
            value["allow_seek"] = .bool(controls.allowsSeek)
            value["allow_skip"] = .bool(controls.allowsSkip)
            value["allow_pause"] = .bool(controls.allowsPause)
            value["allow_track_change"] = .bool(controls.allowsTrackChange)
            value["ad_text"] = controls.adText.map(JSONValue.string)
        }
        return .object(value)
    }
}
