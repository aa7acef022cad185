internal import WeirAdapterKit
internal import WeirTime

/// How the process of one network's adapter is run.
package struct ProcessConfiguration: Sendable, Hashable {
    /// The program and its arguments; a program without a slash is looked for in `PATH`.
    package var command: [String]
    /// Where it runs: relative paths of the command count from here.
    package var directory: String
    /// Variables beside `PATH`, `LANG` and `SWIFT_BACKTRACE`; nothing else of the gateway's own is handed on.
    package var environment: [String: String] = [:]
    /// The most messages that wait for an answer at once; a load beyond it is `skipped(saturated)`.
    package var maxInFlight = 128
    /// The longest message in either direction, in bytes.
    package var maxFrameBytes = AdapterProtocol.frameBytes
    /// The most memory the process may map (`RLIMIT_AS`), in bytes.
    package var memoryBytes = 2 << 30
    /// The most descriptors it may have (`RLIMIT_NOFILE`).
    package var openFiles = 256
    /// The most CPU time of one life (`RLIMIT_CPU`), in whole seconds.
    package var cpuSeconds = 36_000
    /// How long it may take to leave after `tear_down`, and again after `SIGTERM`.
    package var grace: Duration = .milliseconds(1000)
    /// A process that was started less than this ago is waited for by a load; after that it is not there yet.
    package var startPatience: Duration = .milliseconds(500)
    /// How long it may take to say hello.
    package var handshake: Duration = .milliseconds(10_000)

    /// `command` with the defaults of docs/configuration.md.
    package init(command: [String], directory: String) {
        self.command = command
        self.directory = directory
    }
}
