internal import WeirJSON
internal import WeirModel

extension ConfigurationReading {
    /// The placements that have an id of their own and an ad unit.
    mutating func placements(_ adUnits: [ReadAdUnit]) -> [Placement] {
        var placements: [Placement] = []
        var seen: [String: JSONPath] = [:]
        let known = Set((root["ad_units"]?.elements ?? []).compactMap { $0.text("id") })
        for node in root["placements"]?.elements ?? [] {
            if let name = node.text("ad_unit"), !known.contains(name) {
                findings.error(
                    .unknownAdUnit,
                    at: node.path.key("ad_unit"),
                    "There is no ad unit \(quoted(name)).",
                    hint: didYouMean(name, among: adUnits.map(\.unit.id.text))
                )
            }
            guard let id = node.name("id", PlacementID.self), claim(id.text, node, &seen),
                let adUnit = node.name("ad_unit", AdUnitID.self)
            else { continue }
            placements.append(
                Placement(
                    id: id,
                    adUnit: adUnit,
                    entitlements: Set(node.texts("entitlements").compactMap(Entitlement.init)),
                    requiresHideableUI: node.flag("require_hideable_ui") ?? false
                )
            )
        }
        if seen.isEmpty, root.value.object != nil {
            findings.warning(
                .nothingToServe,
                at: root["placements"]?.path ?? .root,
                "There is no placement: every request will be answered 404."
            )
        }
        return placements
    }

    /// The rules between the keys of one ad unit, and between it and the networks of its lines.
    mutating func checkKeys(
        of read: ReadAdUnit,
        _ networks: [NetworkID: ReadNetwork],
        _ rates: CurrencyRates
    ) {
        let unit = read.unit
        let node = read.node
        guard node.word("format", AdFormat.self) != nil else { return }
        if unit.format != .audio, let sections = node["sections"] {
            findings.error(
                .uselessKey,
                at: sections.path,
                atKey: true,
                "Only audio units have sections; the format of this one is \(unit.format.rawValue)."
            )
        }
        for key in ["reward", "reward_mode"] where unit.format != .rewarded {
            guard let member = node[key] else { continue }
            findings.warning(.uselessKey, at: member.path, atKey: true, "Only rewarded units read it.")
        }
        if unit.format == .rewarded, node["reward"] == nil {
            findings.warning(
                .rewardedWithoutReward,
                at: node.path,
                "A rewarded unit without reward: viewers get what the network names, or nothing.",
                hint: "Add \"reward\": {\"item\": \"coins\", \"amount\": \"10\"}."
            )
        }
        if let shortest = unit.minDuration, let longest = unit.maxDuration, shortest > longest {
            findings.error(.outOfRange, at: node.path.key("max_duration_ms"), "must not be less than min_duration_ms.")
        }
        if let timeout = node["bid_timeout_ms"], !unit.lineItems.contains(where: \.isBidding) {
            findings.warning(.uselessKey, at: timeout.path, atKey: true, "No line item of this unit bids.")
        }
        checkLines(of: read, networks, rates)
    }

    private mutating func checkLines(
        of read: ReadAdUnit,
        _ networks: [NetworkID: ReadNetwork],
        _ rates: CurrencyRates
    ) {
        let format = read.unit.format
        for (line, node) in zip(read.unit.lineItems, read.lines) {
            if let network = networks[line.network], let formats = network.formats, !formats.contains(format) {
                let kind = network.entry.network.adapter
                findings.warning(
                    .formatNotServed,
                    at: node.path.key("network"),
                    "The adapter \(quoted(kind)) loads no \(format.rawValue) ads: this line is always skipped."
                )
            }
            if line.isBidding, let rate = node["rate"] {
                findings.warning(
                    .uselessKey,
                    at: rate.path,
                    atKey: true,
                    "A line item that bids is placed by its bid; its rate counts for nothing."
                )
            }
            if let rate = line.rate, let floor = read.unit.floor, !line.isBidding,
                rates.convert(rate, to: floor.currency) == nil
            {
                findings.warning(
                    .mixedCurrencies,
                    at: node.path.key("rate").key("currency"),
                    "The floor is in \(floor.currency) and this rate in \(rate.currency): they cannot be compared.",
                    hint: "Name a file of exchange rates under currency.file."
                )
            }
        }
    }

    /// Test units in production (S2.4) and live units in development (S2.2).
    mutating func checkUnits(_ adUnits: [ReadAdUnit], environment: Environment, testUnits: Set<String>) {
        var live: [JSONPath] = []
        for read in adUnits {
            for (line, node) in zip(read.unit.lineItems, read.lines) where line.isEnabled {
                let path = node.path.key("network_unit")
                let isTest = testUnits.contains(line.networkUnit)
                if environment == .production, isTest {
                    findings.error(
                        .testUnitInProduction,
                        at: path,
                        "\(quoted(line.networkUnit)) is a test unit, and the environment is production.",
                        hint: "Write your own unit's id."
                    )
                } else if environment == .development, !isTest {
                    live.append(path)
                }
            }
        }
        guard let first = live.first else { return }
        let count = live.count == 1 ? "1 line item asks" : "\(live.count) line items ask"
        findings.warning(
            .liveUnitInDevelopment,
            at: JSONPath.root.key("environment"),
            standing: root["environment"]?.path ?? first,
            "The environment is development, but \(count) for live units, first \(first).",
            hint: "List units that are for tests in test_units, or set environment to \"production\"."
        )
    }
}
