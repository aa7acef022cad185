internal import WeirCarriers
internal import WeirJSON

extension Shapes {
    private static let usual = ProcessConfiguration(command: [], directory: "")

    /// How the process of a `process` adapter is run.
    static let process = ObjectShape(
        "process",
        at: "networks[].process",
        "How the process of a `process` adapter is run, and what it may use.",
        [
            KeyShape(
                "env",
                .settings,
                fallback: .value([:]),
                "Variables of its environment, secrets included; it gets no others but `PATH`, `LANG` and `SWIFT_BACKTRACE`."
            ),
            KeyShape(
                "max_in_flight",
                .whole(1...10_000),
                fallback: .whole(usual.maxInFlight),
                "The most messages that wait for its answers at once; a request beyond is `skipped(saturated)`."
            ),
            KeyShape(
                "max_frame_bytes",
                .bytes(4096...(64 << 20)),
                fallback: .whole(usual.maxFrameBytes),
                "The longest message in either direction."
            ),
            KeyShape(
                "memory_bytes",
                .bytes((16 << 20)...(1 << 42)),
                fallback: .whole(usual.memoryBytes),
                "The most memory that it may map (`RLIMIT_AS`); some runtimes map far more than they use."
            ),
            KeyShape(
                "open_files",
                .whole(8...1_000_000),
                fallback: .whole(usual.openFiles),
                "The most descriptors that it may have (`RLIMIT_NOFILE`)."
            ),
            KeyShape(
                "cpu_seconds",
                .whole(1...1_000_000_000),
                fallback: .whole(usual.cpuSeconds),
                "The CPU time of one life (`RLIMIT_CPU`); a process that has used it up is started anew."
            ),
            KeyShape(
                "grace_ms",
                wait,
                fallback: .time(usual.grace),
                "How long it may take to leave after `tear_down`, and again after SIGTERM, before it is killed."
            ),
        ]
    )
}
