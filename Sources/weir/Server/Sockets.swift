internal import WeirConfig
internal import WeirHTTP
internal import WeirRuntime

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
        idleTimeout = settings.idleTimeout
    }
}
