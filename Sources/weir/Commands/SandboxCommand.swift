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
            say("Sandbox networks at \(sandbox.baseURL), their hits at /_hits. Ctrl-C ends them.")
            await StopSignal.wait()
            await sandbox.stop()
            return .good
        } catch let error as SandboxScriptError {
            for problem in error.problems {
                // A file that is no JSON names itself.
                complain(
                    problem.path.isEmpty ? problem.message : "\(file ?? ""): error: \(problem.path) \(problem.message)"
                )
            }
            return .no
        } catch {
            complain("weir: \(error)")
            return .no
        }
    }
}
