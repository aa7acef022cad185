internal import Glibc
internal import WeirConfig
internal import WeirHTTP
internal import WeirRuntime
internal import WeirTelemetry

/// The sockets of both listeners, bound before anything else starts: a port in use leaves nothing half-started.
struct Sockets {
    let publicSockets: [ListeningSocket]
    let adminSocket: ListeningSocket

    init(_ settings: ServerSettings) throws(GatewayServer.StartFailure) {
        do {
            publicSockets = try ListeningSocket.bind(
                settings.listen.description,
                count: settings.workers ?? EventLoopGroup.processors
            )
        } catch {
            throw GatewayServer.StartFailure(message: "server.listen: \(error.reason)")
        }
        do {
            adminSocket = try ListeningSocket.bind(settings.adminListen.description)
        } catch {
            for socket in publicSockets { socket.close() }
            throw GatewayServer.StartFailure(message: "server.admin_listen: \(error.reason)")
        }
    }

    /// Where callers find the public listener, with the port that the system chose.
    var publicAddress: String { publicSockets[0].address.text }

    /// Where operators find the admin listener.
    var adminAddress: String { adminSocket.address.text }

    func close() {
        for socket in publicSockets + [adminSocket] { socket.close() }
    }
}

extension ServerConfiguration {
    /// The limits that the configuration names.
    init(_ settings: ServerSettings) {
        self.init()
        maxBodyBytes = settings.maxBodyBytes
        maxConnections = settings.maxConnections
        maxConnectionsPerAddress = settings.maxConnectionsPerAddress
        headerTimeout = settings.headerTimeout
        bodyTimeout = settings.bodyTimeout
        writeTimeout = settings.writeTimeout
        idleTimeout = settings.idleTimeout
        maxHeadBytes = settings.maxHeadBytes
        maxHeaders = settings.maxHeaders
        pipelineBytes = settings.maxPipelinedBytes
        maxHeldBytes = settings.maxHeldBytes
    }
}

/// What callers of the public listener are held to, all event loops together.
struct Doors {
    /// The limits of one connection.
    let configuration: ServerConfiguration
    /// The limits of all of them.
    let limits: ConnectionLimits

    /// The configured limits, and no more connections than there are descriptors for.
    init(_ settings: ServerSettings, _ logger: Logger) {
        var configuration = ServerConfiguration(settings)
        let affordable = Self.affordableConnections
        if affordable < configuration.maxConnections {
            logger.info(
                "serve.descriptors",
                "Descriptors are for \(affordable) connections at once, not for \(configuration.maxConnections). "
                    + "Raise the system's limit, such as LimitNOFILE= under systemd.",
                ["connections": .int(affordable)]
            )
            configuration.maxConnections = affordable
        }
        self.configuration = configuration
        // The configuration reader has checked the ranges already.
        let proxies = settings.trustedProxies.compactMap { try? AddressRange($0) }
        limits = ConnectionLimits(configuration, spared: proxies)
    }

    /// Half of the descriptors, less a reserve for the store, the log and operators; the other half is for networks.
    private static var affordableConnections: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
        let descriptors = Int(clamping: limit.rlim_cur)
        return max(1, (descriptors - Self.reservedDescriptors) / 2)
    }

    private static let reservedDescriptors = 64
}
