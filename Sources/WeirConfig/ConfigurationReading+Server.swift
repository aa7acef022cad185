internal import WeirJSON
internal import WeirModel
internal import WeirTime

extension ConfigurationReading {
    /// The doors.
    mutating func server() -> ServerSettings {
        var settings = ServerSettings()
        guard let node = root["server"] else { return settings }
        settings.listen = node.text("listen").flatMap(ListenAddress.init) ?? settings.listen
        settings.adminListen = node.text("admin_listen").flatMap(ListenAddress.init) ?? settings.adminListen
        settings.workers = node.whole("workers")
        settings.drain = node.time("drain_ms") ?? settings.drain
        settings.maxBodyBytes = node.whole("max_body_bytes") ?? settings.maxBodyBytes
        settings.trustedProxies = node.texts("trusted_proxies")
        settings.headerTimeout = node.time("header_timeout_ms") ?? settings.headerTimeout
        settings.bodyTimeout = node.time("body_timeout_ms") ?? settings.bodyTimeout
        settings.writeTimeout = node.time("write_timeout_ms") ?? settings.writeTimeout
        settings.idleTimeout = node.time("idle_timeout_ms") ?? settings.idleTimeout
        settings.maxConnections = node.whole("max_connections") ?? settings.maxConnections
        settings.maxConnectionsPerAddress =
            node.whole("max_connections_per_address") ?? settings.maxConnectionsPerAddress
        settings.maxHeadBytes = node.whole("max_head_bytes") ?? settings.maxHeadBytes
        settings.maxHeaders = node.whole("max_headers") ?? settings.maxHeaders
        settings.maxPipelinedBytes = node.whole("max_pipelined_bytes") ?? settings.maxPipelinedBytes
        settings.maxHeldBytes = node.whole("max_held_bytes") ?? settings.maxHeldBytes
        settings.maxInFlight = node.whole("max_in_flight") ?? settings.maxInFlight
        settings.adminKey = adminKey(node)
        checkAddresses(settings, node)
        return settings
    }

    private mutating func adminKey(_ server: ConfigurationNode) -> String? {
        guard let node = server["admin_key"] else { return nil }
        if let reference = SecretReference(node.value) {
            return secrets.resolve(reference, at: node.path, findings: &findings)
        }
        guard let text = node.value.string, !text.isEmpty else { return nil }
        secrets.keepClear(text, at: node.path, findings: &findings)
        return text
    }

    private mutating func checkAddresses(_ settings: ServerSettings, _ node: ConfigurationNode) {
        if !settings.adminListen.isLoopback, node["admin_key"] == nil {
            findings.error(
                .adminWithoutKey,
                at: node.path.key("admin_listen"),
                "Other machines could reach the admin listener, and there is no admin_key.",
                hint: "Set server.admin_key, or listen at 127.0.0.1."
            )
        }
        if settings.listen == settings.adminListen, !settings.listen.isAnyPort {
            let place = node["admin_listen"] ?? node["listen"] ?? node
            findings.error(
                .badAddress,
                at: node.path.key("admin_listen"),
                standing: place.path,
                "The public and the admin listener cannot both stand at \(settings.listen)."
            )
        }
    }

    /// How adapters are started.
    mutating func initialization() -> InitializationSettings {
        var settings = InitializationSettings()
        guard let node = root["initialization"] else { return settings }
        settings.timeout = node.time("timeout_ms") ?? settings.timeout
        settings.minReady = node.whole("min_ready") ?? settings.minReady
        settings.retryInitial = node.time("retry_initial_ms") ?? settings.retryInitial
        settings.retryMax = node.time("retry_max_ms") ?? max(settings.retryMax, settings.retryInitial)
        if settings.retryMax < settings.retryInitial {
            findings.error(
                .outOfRange,
                at: node.path.key("retry_max_ms"),
                "must not be less than retry_initial_ms, \(settings.retryInitial.milliseconds)."
            )
        }
        return settings
    }

    /// How beacons are kept and sent.
    mutating func beacons() -> BeaconSettings {
        var settings = BeaconSettings()
        guard let node = root["beacons"] else { return settings }
        settings.maxWaiting = node.whole("max_waiting") ?? settings.maxWaiting
        settings.atOnce = node.whole("at_once") ?? settings.atOnce
        settings.timeout = node.time("timeout_ms") ?? settings.timeout
        settings.maxAge = node.time("max_age_ms") ?? settings.maxAge
        settings.retryInitial = node.time("retry_initial_ms") ?? settings.retryInitial
        settings.retryMax = node.time("retry_max_ms") ?? max(settings.retryMax, settings.retryInitial)
        if settings.retryMax < settings.retryInitial {
            findings.error(
                .outOfRange,
                at: node.path.key("retry_max_ms"),
                "must not be less than retry_initial_ms, \(settings.retryInitial.milliseconds)."
            )
        }
        return settings
    }

    /// Warns when the gateway can never say that it is ready.
    mutating func checkReadiness(_ settings: InitializationSettings, _ networks: [ReadNetwork]) {
        let enabled = networks.count { $0.entry.network.isEnabled && $0.entry.problem == nil }
        guard let node = root["initialization"]?["min_ready"], settings.minReady > enabled else { return }
        findings.warning(
            .outOfRange,
            at: node.path,
            "So many networks can never be ready: \(enabled) of them are enabled."
        )
    }
}

extension ListenAddress {
    /// Whether the system chooses the port, so that two listeners never meet.
    fileprivate var isAnyPort: Bool {
        if case .tcp(_, port: 0) = self { true } else { false }
    }
}
