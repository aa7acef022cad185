internal import WeirJSON
internal import WeirModel

/// An ad unit with its place in the file.
struct ReadAdUnit {
    var unit: AdUnit
    let node: ConfigurationNode
    /// The places of its line items, in order.
    var lines: [ConfigurationNode]
}

extension ConfigurationReading {
    /// The ad units that have an id of their own and a format.
    ///
    /// The others are read all the same, so that all that is wrong with them is said at once.
    mutating func adUnits(_ networks: [ReadNetwork], _ rates: CurrencyRates) -> [ReadAdUnit] {
        var units: [ReadAdUnit] = []
        var seen: [String: JSONPath] = [:]
        let networkByID = Dictionary(networks.map { ($0.entry.network.id, $0) }) { first, _ in first }
        // A name that was refused as an id is still known, so that one mistake makes one complaint.
        let names = Set((root["networks"]?.elements ?? []).compactMap { $0.text("id") })
        for node in root["ad_units"]?.elements ?? [] {
            let id = node.name("id", AdUnitID.self)
            let isOwn = id.map { claim($0.text, node, &seen) } ?? false
            var read = ReadAdUnit(unit: AdUnit(id: id ?? AdUnitID("unknown"), format: .video), node: node, lines: [])
            readPlainKeys(node, &read.unit)
            readWaterfall(&read, networkNames: names)
            checkKeys(of: read, networkByID, rates)
            if isOwn { units.append(read) }
        }
        return units
    }

    private func readPlainKeys(_ node: ConfigurationNode, _ unit: inout AdUnit) {
        unit.format = node.word("format", AdFormat.self) ?? unit.format
        unit.floor = node.money("floor")
        unit.timeout = node.time("timeout_ms") ?? unit.timeout
        unit.vastVersion = node.text("vast_version").map(shortVersion) ?? unit.vastVersion
        unit.maxAds = node.whole("max_ads") ?? unit.maxAds
        unit.order = node.word("order", WaterfallOrder.self) ?? unit.order
        unit.bidTimeout = node.time("bid_timeout_ms")
        unit.rewardMode = node.word("reward_mode", RewardMode.self) ?? unit.rewardMode
        unit.expires = node.time("expires_ms") ?? unit.expires
        unit.separatesCategories = node.flag("separate_categories") ?? unit.separatesCategories
        unit.blockedCategories = Set(node.texts("blocked_categories"))
        unit.requiresCategory = node.flag("require_category") ?? unit.requiresCategory
        unit.minDuration = node.time("min_duration_ms")
        unit.maxDuration = node.time("max_duration_ms")
        if let reward = node["reward"], let item = reward.text("item"),
            let amount = reward["amount"]?.decimalText.flatMap({ ExactDecimal($0) })
        {
            unit.reward = Reward(item: item, amount: amount)
            unit.overridesReward = reward.flag("override") ?? unit.overridesReward
        }
        unit.sections = node["sections"].map { sections in
            SectionLimits(
                Dictionary(
                    AudioSection.allCases.compactMap { section in
                        sections[section.rawValue].map { limit in
                            (
                                section,
                                SectionLimit(
                                    maxAds: limit.whole("max_ads"),
                                    maxDuration: limit.time("max_duration_ms"),
                                    minGap: limit.time("min_gap_ms")
                                )
                            )
                        }
                    },
                    uniquingKeysWith: { first, _ in first }
                )
            )
        }
    }

    private mutating func readWaterfall(_ read: inout ReadAdUnit, networkNames: Set<String>) {
        guard let waterfall = read.node["waterfall"], waterfall.value.array != nil else { return }
        var seen: [String: JSONPath] = [:]
        for node in waterfall.elements {
            if let group = node["group"] {
                let lines = group.elements.compactMap { line($0, &read, &seen, networkNames) }
                read.unit.waterfall.append(.group(lines, timeout: node.time("timeout_ms")))
            } else if let line = line(node, &read, &seen, networkNames) {
                read.unit.waterfall.append(.line(line))
            }
        }
        let count = read.lines.count
        if waterfall.elements.isEmpty {
            findings.warning(.emptyWaterfall, at: waterfall.path, "Nobody is asked: this ad unit never fills.")
        } else if count > ConfigurationLimits.linesPerUnit {
            let most = ConfigurationLimits.linesPerUnit
            findings.error(.tooMany, at: waterfall.path, "has \(count) line items; at most \(most) are allowed.")
        }
    }

    private mutating func line(
        _ node: ConfigurationNode,
        _ read: inout ReadAdUnit,
        _ seen: inout [String: JSONPath],
        _ networkNames: Set<String>
    ) -> LineItem? {
        if let name = node.text("network"), !networkNames.contains(name) {
            findings.error(
                .unknownNetwork,
                at: node.path.key("network"),
                "There is no network \(quoted(name)).",
                hint: didYouMean(name, among: networkNames.sorted())
            )
        }
        guard let id = node.name("id", LineItemID.self), claim(id.text, node, &seen),
            let network = node.name("network", NetworkID.self), let unit = node.text("network_unit")
        else { return nil }
        var line = LineItem(id: id, network: network, networkUnit: unit)
        line.isBidding = node.flag("bidding") ?? line.isBidding
        if !line.isBidding { line.rate = node.money("rate") }
        line.timeout = node.time("timeout_ms")
        line.isEnabled = node.flag("enabled") ?? line.isEnabled
        line.targeting = node["targeting"].map(targeting)
        line.cap = node["cap"].flatMap(cap)
        line.pacing = node["pacing"].flatMap(cap)
        line.requiresConsent = node.flag("requires_consent") ?? line.requiresConsent
        read.lines.append(node)
        return line
    }

    /// Country codes in capitals and languages in small letters, as ISO spells them.
    private func targeting(_ node: ConfigurationNode) -> Targeting {
        var targeting = Targeting()
        targeting.countries = node.texts("country").map { $0.uppercased() }
        targeting.systems = node.texts("os")
        targeting.bundles = node.texts("app_bundle")
        targeting.languages = node.texts("language").map { $0.lowercased() }
        for (key, member) in node["keys"]?.members ?? [] {
            targeting.keys[key] = member.value.string.map { [$0] } ?? member.value.array?.compactMap(\.string) ?? []
        }
        return targeting
    }

    private func cap(_ node: ConfigurationNode) -> FrequencyCap? {
        guard let count = node.whole("count"), let window = node.time("per_ms") else { return nil }
        return FrequencyCap(count: count, window: window)
    }
}

/// `2.0` and `3.0` as the API spells them: `2` and `3`.
private func shortVersion(_ version: String) -> String {
    switch version {
    case "2.0": "2"
    case "3.0": "3"
    default: version
    }
}
