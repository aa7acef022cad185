internal import Glibc
internal import WeirTesting

/// `weir sandbox`: the scriptable fake ad networks alone.
struct SandboxCommand: Command {
    static let specification = CommandSpecification(
        name: "sandbox",
        operands: [],
        summary: "runs scriptable fake ad networks on loopback",
        options: [
            CommandSpecification.Option("--script", "FILE", "what they answer; default a script that always fills"),
            CommandSpecification.Option("--port", "N", "the port; default 8082"),
        ],
        example: "weir sandbox --port 8082"
    )

    private let port: Int
    private let file: String?

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        port = try arguments.number("--port", in: 0...65_535) ?? 8082
        file = arguments["--script"]
    }

    func run() async -> ExitCode {
        do {
            var script = SandboxScript.standard
            if let file { script = try SandboxScript(file: file) }
            let sandbox = try await SandboxServer.start(port: port, script: script)
            say("Sandbox networks at \(sandbox.baseURL); hits at \(sandbox.baseURL)/_hits; Ctrl-C ends them.")
            await StopSignal.wait()
            await sandbox.stop()
            return .good
        } catch {
            complain("weir: \(error)")
            return .no
        }
    }
}
