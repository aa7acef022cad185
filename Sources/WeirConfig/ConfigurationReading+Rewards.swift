internal import WeirJSON
internal import WeirModel
internal import WeirRewards

extension ConfigurationReading {
    /// How rewards are earned and delivered.
    mutating func rewards(_ adUnits: [ReadAdUnit]) -> RewardSettings {
        var settings = RewardSettings()
        guard let node = root["rewards"] else { return settings }
        settings.publisherCallbackURL = node.text("publisher_callback_url")
        settings.allowPrivate = node.texts("allow_private")
        settings.lateRewardGrace = node.time("late_reward_grace_ms") ?? settings.lateRewardGrace
        settings.deliveryTimeout = node.time("delivery_timeout_ms") ?? settings.deliveryTimeout
        settings.retry.initial = node.time("retry_initial_ms") ?? settings.retry.initial
        settings.retry.longest = node.time("retry_max_ms") ?? settings.retry.longest
        settings.retry.giveUp = node.time("give_up_ms") ?? settings.retry.giveUp
        settings.keysFile = node.text("keys_file").map { resolvedPath($0, from: secrets.directory) }
        settings.keyRotation = node.time("key_rotation_ms") ?? settings.keyRotation
        settings.alarm = node.time("alarm_ms") ?? settings.alarm
        for subject in ["user", "device", "placement"] {
            settings.limits[subject] = node["limits"]?[subject].flatMap(cap)
        }
        settings.networkNumbers = numbers(node["network_numbers"])
        checkPublisherURL(node)
        let schemes = schemes(node)
        settings.callbacks = callbacks(node, schemes, adUnits)
        return settings
    }

    private func cap(_ node: ConfigurationNode) -> FrequencyCap? {
        guard let count = node.whole("count"), let window = node.time("per_ms"), count > 0 else { return nil }
        return FrequencyCap(count: count, window: window)
    }

    private mutating func numbers(_ node: ConfigurationNode?) -> [String: UInt64] {
        var numbers: [String: UInt64] = [:]
        for (network, member) in node?.members ?? [] {
            guard let number = member.value.string.flatMap({ UInt64($0) }) else {
                findings.error(.badValue, at: member.path, "must be a whole number in quotation marks.")
                continue
            }
            numbers[network] = number
        }
        return numbers
    }

    private mutating func checkPublisherURL(_ node: ConfigurationNode) {
        guard let url = node.text("publisher_callback_url"), url.contains("?") || url.contains("#") else { return }
        findings.error(
            .badURL,
            at: node.path.key("publisher_callback_url"),
            "must have no query and no fragment: the signature covers the whole query.",
            hint: "Put what you need into the path."
        )
    }

    private mutating func schemes(_ node: ConfigurationNode) -> [String: RewardScheme] {
        var schemes = Dictionary(BuiltInSchemes.all.map { ($0.id, $0) }) { first, _ in first }
        var seen: [String: JSONPath] = [:]
        for entry in node["schemes"]?.elements ?? [] {
            guard let id = entry.text("id"), claim(id, entry, &seen) else { continue }
            do throws(SchemeError) {
                schemes[id] = try RewardScheme(json: entry.value)
            } catch {
                // The shapes have complained about what is missing already.
                guard !findings.hasErrors(below: entry.path) else { continue }
                let names = error.path.split(separator: ".").map(String.init)
                let place = names.reduce(Optional(entry)) { $0?[$1] } ?? entry
                findings.error(
                    .badValue,
                    at: names.reduce(entry.path) { $0.key($1) },
                    standing: place.path,
                    error.reason
                )
            }
        }
        return schemes
    }

    private mutating func callbacks(
        _ node: ConfigurationNode,
        _ schemes: [String: RewardScheme],
        _ adUnits: [ReadAdUnit]
    ) -> [RewardCallbackSettings] {
        var callbacks: [RewardCallbackSettings] = []
        let known = adUnits.map(\.unit.id.text)
        for entry in node["callbacks"]?.elements ?? [] {
            guard let network = entry.text("network"), let id = entry.text("scheme") else { continue }
            if network == "keys" || callbacks.contains(where: { $0.network == network }) {
                findings.error(.doubledID, at: entry.path.key("network"), "The name \(quoted(network)) is taken.")
            }
            guard let scheme = schemes[id] else {
                // A scheme of the file that was refused is known all the same.
                let declared = (node["schemes"]?.elements ?? []).contains { $0.text("id") == id }
                guard !declared else { continue }
                findings.error(
                    .unknownWord,
                    at: entry.path.key("scheme"),
                    "There is no scheme \(quoted(id)).",
                    hint: didYouMean(id, among: schemes.keys.sorted()) ?? "Known: \(listed(schemes.keys.sorted()))."
                )
                continue
            }
            let units = texts(entry["ad_units"])
            for (unit, member) in entry["ad_units"]?.members ?? [] {
                guard let ours = units[unit], !known.contains(ours) else { continue }
                findings.error(
                    .unknownAdUnit,
                    at: member.path,
                    "There is no ad unit \(quoted(ours)).",
                    hint: didYouMean(ours, among: known)
                )
            }
            callbacks.append(
                RewardCallbackSettings(
                    network: network,
                    verifier: SchemeVerifier(
                        scheme,
                        secret: secret(entry, scheme) ?? "",
                        names: texts(entry["parameters"])
                    ),
                    keysURL: entry.text("keys_url"),
                    keysFile: entry.text("keys_file").map { resolvedPath($0, from: secrets.directory) },
                    adUnits: units,
                    checksReward: entry.flag("check_reward") ?? true,
                    allowPrivate: entry.texts("allow_private")
                )
            )
        }
        return callbacks
    }

    /// The shared secret, which every scheme but AdMob's needs; AdMob needs the list of ad units instead.
    private mutating func secret(_ entry: ConfigurationNode, _ scheme: RewardScheme) -> String? {
        if scheme.signing == .admob, (entry["ad_units"]?.members ?? []).isEmpty {
            findings.error(
                .missingKey,
                at: entry.path.key("ad_units"),
                standing: entry.path,
                "is required: Google signs the callbacks of every publisher with the same keys."
            )
        }
        guard let node = entry["secret"] else {
            if scheme.signing != .admob {
                findings.error(.missingKey, at: entry.path.key("secret"), standing: entry.path, "is required.")
            }
            return nil
        }
        if let reference = SecretReference(node.value) {
            return secrets.resolve(reference, at: node.path, findings: &findings)
        }
        guard let text = node.value.string, !text.isEmpty else { return nil }
        secrets.keepClear(text, at: node.path, findings: &findings)
        return text
    }

    private func texts(_ node: ConfigurationNode?) -> [String: String] {
        Dictionary((node?.members ?? []).compactMap { key, member in member.value.string.map { (key, $0) } }) { $1 }
    }
}
