import Testing
import WeirModel

@Suite("Attempt results and reasons")
struct AttemptTests {
    /// The closed list that the API promises.
    static let promised: [String: String] = [
        "fill": "fill",
        "no_fill": "http_204 empty_body empty_vast no_ad no_bid network_no_fill",
        "timeout": "line_timeout group_timeout deadline",
        "network_error":
            "connection_refused dns tls reset http_4xx http_5xx redirect_refused address_refused network_reported",
        "bad_response": "too_large bad_json bad_vast bad_encoding wrong_content_type missing_price bad_price",
        "rejected":
            "no_markup mime below_floor no_rate currency unknown_imp blocked_category missing_category "
            + "ui_not_hideable duration wrapper_limit wrapper_failed duplicate outbid",
        "skipped":
            "not_ready disabled unknown_adapter missing_field format consent targeting cap pacing below_floor "
            + "circuit_open saturated",
        "crash": "exit signal protocol",
        "not_attempted": "filled_above deadline",
    ]

    @Test("results and reasons are exactly those that the API promises", arguments: AttemptResult.allCases)
    func closedList(result: AttemptResult) {
        let reasons = result.reasons.map(\.rawValue).joined(separator: " ")
        #expect(reasons == Self.promised[result.rawValue])
        #expect(Set(result.reasons).count == result.reasons.count)
    }

    @Test("no result is missing, and every reason explains some result")
    func total() {
        #expect(Set(AttemptResult.allCases.map(\.rawValue)) == Set(Self.promised.keys))
        #expect(Set(AttemptResult.allCases.flatMap(\.reasons)) == Set(Reason.allCases))
    }

    @Test("an ad unit lists its line items with groups opened, in order")
    func lineItems() {
        var unit = AdUnit(id: "u", format: .video)
        func item(_ id: LineItemID) -> LineItem { LineItem(id: id, network: "n", networkUnit: "x") }
        unit.waterfall = [.line(item("a")), .group([item("b"), item("c")], timeout: nil), .line(item("d"))]
        #expect(unit.lineItems.map(\.id) == ["a", "b", "c", "d"])
    }

    @Test("a catalogue finds by id; of doubled ids the first counts, and nothing traps")
    func catalog() {
        var second = Network(id: "n", adapter: "second")
        second.isEnabled = false
        let catalog = Catalog(
            networks: [Network(id: "n", adapter: "first"), second],
            adUnits: [AdUnit(id: "u", format: .audio)],
            placements: [Placement(id: "p", adUnit: "u")],
            version: "v"
        )
        #expect(catalog.network("n")?.adapter == "first")
        #expect(catalog.placement("p").flatMap { catalog.adUnit($0.adUnit) }?.format == .audio)
        #expect(catalog.network("x") == nil && catalog.adUnit("x") == nil && catalog.placement("x") == nil)
    }
}
