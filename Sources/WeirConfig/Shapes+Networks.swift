internal import WeirJSON
internal import WeirModel

extension Shapes {
    private static let usual = Network(id: "", adapter: "")

    /// The kinds of adapter that the configuration language knows.
    ///
    /// A program may be built with fewer or with others of its own; the reader goes by what it is given.
    static let adapterKinds = ["vast", "rewarded", "instream-audio", "openrtb", "declared", "process"]

    /// One network.
    static let network = ObjectShape(
        "network",
        at: "networks[]",
        "A network that is asked for ads.",
        [
            KeyShape("id", .name, required: true, "What line items, logs and metrics call it."),
            KeyShape("adapter", .adapterKind, required: true, "The kind of protocol it speaks."),
            KeyShape("settings", .settings, fallback: .value([:]), "What its adapter must know, such as URLs."),
            KeyShape(
                "enabled",
                .flag,
                fallback: .flag(usual.isEnabled),
                "`false` leaves it out; its lines are `skipped(disabled)`."
            ),
            KeyShape(
                "ask_before_ready",
                .flag,
                fallback: .flag(usual.asksBeforeReady),
                "Whether it is asked once initialization is complete though it is not ready."
            ),
            KeyShape("breaker", .object(breaker), "When it is left alone for a while because it fails."),
            KeyShape("timeout_ms", wait, fallback: .time(usual.timeout), "The time of a line that names none itself."),
            KeyShape(
                "allow_private",
                .list(of: .addressRange, count: 0...ConfigurationLimits.listElements),
                fallback: .value([]),
                "Private addresses and CIDR ranges that it, its wrappers and its beacons may reach."
            ),
            KeyShape(
                "max_in_flight",
                .whole(1...100_000),
                fallback: .whole(Network(id: NetworkID("default"), adapter: "").maxInFlight ?? 0),
                "The most requests to it at once; further ones are `skipped(saturated)`."
            ),
            KeyShape(
                "command",
                .list(of: .text(), count: 1...100),
                "Program and arguments of a `process` adapter."
            ),
            KeyShape("process", .object(process), "How that program is run, and what it may use."),
            KeyShape("file", .text(), "The file of a `declared` adapter."),
        ]
    )

    /// When a failing network is left alone.
    static let breaker = ObjectShape(
        "breaker",
        at: "networks[].breaker",
        "When a failing network is left alone for a while.",
        [
            KeyShape("enabled", .flag, fallback: .flag(usual.breaker.isEnabled), "Whether there is a breaker."),
            KeyShape(
                "failures",
                .whole(1...1_000_000),
                fallback: .whole(usual.breaker.failures),
                "So many failures in a row open it; an answer without an ad is no failure."
            ),
            KeyShape(
                "open_ms",
                span,
                fallback: .time(usual.breaker.openDuration),
                "How long it stays open before one request may try again."
            ),
        ]
    )
}
