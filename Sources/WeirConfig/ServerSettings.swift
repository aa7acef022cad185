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
    /// How long a client may take to send a whole body, once its head is there.
    package var bodyTimeout: Duration = .milliseconds(30_000)
    /// How long a client may take nothing of an answer, or too little of a stream.
    package var writeTimeout: Duration = .milliseconds(30_000)
    /// How long an idle connection is kept.
    package var idleTimeout: Duration = .milliseconds(60_000)
    /// The most connections at once.
    package var maxConnections = 10_000
    /// The most connections at once from one address.
    package var maxConnectionsPerAddress = 256
    /// The longest request head, in bytes.
    package var maxHeadBytes = 16_384
    /// The most header lines of a request.
    package var maxHeaders = 100
    /// The most bytes of further requests kept while one is being answered.
    package var maxPipelinedBytes = 65_536
    /// The most bytes of bodies and further requests that all connections together keep.
    package var maxHeldBytes = 64 << 20
    /// The most requests being answered at once on the public listener.
    package var maxInFlight = 2000

    /// The defaults of docs/configuration.md.
    package init() {}
}
