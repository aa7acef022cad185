internal import WeirAdapterKit
internal import WeirCarriers
internal import WeirJSON
internal import WeirModel

/// A network with its place in the file.
struct ReadNetwork {
    var entry: NetworkEntry
    let node: ConfigurationNode
    /// What its adapter loads; `nil` when there is no such adapter.
    let formats: Set<AdFormat>?
}

extension ConfigurationReading {
    /// The networks that have an id of their own.
    ///
    /// The others are read all the same, so that all that is wrong with them is said at once.
    mutating func networks() -> [ReadNetwork] {
        var networks: [ReadNetwork] = []
        var seen: [String: JSONPath] = [:]
        for node in root["networks"]?.elements ?? [] {
            let id = node.name("id", NetworkID.self)
            let isOwn = id.map { claim($0.text, node, &seen) } ?? false
            let read = network(id ?? NetworkID("unknown"), node)
            if isOwn { networks.append(read) }
        }
        return networks
    }

    private mutating func network(_ id: NetworkID, _ node: ConfigurationNode) -> ReadNetwork {
        var network = Network(id: id, adapter: node.text("adapter") ?? "unknown")
        network.isEnabled = node.flag("enabled") ?? network.isEnabled
        network.asksBeforeReady = node.flag("ask_before_ready") ?? network.asksBeforeReady
        network.timeout = node.time("timeout_ms") ?? network.timeout
        network.allowPrivate = node.texts("allow_private")
        network.maxInFlight = node.whole("max_in_flight") ?? network.maxInFlight
        if let breaker = node["breaker"] {
            network.breaker.isEnabled = breaker.flag("enabled") ?? network.breaker.isEnabled
            network.breaker.failures = breaker.whole("failures") ?? network.breaker.failures
            network.breaker.openDuration = breaker.time("open_ms") ?? network.breaker.openDuration
        }
        checkCarrierKeys(node)
        let declared = declaredFactory(node)
        let factory = declared ?? factory(node)
        let process = process(node)
        let settings = settings(node, network, factory)
        let entry = NetworkEntry(
            network: network,
            settings: settings,
            factory: declared,
            fingerprint: fingerprint(node, network, settings, process),
            process: process,
            hasUnknownAdapter: factory == nil && !Self.carried.contains(network.adapter)
        )
        return ReadNetwork(entry: entry, node: node, formats: factory?.descriptor.formats)
    }

    /// The kinds whose adapters come from a file or a program.
    private static let carried = [NetworkFileReader.kind, "process"]

    private func isDeclared(_ node: ConfigurationNode) -> Bool { node.text("adapter") == NetworkFileReader.kind }

    /// The adapter of a network that a file declares; what is wrong with the file is noted.
    private mutating func declaredFactory(_ node: ConfigurationNode) -> AdapterFactory? {
        guard isDeclared(node) else { return nil }
        guard let name = node.text("file"), !name.isEmpty else {
            if node["file"] == nil {
                findings.error(
                    .missingKey,
                    at: node.path.key("file"),
                    standing: node.path,
                    "is required for adapters of kind \"declared\".",
                    hint: "Write it like \"file\": \"networks/acme.json\"."
                )
            }
            return nil
        }
        let path = resolvedPath(name, from: secrets.directory)
        let place = node.path.key("file")
        if let known = networkFiles[path] {
            if known.factory == nil { findings.error(.badValue, at: place, "The file has errors of its own.") }
            return known.factory
        }
        do {
            let file = try files.read(path: path)
            networkFiles[path] = file
            findings.take(file.diagnostics, owner: place)
            return file.factory
        } catch {
            findings.error(.unreadableFile, at: place, "The file \(quoted(path)) cannot be read: \(error).")
            return nil
        }
    }

    /// The adapter that a network names; its absence is noted.
    private mutating func factory(_ node: ConfigurationNode) -> AdapterFactory? {
        // A declared file and the program of a process are their own factories.
        guard let kind = node.text("adapter"), !kind.isEmpty, !Self.carried.contains(kind) else { return nil }
        if let factory = factories.first(where: { $0.descriptor.kind == kind }) { return factory }
        let known = factories.map(\.descriptor.kind) + Self.carried
        let path = node.path.key("adapter")
        if Shapes.adapterKinds.contains(kind) {
            findings.error(
                .unavailable,
                at: path,
                "The adapter kind \(quoted(kind)) is not available in this version.",
                hint: "Available: \(listed(known))."
            )
        } else {
            findings.error(
                .unknownAdapter,
                at: path,
                "There is no adapter kind \(quoted(kind)).",
                hint: didYouMean(kind, among: known) ?? "Available: \(listed(known))."
            )
        }
        return nil
    }

