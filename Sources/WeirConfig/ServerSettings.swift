/// The doors: addresses, and what one client may cost.
package struct ServerSettings: Sendable, Hashable {
    /// Where apps, players and networks call.
    package var listen = ListenAddress.tcp(host: "127.0.0.1", port: 8080)
    /// Where operators call.
    package var adminListen = ListenAddress.tcp(host: "127.0.0.1", port: 8081)
    /// How many event loops; `nil` is one per core.
    package var workers: Int?
    /// How long requests under way may take to finish once the gateway was told to stop.
    package var drain: Duration = .milliseconds(5000)
    /// The longest request body, in bytes.
    package var maxBodyBytes = 1 << 20
    /// Addresses and ranges whose `X-Forwarded-…` headers are believed.
    package var trustedProxies: [String] = []
    /// What an operator must show; `nil` asks for nothing, which only a loopback listener may do.
    package var adminKey: String?
    /// How long a client may take to send a whole head.
    package var headerTimeout: Duration = .milliseconds(10_000)
    /// How long an idle connection is kept.
    package var idleTimeout: Duration = .milliseconds(60_000)
    /// The most connections at once.
    package var maxConnections = 10_000
    /// The most connections at once from one address.
    package var maxConnectionsPerAddress = 256

    /// The defaults of docs/configuration.md.
    package init() {}
}
