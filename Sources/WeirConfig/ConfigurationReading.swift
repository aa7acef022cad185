internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// One file on its way from checked shapes to a configuration.
///
/// Whatever the shapes complained about is left out here without another word; what is added are the rules between
/// values: names that must exist, ids that must differ, keys that need one another.
struct ConfigurationReading {
    let root: ConfigurationNode
    var findings: Findings
    var secrets: Secrets
    let factories: [AdapterFactory]
    let files: NetworkFileReader
    /// The files of declared networks read so far, by their paths.
    var networkFiles: [String: NetworkFile] = [:]

    /// The whole configuration; to be thrown away when there are errors.
    mutating func configuration(lenient: Bool) -> WeirConfiguration {
        let server = server()
        let initialization = initialization()
        var entries = networks()
        let currency = currency()
        let adUnits = adUnits(entries, currency.rates)
        let placements = placements(adUnits)
        let environment = root.word("environment", Environment.self) ?? .development
        let testUnits = testUnits
        checkUnits(adUnits, environment: environment, testUnits: testUnits)
        let rewards = rewards(adUnits)
        let beacons = beacons()
        if lenient { leaveOutWrong(&entries) }
        checkReadiness(initialization, entries)
        let version = version(currency)
        return WeirConfiguration(
            server: server,
            initialization: initialization,
            storageURL: StorageURL.resolved(
                root["storage"]?.text("url") ?? Shapes.defaultStorageURL,
                from: secrets.directory
            ),
            catalog: Catalog(
                networks: entries.map(\.entry.network),
                adUnits: adUnits.map(\.unit),
                placements: placements,
                version: version,
                testUnits: testUnits,
                environment: environment,
                wrapperDepth: limits.wrapperDepth,
                fetches: limits.fetches,
                rates: currency.rates
            ),
            networks: entries.map(\.entry),
            rewards: rewards,
            currency: currency,
            watchedFiles: [currency.path].compactMap(\.self) + networkFiles.keys.sorted(),
            limits: limits,
            beacons: beacons,
            secrets: secrets.hidden,
            version: version,
            redacted: secrets.redacted(root.value)
        )
    }

    /// The version: of what the file says, secrets apart, and of the rates, which decide as well.
    private func version(_ currency: CurrencySettings) -> String {
        var content = root.value.object ?? [:]
        content["$schema"] = nil
        var hash = StableHash()
        hash.feed(.object(content))
        hash.feed(currency.content)
        for (path, file) in networkFiles.sorted(by: { $0.key < $1.key }) {
            hash.feed(path.utf8)
            hash.feed(file.content)
        }
        return hash.text(digits: 12)
    }

    private var testUnits: Set<String> {
        root["test_units"] == nil ? Set(Shapes.wellKnownTestUnits) : Set(root.texts("test_units"))
    }

    private var limits: LimitSettings {
        var settings = LimitSettings()
        guard let node = root["limits"] else { return settings }
        settings.wrapperDepth = node.whole("wrapper_depth") ?? settings.wrapperDepth
        settings.responseBytes = node.whole("response_bytes") ?? settings.responseBytes
        settings.responseHeadBytes = node.whole("response_head_bytes") ?? settings.responseHeadBytes
        settings.fetches = node.whole("fetches") ?? settings.fetches
        settings.sessions = node.whole("sessions") ?? settings.sessions
        settings.sessionIdle = node.time("session_idle_ms") ?? settings.sessionIdle
        return settings
    }

    /// Notes an id that an earlier element of the same list has.
    ///
    /// - Returns: Whether the id is new.
    mutating func claim(_ id: String, _ node: ConfigurationNode, _ seen: inout [String: JSONPath]) -> Bool {
        let path = node.path.key("id")
        guard let first = seen[id] else {
            seen[id] = path
            return true
        }
        let line = findings.positions?.value(at: first).map { " on line \($0.line)" } ?? ""
        findings.error(.doubledID, at: path, "The id \(quoted(id)) is taken by \(first)\(line).")
        return false
    }
}
