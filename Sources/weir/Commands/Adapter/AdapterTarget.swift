internal import Glibc
internal import WeirAdapterKit
internal import WeirJSON
internal import WeirTesting

/// What `weir adapter test` is pointed at: the kind of an adapter that is built in, a declared file, or a process.
struct AdapterTarget {
    /// Why there is nothing to test, in one sentence.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The adapter with its cases.
    let subject: ConformanceSubject
    /// What people should know beside the results.
    let notes: [String]

    /// Finds the adapter and its cases.
    ///
    /// - Throws: ``Failure``, and the complaints about a case or settings file.
    init(_ target: String, cases: String?, settings: String?) throws {
        guard let factory = BuiltInAdapters.factories.first(where: { $0.descriptor.kind == target }) else {
            throw Self.unknown(target)
        }
        let folder = try cases ?? Self.fixtures(of: target)
        let files = try folder.map(Self.cases) ?? []
        let values = try settings.map(Self.settings) ?? [:]
        var notes: [String] = []
        if files.isEmpty {
            notes.append(
                "No cases: \(folder ?? "Adapters/*/Tests/Fixtures") has none. Faults that distort a good answer need one."
            )
        }
        self.notes = notes
        subject = ConformanceSubject(name: target, factory: factory, settings: values, cases: files)
    }

    /// Ends what was started for the adapter.
    func end() async {}

    // MARK: Files

    /// The cases in `exemplary` and `supplemental` of a folder, or in the folder itself.
    static func cases(in folder: String) throws -> [AdapterCase] {
        let kinds = ["exemplary", "supplemental"].map { "\(folder)/\($0)" }.filter(isFolder)
        guard isFolder(folder) else { throw Failure(description: "\(folder) is no folder.") }
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

    /// The cases of an adapter in the tree, when this is run in the tree: `instream-audio` lies in `InstreamAudio`.
    private static func fixtures(of kind: String) throws -> String? {
        guard isFolder("Adapters") else { return nil }
        let plain = kind.filter { $0 != "-" }
        let name = try TextFile.names(in: "Adapters").first { $0.lowercased() == plain }
        return name.map { "Adapters/\($0)/Tests/Fixtures" }.flatMap { isFolder($0) ? $0 : nil }
    }

    static func isFolder(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    private static func unknown(_ target: String) -> Failure {
        let kinds = BuiltInAdapters.factories.map(\.descriptor.kind)
        let nearest = nearestName(to: target, among: kinds).map { " Did you mean \($0)?" } ?? ""
        return Failure(
            description: "\(target) is no adapter: give one of \(kinds.joined(separator: ", ")).\(nearest)"
        )
    }
}
