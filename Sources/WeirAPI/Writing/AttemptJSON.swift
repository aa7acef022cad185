internal import WeirJSON
internal import WeirModel
internal import WeirTelemetry
internal import WeirTime

extension JSONWriter {
    /// Writes one attempt as docs/api.md shows it; a network may echo a secret in its own words.
    mutating func attempt(_ attempt: Attempt, _ redactor: Redactor) {
        object { json in
            json.member("line_item", attempt.lineItem.text)
            json.member("network", attempt.network.text)
            json.member("adapter", attempt.adapter)
            json.member("adapter_version", attempt.adapterVersion)
            json.member("result", attempt.outcome.result.rawValue)
            json.member("reason", attempt.outcome.reason.rawValue)
            json.member("message", redactor.redact(attempt.outcome.message))
            json.member("start_ms", attempt.start?.milliseconds)
            json.member("latency_ms", attempt.latency.milliseconds)
            json.member("network_code", attempt.outcome.networkCode.map(redactor.redact))
            json.member("network_message", attempt.outcome.networkMessage.map(redactor.redact))
            json.member(
                "retry_at",
                attempt.retryAtMilliseconds.map { WallTime(milliseconds: $0).rfc3339 }
            )
            json.money("rate", attempt.rate)
            json.money("price", attempt.price)
            if !attempt.leftOut.isEmpty {
                json.array("left_out") { json in
                    for ad in attempt.leftOut { json.leftOut(ad, redactor) }
                }
            }
        }
    }

    private mutating func leftOut(_ ad: LeftOutAd, _ redactor: Redactor) {
        object { json in
            json.member("id", ad.ad)
            json.member("section", ad.section.rawValue)
            json.member("point_ms", ad.point?.milliseconds)
            json.member("reason", ad.why.rawValue)
            json.member("message", redactor.redact(ad.message))
        }
    }

    /// Writes a member that is an amount, or `null`.
    mutating func money(_ key: String, _ money: Money?) {
        self.key(key)
        guard let money else { return null() }
        object { json in
            json.member("amount", money.amount)
            json.member("currency", money.currency.code)
        }
    }
}
