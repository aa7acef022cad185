internal import WeirJSON
internal import WeirModel
internal import WeirTime

extension AdapterAnswer {
    /// The message as one line, with its line end: what an adapter's process writes.
    package var line: [UInt8] {
        var json = JSONWriter(reserving: 1024)
        json.object { json in
            json.member("type", type)
            json.member("id", id)
            write(to: &json)
        }
        return json.bytes + [UInt8(ascii: "\n")]
    }

    private var type: String {
        switch content {
        case .hello: "hello"
        case .progress: "progress"
        case .ready: "ready"
        case .failed: "failed"
        case .requests: "requests"
        case .outcome: "outcome"
        case .error: "error"
        }
    }

    private func write(to json: inout JSONWriter) {
        switch content {
        case .hello(let api, let descriptor):
            json.member("api", api)
            json.member("name", descriptor.kind)
            json.member("version", descriptor.version)
            json.member("formats", descriptor.formats.map(\.rawValue).sorted())
        case .progress(let note):
            json.member("waiting_for", note.waitingFor)
            json.member("remedy", note.remedy)
            json.member("done", note.done)
        case .ready(let done): json.member("done", done)
        case .failed(let failure):
            json.member("reason", failure.reason)
            json.member("remedy", failure.remedy)
            json.member("retryable", failure.isRetryable)
        case .requests(let requests):
            json.array("requests") { json in for request in requests { json.write(request) } }
        case .outcome(.success(.fill(let offers))):
            json.member("result", "fill")
            json.array("offers") { json in for offer in offers { json.write(offer) } }
        case .outcome(.success(.noFill(let noFill))):
            json.member("result", "no_fill")
            json.member("reason", noFill.reason.rawValue)
            json.member("message", noFill.message)
            json.member("network_code", noFill.networkCode)
            json.member("network_message", noFill.networkMessage)
            json.member("error_urls", noFill.errorURLs)
        case .outcome(.failure(let error)):
            json.member("result", error.outcome.result.rawValue)
            json.member("reason", error.outcome.reason.rawValue)
            json.member("message", error.outcome.message)
            json.member("network_code", error.outcome.networkCode)
            json.member("network_message", error.outcome.networkMessage)
            json.member("loss", error.lossURLs)
        case .error(let message): json.member("message", message)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ request: AdapterRequest) {
        object { json in
            json.member("method", request.request.method)
            json.member("url", request.request.url)
            json.array("headers") { json in
                for header in request.request.headers {
                    json.array { json in
                        json.string(header.name)
                        json.string(header.value)
                    }
                }
            }
            if let text = String(validating: request.request.body, as: UTF8.self), !text.utf8.contains(0) {
                json.member("body", text)
            } else {
                json.member("body_base64", Base64.encoded(request.request.body))
            }
            json.member("any_status", request.wantsAnyStatus)
        }
    }

    fileprivate mutating func write(_ offer: Offer) {
        object { json in
            if let refusal = offer.refusal {
                json.object("refusal") { json in
                    json.member("result", refusal.result.rawValue)
                    json.member("reason", refusal.reason.rawValue)
                    json.member("message", refusal.message)
                }
                json.member("id", offer.id)
                json.member("loss", offer.notices.loss)
                return
            }
            switch offer.markup {
            // Other encodings than UTF-8 cannot pass; the gateway then finds a document it cannot read.
            case .document(let bytes): json.member("vast", String(decoding: bytes, as: UTF8.self))
            case .url(let url): json.member("vast_url", url)
            }
            json.member("id", offer.id)
            json.member("title", offer.title)
            if let price = offer.price {
                json.object("price") { json in
                    json.member("amount", price.amount)
                    json.member("currency", price.currency.code)
                }
            }
            if let reward = offer.reward {
                json.object("reward") { json in
                    json.member("item", reward.item)
                    json.member("amount", reward.amount.description)
                }
            }
            json.member("expires_in_ms", offer.expires?.milliseconds)
            json.member("section", offer.slot?.section.rawValue)
            json.member("point_ms", offer.slot?.point?.milliseconds)
            if let controls = offer.controls { json.write(controls) }
            json.member("seat", offer.seat)
            json.member("deal", offer.deal)
            json.member("creative_id", offer.creativeID)
            json.member("advertiser_domains", offer.advertiserDomains)
            json.member("categories", offer.categories)
            json.member("win", offer.notices.win)
            json.member("billing", offer.notices.billing)
            json.member("loss", offer.notices.loss)
        }
    }

    private mutating func write(_ controls: AudioControls) {
        member("allow_seek", controls.allowsSeek)
        member("allow_skip", controls.allowsSkip)
        member("allow_pause", controls.allowsPause)
        member("allow_track_change", controls.allowsTrackChange)
        member("ad_text", controls.adText)
    }
}
