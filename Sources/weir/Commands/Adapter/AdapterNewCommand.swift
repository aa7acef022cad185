internal import Glibc
internal import WeirTesting

/// `weir adapter new`: an adapter with its cases, which passes `weir adapter test` at once.
struct AdapterNewCommand: Command {
    static let specification = CommandSpecification(
        name: "adapter new",
        operands: ["NAME"],
        summary: "writes a new adapter with its cases, to begin from",
        options: [
            CommandSpecification.Option(
                "--carrier",
                "KIND",
                "declared (a JSON file, the default), process (a Python program) or swift (in this source tree)"
            ),
            CommandSpecification.Option(
                "--preset",
                "PRESET",
                "what a declared network speaks: \(DeclaredScaffold.presets.joined(separator: ", "))"
            ),
            CommandSpecification.Option("--in", "DIR", "the folder to write NAME into; networks by default"),
        ],
        example: "weir adapter new acme --preset json"
    )

    /// Where declared and process adapters go unless told otherwise.
    private static let folder = "networks"

    private let name: AdapterName
    private let carrier: Carrier
    private let preset: String
    private let folder: String

    private enum Carrier: String, CaseIterable {
        case declared
        case process
        case swift
    }

    init(_ arguments: Arguments) throws(Arguments.UsageError) {
        guard let name = AdapterName(arguments.operands[0]) else {
            throw Arguments.UsageError(
                message: "NAME must be small letters, digits and hyphens, beginning with a letter, at most "
                    + "\(AdapterName.longest) characters; not \(printable(arguments.operands[0]))."
            )
        }
        self.name = name
        guard let carrier = Carrier(rawValue: arguments["--carrier"] ?? "declared") else {
            throw Arguments.UsageError(message: "--carrier is one of declared, process, swift.")
        }
        self.carrier = carrier
        if carrier != .declared, arguments["--preset"] != nil {
            throw Arguments.UsageError(message: "--preset is for --carrier declared.")
        }
        if carrier == .swift, arguments["--in"] != nil {
            throw Arguments.UsageError(message: "--in is for declared and process adapters; Swift ones go to Adapters.")
        }
        preset = arguments["--preset"] ?? DeclaredScaffold.presets[0]
        guard DeclaredScaffold.presets.contains(preset) else {
            let nearest = nearestName(to: preset, among: DeclaredScaffold.presets)
            throw Arguments.UsageError(
                message: "--preset is one of \(DeclaredScaffold.presets.joined(separator: ", "))."
                    + (nearest.map { " Did you mean \($0)?" } ?? "")
            )
        }
        folder = arguments["--in"] ?? Self.folder
    }

    func run() async -> ExitCode {
        do {
            let scaffold =
                switch carrier {
                case .declared: DeclaredScaffold.scaffold(name, preset: preset, in: folder)
                case .process: ProcessScaffold.scaffold(name, in: folder)
                case .swift: try SwiftScaffold.scaffold(name)
                }
            try scaffold.write()
            say(scaffold.report.joined(separator: "\n"))
            return .good
        } catch {
            complain("weir: \(error)")
            return .no
        }
    }
}

/// The name of a new adapter: a kind, a file name, and the beginning of a type's name.
struct AdapterName: Sendable {
    static let longest = 40

    /// As a configuration spells it: `audio-co`.
    let kind: String

    init?(_ text: String) {
        guard text.utf8.count <= Self.longest, let first = text.first, first.isASCII, first.isLowercase,
            text.allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }),
            !text.hasSuffix("-"), !text.contains("--")
        else { return nil }
        kind = text
    }

    /// As a type's name begins: `AudioCo`.
    var type: String {
        kind.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// As people say it: `Audio co`.
    var title: String { kind.prefix(1).uppercased() + kind.dropFirst().replacing("-", with: " ") }
}
