internal import Glibc

/// How a command ended, as scripts see it.
enum ExitCode: Int32 {
    case good = 0
    /// The answer is "no": not ready, no fill, invalid, port in use, bad configuration.
    case no = 1
    case usage = 2
    case unreachable = 3
}

/// One command of the program.
protocol Command: Sendable {
    static var specification: CommandSpecification { get }

    init(_ arguments: Arguments) throws(Arguments.UsageError)

    func run() async -> ExitCode
}

@main
enum Weir {
    static let version = "0.1.0"

    private static let commands: [any Command.Type] = [
        ServeCommand.self, DemoCommand.self, AdaptersCommand.self, RequestCommand.self, ExplainCommand.self,
        SessionCommand.self, AlarmsCommand.self, CheckCommand.self, ReloadCommand.self, AdapterNewCommand.self,
        AdapterTestCommand.self,
        SSVCommand.self, RewardsCommand.self, VASTInspectCommand.self, VASTValidateCommand.self,
        VASTResolveCommand.self, VASTConvertCommand.self, SandboxCommand.self,
    ]

    static func main() async {
        // A peer that goes away is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        raiseDescriptorLimit()
        let words = Array(CommandLine.arguments.dropFirst())
        exit(await run(words).rawValue)
    }

    /// As many descriptors as the system lets this process have: a connection takes one, one to a network takes two.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static func run(_ words: [String]) async -> ExitCode {
        guard let first = words.first else {
            complain(help)
            return .usage
        }
        // `weir help check` is `weir check --help`.
        let asksForHelp = ["help", "--help", "-h"].contains(first)
        guard let name = asksForHelp ? words.dropFirst().first : first else {
            say(help)
            return .good
        }
        if name == "--version" || name == "version" {
            say("weir \(version)")
            return .good
        }
        let asked = asksForHelp ? Array(words.dropFirst()) : words
        guard let (command, rest) = find(asked) else {
            if let family = familyHelp(name), asksForHelp || asked.contains("--help") || asked.contains("-h") {
                say(family)
                return .good
            }
            complain("weir: \(unknown(asked)) Try weir --help.")
            return .usage
        }
        if asksForHelp || rest.contains("--help") || rest.contains("-h") {
            say(command.specification.help)
            return .good
        }
        do throws(Arguments.UsageError) {
            let arguments = try Arguments(rest, for: command.specification)
            return try await command.init(arguments).run()
        } catch {
            let name = command.specification.name
            complain("weir \(name): \(error.message) Try weir \(name) --help.")
            return .usage
        }
    }

    /// The command of one or two words that `words` begin with, and what follows it.
    private static func find(_ words: [String]) -> ((any Command.Type), [String])? {
        for count in [2, 1] where words.count >= count {
            let name = words.prefix(count).joined(separator: " ")
            if let command = commands.first(where: { $0.specification.name == name }) {
                return (command, Array(words.dropFirst(count)))
            }
        }
        return nil
    }

    /// Says what there is instead: the members of a family, or the nearest name.
    private static func unknown(_ words: [String]) -> String {
        let family = commands.map { $0.specification.name }.filter { $0.hasPrefix(words[0] + " ") }
        guard family.isEmpty else {
            return "\(words[0]) is one of: " + family.joined(separator: ", ") + "."
        }
        return "there is no command \"\(words[0])\".\(suggestion(for: words[0]))"
    }

    private static func suggestion(for name: String) -> String {
        nearestName(to: name, among: commands.map { $0.specification.name }).map { " Did you mean \"\($0)\"?" } ?? ""
    }

    /// What `weir vast --help` shows: the commands of a family; `nil` where there is no such family.
    private static func familyHelp(_ name: String) -> String? {
        let members = commands.map { $0.specification }.filter { $0.name.hasPrefix(name + " ") }
        guard !members.isEmpty else { return nil }
        return
            "Usage: weir \(name) COMMAND [options]\n\nCommands:\n\(list(members))\n\nweir \(name) COMMAND --help tells more."
    }

    private static var help: String {
        "Weir \(version), an ad mediation gateway.\n\nUsage: weir COMMAND [options]\n\nCommands:\n"
            + list(commands.map { $0.specification })
            + "\n\nweir COMMAND --help tells more, with an example.\nweir --version names the version."
    }

    private static func list(_ specifications: [CommandSpecification]) -> String {
        var table = Table()
        for specification in specifications {
            table.row([
                Table.Cell((["weir", specification.name] + specification.operands).joined(separator: " ")),
                Table.Cell(specification.summary),
            ])
        }
        return table.lines(indent: "  ", width: CommandSpecification.helpWidth).joined(separator: "\n")
    }
}
