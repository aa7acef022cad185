internal import Glibc
internal import WeirRuntime

/// How an adapter's program is started: limits first, then nothing of the gateway's but what is named here.
extension ProcessConfiguration {
    /// A limit that stays below what the gateway itself may have, so that setting it cannot fail.
    private var reachableOpenFiles: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return openFiles }
        return Int(clamping: min(UInt64(openFiles), UInt64(limit.rlim_max)))
    }

    /// The shell sets the limits, which hold before the program's first instruction, and becomes the program.
    private static let script = """
        ulimit -c 0; ulimit -n "$1" && ulimit -v "$2" && ulimit -t "$3" || exit 126; shift 3; exec "$@"
        """

    /// The command for the runtime.
    var launch: ChildProcess.Command {
        let limits = ["\(reachableOpenFiles)", "\(max(1, memoryBytes / 1024))", "\(max(1, cpuSeconds))"]
        var launch = ChildProcess.Command(
            "/bin/sh",
            ["-c", Self.script, "weir-adapter"] + limits + command,
            environment: variables,
            directory: directory
        )
        launch.bufferBytes = 256 << 10
        return launch
    }

    private var variables: [String] {
        var variables = [
            "PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            // A crash shall be noticed in a millisecond, not after a backtrace of seconds.
            "SWIFT_BACKTRACE": "enable=no",
        ]
        variables.merge(environment) { _, own in own }
        return variables.map { "\($0.key)=\($0.value)" }.sorted()
    }
}
