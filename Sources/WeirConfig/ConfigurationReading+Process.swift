internal import WeirCarriers
internal import WeirJSON
internal import WeirModel

extension ConfigurationReading {
    /// How the process of a network of the kind `process` is run; `nil` for other kinds, and when that is not known.
    mutating func process(_ node: ConfigurationNode) -> ProcessConfiguration? {
        guard node.text("adapter") == "process" else { return nil }
        let command = node.texts("command")
        guard let program = command.first else {
            if node["command"] == nil {
                findings.error(
                    .missingKey,
                    at: node.path.key("command"),
                    standing: node.path,
                    "is required by an adapter of kind \"process\".",
                    hint: "Write \"command\": [\"python3\", \"adapters/mine.py\"]."
                )
            }
            return nil
        }
        checkProgram(program, node)
        var process = ProcessConfiguration(
            command: command,
            directory: secrets.directory.isEmpty ? "." : secrets.directory
        )
        guard let limits = node["process"] else { return process }
        process.environment = variables(limits)
        process.maxInFlight = limits.whole("max_in_flight") ?? process.maxInFlight
        process.maxFrameBytes = limits.whole("max_frame_bytes") ?? process.maxFrameBytes
        process.memoryBytes = limits.whole("memory_bytes") ?? process.memoryBytes
        process.openFiles = limits.whole("open_files") ?? process.openFiles
        process.cpuSeconds = limits.whole("cpu_seconds") ?? process.cpuSeconds
        process.grace = limits.time("grace_ms") ?? process.grace
        return process
    }

    /// A program that is not there is found before the first request needs it.
    private mutating func checkProgram(_ program: String, _ node: ConfigurationNode) {
        let path = node.path.key("command").index(0)
        if program.contains("/") {
            let file = resolvedPath(program, from: secrets.directory)
            guard !secrets.isExecutable(file) else { return }
            findings.error(.badValue, at: path, "There is no program \(quoted(program)) that can be run.")
        } else {
            let folders = (secrets.environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
            guard !folders.contains(where: { secrets.isExecutable("\($0)/\(program)") }) else { return }
            findings.error(
                .badValue,
                at: path,
                "There is no program \(quoted(program)) in PATH.",
                hint: "A program beside this file is written with a slash, such as \"./\(program.prefix(80))\"."
            )
        }
    }

    private mutating func variables(_ limits: ConfigurationNode) -> [String: String] {
        guard let given = limits["env"] else { return [:] }
        let resolved = secrets.resolved(given, findings: &findings)
        var variables: [String: String] = [:]
        for (name, node) in given.members {
            let isName = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "=") }
            if !isName {
                findings.error(.badValue, at: node.path, atKey: true, "is not the name of an environment variable.")
            }
            guard let text = resolved[name]?.string, !text.utf8.contains(0) else {
                findings.error(.wrongType, at: node.path, "must be text, or a secret such as {\"env\": \"NAME\"}.")
                continue
            }
            variables[name] = text
        }
        return variables
    }
}
