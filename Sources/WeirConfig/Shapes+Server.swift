internal import WeirJSON

extension Shapes {
    private static let doors = ServerSettings()
    private static let start = InitializationSettings()
    private static let caps = LimitSettings()
    private static let calls = BeaconSettings()

    /// A length of time that a request or a client waits for.
    static let wait = ValueShape.milliseconds(1...ConfigurationLimits.waitMilliseconds)
    /// A length of time that nobody waits for.
    static let span = ValueShape.milliseconds(1...ConfigurationLimits.spanMilliseconds)

    /// The doors.
    static let server = ObjectShape(
        "server",
        at: "server",
        "The doors: addresses, and what one client may cost.",
        [
            KeyShape(
                "listen",
                .listenAddress,
                fallback: .text(doors.listen.description),
                "Where apps, players and ad networks call."
            ),
            KeyShape(
                "admin_listen",
                .listenAddress,
                fallback: .text(doors.adminListen.description),
                "Where operators call; reachable from other machines only with `admin_key`."
            ),
            KeyShape("workers", .whole(1...256), fallback: .words("one per core"), "How many event loops serve."),
            KeyShape(
                "drain_ms",
                .milliseconds(0...ConfigurationLimits.waitMilliseconds),
                fallback: .time(doors.drain),
                "How long requests under way may take to finish once the gateway was told to stop."
            ),
            KeyShape(
                "max_body_bytes",
                .bytes(1024...ConfigurationLimits.bodyBytes),
                fallback: .whole(doors.maxBodyBytes),
                "The longest request body; a longer one is answered 413."
            ),
            KeyShape(
                "trusted_proxies",
                .list(of: .addressRange, count: 0...ConfigurationLimits.listElements),
                fallback: .value([]),
                "Addresses and CIDR ranges whose `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` are believed."
            ),
            KeyShape("admin_key", .secret, "What an operator must show as `Authorization: Bearer …`."),
            KeyShape(
                "header_timeout_ms",
                wait,
                fallback: .time(doors.headerTimeout),
                "How long a client may take to send a whole request head."
            ),
            KeyShape(
                "body_timeout_ms",
                wait,
                fallback: .time(doors.bodyTimeout),
                "How long a client may take to send a whole body, once its head is there."
            ),
            KeyShape(
                "write_timeout_ms",
                wait,
                fallback: .time(doors.writeTimeout),
                "How long a client may take nothing of an answer, or leave more than 64 KiB of a stream waiting."
            ),
            KeyShape(
                "idle_timeout_ms",
                wait,
                fallback: .time(doors.idleTimeout),
                "How long a connection without requests is kept."
            ),
            KeyShape(
                "max_connections",
                .whole(1...1_000_000),
                fallback: .whole(doors.maxConnections),
                "The most connections at once; further ones wait in the system's queue."
            ),
            KeyShape(
                "max_connections_per_address",
                .whole(1...1_000_000),
                fallback: .whole(doors.maxConnectionsPerAddress),
                "The most connections at once from one address, or from one IPv6 network of 64 bits; a further one is closed. `trusted_proxies` may have any number."
            ),
            KeyShape(
                "max_head_bytes",
                .bytes(1024...(1 << 20)),
                fallback: .whole(doors.maxHeadBytes),
                "The longest request line with its headers; a longer one is answered 414 or 431."
            ),
            KeyShape(
                "max_headers",
                .whole(10...10_000),
                fallback: .whole(doors.maxHeaders),
                "The most header lines of a request; more are answered 431."
            ),
            KeyShape(
                "max_pipelined_bytes",
                .bytes(1024...ConfigurationLimits.bodyBytes),
                fallback: .whole(doors.maxPipelinedBytes),
                "The most bytes of further requests kept while one is being answered; then nothing more is read."
            ),
            KeyShape(
                "max_held_bytes",
                .bytes((1 << 20)...(64 << 30)),
                fallback: .whole(doors.maxHeldBytes),
                "The most bytes of bodies and further requests that all connections together keep; beyond it the answer is 503."
            ),
            KeyShape(
                "max_in_flight",
                .whole(1...1_000_000),
                fallback: .whole(doors.maxInFlight),
                "The most requests being answered at once on `listen`; a further one is answered 503 with `Retry-After`."
            ),
        ]
    )

    /// How adapters are started.
    static let initialization = ObjectShape(
        "initialization",
        at: "initialization",
        "How adapters are started.",
        [
            KeyShape(
                "timeout_ms",
                wait,
                fallback: .time(start.timeout),
                "After so long initialization is complete, whoever is missing; the missing go on trying."
            ),
            KeyShape(
                "min_ready",
                .whole(0...ConfigurationLimits.networks),
                fallback: .whole(start.minReady),
                "So many networks must be ready before `/readyz` answers 200."
            ),
            KeyShape(
                "retry_initial_ms",
                wait,
                fallback: .time(start.retryInitial),
                "The wait before a failed set-up is tried again; it doubles each time."
            ),
            KeyShape("retry_max_ms", wait, fallback: .time(start.retryMax), "The longest such wait."),
        ]
    )

    /// How much one request or session may cost.
    static let limits = ObjectShape(
        "limits",
        at: "limits",
        "How much one request or session may cost.",
        [
            KeyShape(
                "wrapper_depth",
                .whole(0...20),
                fallback: .whole(caps.wrapperDepth),
                "The most VAST wrappers on the way to an ad."
            ),
            KeyShape(
                "response_bytes",
                .bytes(1024...ConfigurationLimits.bodyBytes),
                fallback: .whole(caps.responseBytes),
                "The longest body of a network's answer, once it is decompressed; of a wrapper's, too."
            ),
            KeyShape(
                "response_head_bytes",
                .bytes(1024...(1 << 20)),
                fallback: .whole(caps.responseHeadBytes),
                "The most bytes of all heads of such an answer."
            ),
            KeyShape(
                "fetches",
                .whole(1...10_000),
                fallback: .whole(caps.fetches),
                "The most documents that one answer may make the gateway fetch, however its wrappers fan out."
            ),
            KeyShape(
                "sessions",
                .whole(1...10_000_000),
                fallback: .whole(caps.sessions),
                "The most playback sessions at once."
            ),
            KeyShape(
                "session_idle_ms",
                span,
                fallback: .time(caps.sessionIdle),
                "How long a session that says nothing is kept."
            ),
        ]
    )

    /// How beacons are kept and sent.
    static let beacons = ObjectShape(
        "beacons",
        at: "beacons",
        "How beacons, the calls that Weir owes to trackers, are kept and sent.",
        [
            KeyShape(
                "max_waiting",
                .whole(1...1_000_000),
                fallback: .whole(calls.maxWaiting),
                "The most that wait or are under way; what comes on top is dropped. One network may have half of them."
            ),
            KeyShape("at_once", .whole(1...10_000), fallback: .whole(calls.atOnce), "The most under way at once."),
            KeyShape("timeout_ms", wait, fallback: .time(calls.timeout), "How long one try may take."),
            KeyShape(
                "max_age_ms",
                span,
                fallback: .time(calls.maxAge),
                "How old a beacon may become; then it is given up."
            ),
            KeyShape(
                "retry_initial_ms",
                wait,
                fallback: .time(calls.retryInitial),
                "The wait after a try that did not reach the server; it doubles each time."
            ),
            KeyShape("retry_max_ms", wait, fallback: .time(calls.retryMax), "The longest such wait."),
        ]
    )
}
