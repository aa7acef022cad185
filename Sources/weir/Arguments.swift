/// What a command understands, for its parser and its help.
struct CommandSpecification: Sendable {
    /// An option: `--name VALUE`, or a flag when `value` is nil.
    struct Option: Sendable {
        var name: String
        var value: String?
        var meaning: String
        /// Whether the option may stand more than once.
        var isRepeatable: Bool

        init(_ name: String, _ value: String? = nil, _ meaning: String, isRepeatable: Bool = false) {
            self.name = name
            self.value = value
            self.meaning = meaning
            self.isRepeatable = isRepeatable
        }
    }

    /// One word, or two for a command of a family such as `vast inspect`.
    var name: String
    /// The positional arguments as help shows them, such as `PLACEMENT` or `[NETWORK]`.
    var operands: [String] = []
    var summary: String
    var options: [Option] = []
    var example: String

    /// Help is written for terminals of the usual width, also into a pipe.
    static let helpWidth = 80

    /// The help of the command.
    var help: String {
        var table = Table()
        for option in options + [Option("--help", nil, "prints this")] {
            table.row([Table.Cell(option.name + (option.value.map { " " + $0 } ?? "")), Table.Cell(option.meaning)])
        }
        let usage = (["weir", name] + operands + ["[options]"]).joined(separator: " ")
        let title = wrapped("weir \(name): \(summary).", width: Self.helpWidth).joined(separator: "\n")
        return "\(title)\n\nUsage: \(usage)\n\nOptions:\n"
            + table.lines(indent: "  ", width: Self.helpWidth).joined(separator: "\n")
            + "\n\nExample:\n  \(example)\n\nExit codes:\n  0 good, 1 the answer is no, 2 wrong usage"
            + (talksToGateway ? ", 3 the gateway cannot be reached" : "")
    }

    /// Whether the command talks to a running gateway, which may not be there.
    private var talksToGateway: Bool { options.contains { $0.name == "--admin" } }
}

/// What the user typed, sorted by what the command understands.
struct Arguments: Sendable {
    /// The user typed something that the command does not understand: exit code 2.
    struct UsageError: Error, Sendable {
        var message: String
    }

    private(set) var operands: [String] = []
    private(set) var flags: Set<String> = []
    private(set) var values: [String: [String]] = [:]

    /// Sorts `words`; `--name=value` and `--name value` are alike, and `--` ends the options.
    init(_ words: [String], for command: CommandSpecification) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            try take(option: word, from: &rest, command)
        }
        let needed = command.operands.filter { !$0.hasPrefix("[") }
        guard operands.count >= needed.count else {
            throw UsageError(message: "\(needed[operands.count]) is missing.")
        }
        guard operands.count <= command.operands.count else {
            let word = operands[command.operands.count]
            // Who writes `weir check weir.json` means the option that takes a file.
            let option = command.options.first { $0.value == "FILE" && command.operands.isEmpty }
            let hint = option.map { " Did you mean \($0.name) \(word)?" } ?? ""
            throw UsageError(message: "\"\(word)\" is not understood.\(hint)")
        }
    }

    private mutating func take(
        option word: String,
        from rest: inout ArraySlice<String>,
        _ command: CommandSpecification
    ) throws(UsageError) {
        let halves = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(halves[0])
        guard let option = command.options.first(where: { $0.name == name }) else {
            let nearest = nearestName(to: name, among: command.options.map(\.name) + ["--help"])
            throw UsageError(message: "There is no option \(name).\(nearest.map { " Did you mean \($0)?" } ?? "")")
        }
        guard let placeholder = option.value else {
            guard halves.count == 1 else { throw UsageError(message: "\(name) takes no value.") }
            flags.insert(name)
            return
        }
        guard let value = halves.count == 2 ? String(halves[1]) : rest.popFirst() else {
            throw UsageError(message: "\(name) needs \(placeholder).")
        }
        guard option.isRepeatable || values[name] == nil else { throw UsageError(message: "\(name) stands twice.") }
        values[name, default: []].append(value)
    }

    /// Whether the flag `name` was given.
    func has(_ name: String) -> Bool { flags.contains(name) }

    /// The value of the option `name`.
    subscript(name: String) -> String? { values[name]?.first }

    /// The values of the option `name`, which may stand more than once.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The whole number that the option `name` gives, in `range`.
    func number(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw UsageError(
                message: "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not \(text)."
            )
        }
        return number
    }
}
