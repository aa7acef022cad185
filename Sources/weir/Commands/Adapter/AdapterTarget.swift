internal import Glibc
internal import WeirAdapterKit
internal import WeirCarriers
internal import WeirConfig
internal import WeirJSON
internal import WeirRuntime
internal import WeirTesting

/// What `weir adapter test` is pointed at: the kind of an adapter that is built in, a declared network's file or folder,
/// or the program of a process.
struct AdapterTarget {
    /// Why there is nothing to test, in one sentence or one line a complaint.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The adapter with its cases.
    let subject: ConformanceSubject
    /// What people should know beside the results.
    let notes: [String]
    /// Whether the adapter is code of this program.
    let isBuiltIn: Bool
    /// Where the pipes of a process are read.
    private let loop: EventLoop?

    /// Finds the adapter and its cases.
    ///
    /// - Throws: ``Failure``, and the complaints about a case or settings file.
    init(_ target: String, cases: String?, settings: String?) throws {
        let place = try Place.of(target)
        let folder = cases ?? place.cases
        let files = try folder.map(Self.cases) ?? []
        var subject = ConformanceSubject(
            name: target,
            factory: place.factory,
            settings: try settings.map(Self.settings) ?? [:],
            cases: files
        )
        subject.needsSetUp = place.loop != nil
        self.subject = subject
        isBuiltIn = place.isBuiltIn
        loop = place.loop
        notes =
            files.isEmpty
            ? ["No cases: \(folder ?? "no folder beside it") has none. Faults that distort a good answer need one."]
            : []
    }

    /// Ends what was started for the adapter.
    func end() async { await loop?.shutDown() }

    /// The cases in `exemplary` and `supplemental` of a folder, or in the folder itself.
    private static func cases(in folder: String) throws -> [AdapterCase] {
        guard isFolder(folder) else { throw Failure(description: "\(folder) is no folder.") }
        let kinds = ["exemplary", "supplemental"].map { "\(folder)/\($0)" }.filter(isFolder)
        return try (kinds.isEmpty ? [folder] : kinds).flatMap { try AdapterCase.all(in: $0) }
    }

    private static func settings(in file: String) throws -> JSONValue {
        let value: JSONValue
        do { value = try JSONReader.read(JSONComments.blank(TextFile.read(file))) } catch let error as JSONError {
            throw Failure(description: "\(file): \(error)")
        }
        guard value.object != nil else {
            throw Failure(description: "\(file): settings are an object, not \(value.kindName).")
        }
        return value
    }
}

/// Where an adapter was found.
private struct Place {
    let factory: AdapterFactory
    /// The folder of its cases, when it has one.
    var cases: String?
    /// Where the pipes of its process are read.
    var loop: EventLoop?
    var isBuiltIn = false

    /// Finds what `target` means.
    static func of(_ target: String) throws -> Place {
        if let factory = BuiltInAdapters.factories.first(where: { $0.descriptor.kind == target }) {
            return Place(factory: factory, cases: try fixtures(of: target), isBuiltIn: true)
        }
        if isFolder(target) { return try of(folder: target) }
        if target.hasSuffix(".json"), access(target, F_OK) == 0 { return try of(declared: target) }
        guard let command = command(target) else { throw unknown(target) }
        return try of(command: command, in: ".", cases: isFile(target) ? casesBeside(folder(of: target)) : nil)
    }

    /// A folder as `weir adapter new` writes it: `network.json` of a declared one, a program called `adapter` of a
    /// process.
    private static func of(folder: String) throws -> Place {
        if access("\(folder)/network.json", F_OK) == 0 { return try of(declared: "\(folder)/network.json") }
        guard let program = try TextFile.names(in: folder).first(where: { $0 == "adapter" || $0.hasPrefix("adapter.") })
        else {
            throw AdapterTarget.Failure(
                description: "\(folder) holds neither network.json nor a program whose name is adapter or adapter.py."
            )
        }
        let command = command("./\(program)", in: folder) ?? ["./\(program)"]
        return try of(command: command, in: folder, cases: casesBeside(folder))
    }

    private static func of(declared file: String) throws -> Place {
        let network = try NetworkFileReader(adapters: BuiltInAdapters.factories).read(path: file)
        guard let factory = network.factory else {
            throw AdapterTarget.Failure(description: network.diagnostics.map(\.text).joined(separator: "\n"))
        }
        return Place(factory: factory, cases: casesBeside(folder(of: file)))
    }

    private static func of(command: [String], in directory: String, cases: String?) throws -> Place {
        let loop = EventLoop()
        try loop.start()
        let configuration = ProcessConfiguration(command: command, directory: directory)
        let factory = AdapterFactory(descriptor: ProcessAdapter.unknown, settings: []) {
            (settings, context) throws(SettingsError) in
            ProcessAdapter(configuration, settings: settings, context: context, loop: loop, weir: Weir.version)
        }
        return Place(factory: factory, cases: cases, loop: loop)
    }

    // MARK: Files

    private static func folder(of file: String) -> String {
        file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    }

    private static func casesBeside(_ folder: String) -> String? {
        ["exemplary", "supplemental"].contains { isFolder("\(folder)/\($0)") } ? folder : nil
    }

    /// A program, or a command with its arguments, that can be run; `nil` for anything else.
    private static func command(_ target: String, in folder: String = ".") -> [String]? {
        let words = target.split(separator: " ").map(String.init)
        guard words.count == 1 else { return words.isEmpty ? nil : words }
        let path = target.hasPrefix("/") ? target : "\(folder)/\(target)"
        guard isFile(path) else { return nil }
        if access(path, X_OK) == 0 { return [target.contains("/") ? target : "./\(target)"] }
        return target.hasSuffix(".py") ? ["python3", target] : nil
    }

    /// The cases of an adapter in the tree, when this is run in the tree: `instream-audio` lies in `InstreamAudio`.
    private static func fixtures(of kind: String) throws -> String? {
        guard isFolder("Adapters") else { return nil }
        let plain = kind.filter { $0 != "-" }
        let name = try TextFile.names(in: "Adapters").first { $0.lowercased() == plain }
        return name.map { "Adapters/\($0)/Tests/Fixtures" }.flatMap { isFolder($0) ? $0 : nil }
    }

    private static func unknown(_ target: String) -> AdapterTarget.Failure {
        let kinds = BuiltInAdapters.factories.map(\.descriptor.kind)
        let nearest = nearestName(to: target, among: kinds).map { " Did you mean \($0)?" } ?? ""
        return AdapterTarget.Failure(
            description:
                "\(printable(target)) is no adapter: give one of \(kinds.joined(separator: ", ")), the file or "
                + "folder of a declared network, or the program of a process.\(nearest)"
        )
    }
}

private func isFolder(_ path: String) -> Bool { kind(of: path) == S_IFDIR }

private func isFile(_ path: String) -> Bool { kind(of: path) == S_IFREG }

private func kind(of path: String) -> mode_t? {
    var information = stat()
    return stat(path, &information) == 0 ? information.st_mode & S_IFMT : nil
}
