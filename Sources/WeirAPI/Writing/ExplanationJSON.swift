package import WeirGateway
internal import WeirJSON
internal import WeirMediation
internal import WeirModel
internal import WeirTime

extension Explanation {
    /// The body of `POST /v1/explain`.
    package var json: [UInt8] {
        var json = JSONWriter(reserving: 4096)
        json.object { json in
            json.member("placement", placement.id.text)
            json.member("ad_unit", adUnit.id.text)
            json.member("format", adUnit.format.rawValue)
            json.member("order", adUnit.order.rawValue)
            json.money("floor", adUnit.floor)
            json.member("timeout_ms", timeout.milliseconds)
            json.member("config", configuration)
            json.member("notes", plan.notes)
            json.array("plan") { json in
                let limit = min(timeout, plan.bidTimeout ?? timeout / 2)
                for bid in plan.bids { json.bid(bid, within: limit) }
                let first = plan.bids.isEmpty ? 1 : 2
                for (index, step) in plan.steps.enumerated() { json.step(step, index + first, within: timeout) }
            }
        }
        return json.bytes
    }
}

extension JSONWriter {
    /// A line that is asked for its bid, side by side with the others, before the first rated step.
    fileprivate mutating func bid(_ line: WaterfallPlan.Line, within limit: Duration) {
        object { json in
            json.member("step", 1)
            json.member("group", true)
            json.member("group_timeout_ms", limit.milliseconds)
            json.line(line, within: limit)
        }
    }

    fileprivate mutating func step(_ step: WaterfallPlan.Step, _ number: Int, within whole: Duration) {
        for line in step.lines {
            object { json in
                json.member("step", number)
                var limit = whole
                if case .group(_, let timeout) = step {
                    limit = min(limit, timeout ?? limit)
                    json.member("group", true)
                    json.member("group_timeout_ms", timeout?.milliseconds)
                } else {
                    json.member("group", false)
                }
                json.line(line, within: limit)
            }
        }
    }

    /// A line has the least of its own time, its group's, and the request's.
    private mutating func line(_ line: WaterfallPlan.Line, within limit: Duration) {
        member("line_item", line.lineItem.id.text)
        member("network", line.lineItem.network.text)
        member("network_unit", line.lineItem.networkUnit)
        member("adapter", line.adapter)
        member("adapter_version", line.adapterVersion)
        money("rate", line.lineItem.rate)
        member("bidding", line.lineItem.isBidding)
        member("timeout_ms", min(line.timeout, limit).milliseconds)
        member("action", line.skip == nil ? "ask" : "skip")
        member("reason", line.skip?.reason.rawValue)
        member("message", line.skip?.message)
        member("retry_at", line.retryAt?.rfc3339)
        array("rules") { json in
            for finding in line.findings {
                json.object { json in
                    json.member("rule", finding.rule)
                    json.member("passed", finding.isPassed)
                    json.member("sentence", finding.sentence)
                }
            }
        }
    }
}
