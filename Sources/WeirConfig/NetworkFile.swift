package import WeirAdapterKit
internal import WeirCarriers
internal import WeirJSON

/// The file of a declared network, read and checked.
package struct NetworkFile: Sendable {
    /// Makes the network's adapters; `nil` when there is an error.
    package var factory: AdapterFactory?
    /// The complaints, in the order of the file.
    package var diagnostics: [Diagnostic]
    /// What the file says, and the files that it names.
    var content: JSONValue

    /// Changes with what the file says, not with comments, blanks or the order of keys.
    package var fingerprint: String {
        var hash = StableHash()
        hash.feed(content)
        return hash.text()
    }
}

/// Reads the files of declared networks: everything that is wrong with one at once, each with its line.
package struct NetworkFileReader: Sendable {
    /// The word of a configuration for a network that a file declares.
    package static let kind = "declared"

    private let adapters: [AdapterFactory]
    private let readFile: @Sendable (_ path: String, _ limit: Int) throws -> [UInt8]

    /// A reader.
    ///
    /// - Parameters:
    ///   - adapters: The adapters that a preset may hand over to.
    ///   - readFile: Reads a file of at most so many bytes; its errors are shown to the operator.
    package init(
        adapters: [AdapterFactory],
        readFile: @escaping @Sendable (_ path: String, _ limit: Int) throws -> [UInt8] = SystemFiles.read
    ) {
        self.adapters = adapters
        self.readFile = readFile
    }

    /// Reads the file at `path`.
    ///
    /// Blocks while it reads: not for an event loop.
    ///
    /// - Parameter path: The file, as complaints shall name it.
    /// - Returns: The network, unless there is an error, and every complaint.
    /// - Throws: what reading the file threw.
    package func read(path: String) throws -> NetworkFile {
        read(try readFile(path, ConfigurationLimits.fileBytes), file: path)
    }

    /// Reads the bytes of a file.
    ///
    /// - Parameters:
    ///   - bytes: What the file holds.
    ///   - file: Its name, for complaints; names in it count from its directory.
    /// - Returns: The network, unless there is an error, and every complaint.
    package func read(_ bytes: [UInt8], file: String) -> NetworkFile {
        var findings = Findings(file: file)
        guard let document = ConfigurationDocument(bytes, findings: &findings) else {
            return NetworkFile(diagnostics: findings.sorted, content: .null)
        }
        var checker = ShapeChecker(findings: findings)
        checker.check(document.root, .object(Shapes.networkFile))
        findings = checker.findings
        guard document.root.value.object != nil, !findings.hasErrors(below: JSONPath.root.key("preset")) else {
            return NetworkFile(diagnostics: findings.sorted, content: document.root.value)
        }
        let named = NamedFiles(directory: directory(of: file), readFile: readFile)
        let problems = JSONProblems()
        var reading = DeclaredReading(
            document.root.value,
            problems: problems,
            adapters: adapters,
            readFile: named.read
        )
        let factory = reading.factory()
        for problem in problems.list { findings.note(problem, in: document.root) }
        var content = document.root.value.object ?? [:]
        content["$schema"] = nil
        return NetworkFile(
            factory: findings.hasErrors ? nil : factory,
            diagnostics: findings.sorted,
            content: [.object(content), .array(named.hashes.map { .string($0) })]
        )
    }
}

/// The files that a network's file names, and what they held.
///
/// Lives inside one reading and never leaves its thread.
private final class NamedFiles {
    private let directory: String
    private let readFile: (_ path: String, _ limit: Int) throws -> [UInt8]
    private(set) var hashes: [String] = []

    init(directory: String, readFile: @escaping (_ path: String, _ limit: Int) throws -> [UInt8]) {
        self.directory = directory
        self.readFile = readFile
    }

    func read(_ name: String) throws -> [UInt8] {
        let bytes = try readFile(resolvedPath(name, from: directory), ConfigurationLimits.houseAdBytes)
        var hash = StableHash()
        hash.feed(bytes)
        hashes.append(hash.text())
        return bytes
    }
}

extension Findings {
    /// Notes what the reading of a declared network found, at the nearest place that exists.
    fileprivate mutating func note(_ problem: JSONProblem, in root: ConfigurationNode) {
        let code: DiagnosticCode =
            switch problem.kind {
            case .missing: .missingKey
            case .wrongType: .wrongType
            case .badValue: .badValue
            case .unknownKey: .unknownKey
            }
        error(
            code,
            at: problem.path,
            standing: root.nearest(to: problem.path),
            problem.message,
            hint: problem.hint
        )
    }
}
