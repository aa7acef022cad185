public import WeirAdapterKit
public import WeirJSON
internal import WeirModel
public import WeirTime

extension AdAsk {
    /// An ask as case files spell it: the body of `POST /v1/ads`, and beside it `network_unit`, `format`, `ad_unit`,
    /// `line_item`, `request_id`, `floor`, `remaining_ms`, `max_ads`, `min_duration_ms`, `max_duration_ms`,
    /// `blocked_categories`, `sections`, `reward`.
    ///
    /// What is absent has a plain default; what is of the wrong type counts as absent (a case file's is refused before).
    public init(_ body: JSONValue, clock: any GatewayClock) {
        var filled = body.object ?? [:]
        for (key, text) in Self.caseDefaults where filled[key]?.string == nil { filled[key] = .string(text) }
        self.init(
            wire: .object(filled),
            deadline: .after(.milliseconds(body["remaining_ms"]?.int ?? 1000), clock: clock)
        )
        lineItem.network = "network"
    }

    private static let caseDefaults = [
        ("ad_unit", "unit"), ("line_item", "line"), ("network_unit", "network-unit"), ("placement", "placement"),
        ("request_id", "request-1"),
    ]
}
