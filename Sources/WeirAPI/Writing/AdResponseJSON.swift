internal import WeirAdapterKit
package import WeirGateway
internal import WeirJSON
internal import WeirModel
package import WeirTelemetry
internal import WeirTime
internal import WeirVAST

extension AdResponse {
    /// The body of `POST /v1/ads`.
    package func json(redactor: Redactor) -> [UInt8] {
        // Escapes make documents a little longer.
        let documents = ads.reduce(0) { $0 + ($1.untouched?.bytes.count ?? 4096) }
        var json = JSONWriter(reserving: 4096 + documents + documents / 4)
        json.object { json in
            json.head(self)
            json.key("ad")
            if let first = ads.first { json.ad(first, in: self) } else { json.null() }
            if ads.count > 1 {
                json.array("ads") { json in
                    for ad in ads { json.ad(ad, in: self) }
                }
            }
            if adUnit.format == .audio, !ads.isEmpty { json.sections(self) }
            json.array("attempts") { json in
                for attempt in attempts { json.attempt(attempt, redactor) }
            }
            json.member("latency_ms", latency.milliseconds)
            json.member("config", configuration)
            json.member("expires_at", expiresAt?.rfc3339)
            if let trace { json.trace(trace, redactor: redactor) }
        }
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func head(_ response: AdResponse) {
        member("request_id", response.requestID.text)
        member("placement", response.placement.text)
        member("ad_unit", response.adUnit.id.text)
        member("format", response.adUnit.format.rawValue)
        member("result", response.result.rawValue)
    }

    /// An audio programme, section by section.
    fileprivate mutating func sections(_ response: AdResponse) {
        object("sections") { json in
            for section in AudioSection.allCases {
                let ads = response.ads.filter { $0.slot?.section == section }
                json.array(section.rawValue) { json in
                    guard section == .midroll else {
                        for ad in ads { json.ad(ad, in: response) }
                        return
                    }
                    for point in response.midpoints {
                        json.object { json in
                            json.member("point_ms", point.milliseconds)
                            json.array("ads") { json in
                                for ad in ads where (ad.slot?.point ?? .zero) == point { json.ad(ad, in: response) }
                            }
                        }
                    }
                }
            }
        }
        array("midpoints_ms") { json in
            for point in response.midpoints { json.int(point.milliseconds) }
        }
        guard !response.spares.isEmpty else { return }
        array("spares") { json in
            for ad in response.spares { json.ad(ad, in: response) }
        }
    }

    fileprivate mutating func trace(_ exchanges: [TraceRecorder.Exchange], redactor: Redactor) {
        array("trace") { json in
            for exchange in exchanges { json.exchange(exchange, redactor) }
        }
    }

    private mutating func exchange(_ exchange: TraceRecorder.Exchange, _ redactor: Redactor) {
        object { json in
            json.member("line_item", exchange.lineItem.text)
            json.object("request") { json in
                json.member("method", exchange.request.method)
                json.member("url", redactor.redact(exchange.request.url))
                json.headers(exchange.request.headers, redactor)
                json.body(exchange.request.body, redactor)
            }
            if let reply = exchange.reply {
                json.object("response") { json in
                    json.member("status", reply.status)
                    json.headers(reply.headers, redactor)
                    json.body(reply.body, redactor)
                }
            } else {
                json.nullMember("response")
            }
            json.member("error", exchange.failure.map { redactor.redact($0.message) })
        }
    }

    private mutating func headers(_ headers: [HTTPHeader], _ redactor: Redactor) {
        array("headers") { json in
            for header in headers { json.string(redactor.redact("\(header.name): \(header.value)")) }
        }
    }

    private mutating func body(_ body: [UInt8], _ redactor: Redactor) {
        member("body", redactor.redact(String(decoding: body, as: UTF8.self)))
    }
}