    /// Warns of keys that only another kind of adapter reads.
    private mutating func checkCarrierKeys(_ node: ConfigurationNode) {
        for (key, kind) in [("command", "process"), ("process", "process"), ("file", "declared")] {
            guard let member = node[key], let adapter = node.text("adapter"), adapter != kind else { continue }
            findings.warning(
                .uselessKey,
                at: member.path,
                atKey: true,
                "Only adapters of kind \(quoted(kind)) read it."
            )
        }
    }

    /// The settings with secrets in them, shown to the adapter once.
    private mutating func settings(
        _ node: ConfigurationNode,
        _ network: Network,
        _ factory: AdapterFactory?
    ) -> JSONValue {
        let given = node["settings"] ?? ConfigurationNode(value: [:], path: node.path.key("settings"))
        guard let object = given.value.object else { return [:] }
        let settings = secrets.resolved(given, findings: &findings)
        guard let factory else { return settings }
        checkNames(object, given, network, factory)
        checkSecrets(object, given, factory)
        // An adapter that cannot see its secrets would complain about the wrong thing.
        if !findings.hasErrors(below: given.path) { tryOut(factory, settings, given, network, node) }
        return settings
    }

    /// Notes settings that neither the adapter nor a template reads, and templates' settings that are not there.
    private mutating func checkNames(
        _ object: JSONObject,
        _ given: ConfigurationNode,
        _ network: Network,
        _ factory: AdapterFactory
    ) {
        let uses = given.settingUses
        for key in object.keys where !factory.settings.contains(key) && !uses.contains(where: { $0.name == key }) {
            findings.error(
                .unknownSetting,
                at: given.path.key(key),
                atKey: true,
                "The adapter \(quoted(network.adapter)) knows no such setting, and no template names it.",
                hint: didYouMean(key, among: factory.settings) ?? "It knows: \(listed(factory.settings))."
            )
        }
        for use in uses where object[use.name] == nil && !factory.settings.contains(use.name) {
            findings.warning(
                .unknownSetting,
                at: use.path,
                "names the setting \(quoted(use.name)), which is not there.",
                hint: didYouMean(use.name, among: object.keys)
            )
        }
    }

    /// Notes secrets of a declared network that stand in the file.
    private mutating func checkSecrets(_ object: JSONObject, _ given: ConfigurationNode, _ factory: AdapterFactory) {
        for member in object.members where factory.secrets.contains(member.key) && !member.value.isNull {
            guard SecretReference(member.value) == nil else { continue }
            if let text = member.value.string { secrets.hide(text) }
            findings.error(
                .secretInClear,
                at: given.path.key(member.key),
                "is a secret and must not stand here.",
                hint: "Write {\"env\": \"NAME\"} or {\"file\": \"path\"}."
            )
        }
    }

    private mutating func tryOut(
        _ factory: AdapterFactory,
        _ settings: JSONValue,
        _ given: ConfigurationNode,
        _ network: Network,
        _ node: ConfigurationNode
    ) {
        do throws(SettingsError) {
            _ = try factory.make(settings, .forChecking(network.id))
        } catch {
            let (path, place) = given.locate(error.path)
            let message = secrets.scrubbed(error.message)
            findings.error(
                .badSetting,
                at: path,
                standing: node["settings"] == nil ? node.path : place,
                message.last.map { ".?!".contains($0) } ?? true ? message : message + "."
            )
        }
    }

    private func networkFile(_ node: ConfigurationNode) -> NetworkFile? {
        node.text("file").flatMap { networkFiles[resolvedPath($0, from: secrets.directory)] }
    }

    private func fingerprint(
        _ node: ConfigurationNode,
        _ network: Network,
        _ settings: JSONValue,
        _ process: ProcessConfiguration?
    ) -> String {
        var hash = StableHash()
        hash.feed(
            [
                .string(network.id.text), .string(network.adapter), settings, node["command"]?.value ?? .null,
                node["process"]?.value ?? .null,
                .array((process?.environment.values.sorted() ?? []).map { .string($0) }),
                node["file"]?.value ?? .null, .string(networkFile(node)?.fingerprint ?? ""),
                .array(network.allowPrivate.map { .string($0) }),
            ]
        )
        return hash.text()
    }

    /// Leaves networks out whose entries are wrong: the errors become warnings.
    mutating func leaveOutWrong(_ networks: inout [ReadNetwork]) {
        for index in networks.indices {
            guard let first = findings.demoteErrors(below: networks[index].node.path) else { continue }
            networks[index].entry.problem = "\(first.path): \(first.message)"
            networks[index].entry.remedy = first.hint
        }
    }
}
