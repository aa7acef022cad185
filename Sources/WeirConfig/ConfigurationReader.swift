package import WeirAdapterKit

/// Reads configuration files: everything that is wrong with one at once, each with its line.
///
/// It does no I/O but reading the file and its secrets, and calls no network: adapters are made once, to see whether
/// they accept their settings, and thrown away.
package struct ConfigurationReader: Sendable {
    /// What a reading came to.
    package struct Result: Sendable {
        /// The configuration; `nil` when there is an error.
        package var configuration: WeirConfiguration?
        /// The complaints, in the order of the file.
        package var diagnostics: [Diagnostic]

        /// The complaints as a report.
        package var report: DiagnosticReport { DiagnosticReport(diagnostics) }
    }

    private let factories: [AdapterFactory]
    private let environment: @Sendable (String) -> String?
    private let readFile: @Sendable (_ path: String, _ limit: Int) throws -> [UInt8]
    private let isExecutable: @Sendable (_ path: String) -> Bool

    /// A reader.
    ///
    /// - Parameters:
    ///   - factories: The adapters this program is built with.
    ///   - environment: Answers `{"env": "NAME"}`; the process's environment.
    ///   - readFile: Reads a file of at most so many bytes; its errors are shown to the operator.
    ///   - isExecutable: Says whether a file is a program that may be run.
    package init(
        factories: [AdapterFactory],
        environment: @escaping @Sendable (String) -> String? = SystemFiles.environment,
        readFile: @escaping @Sendable (_ path: String, _ limit: Int) throws -> [UInt8] = SystemFiles.read,
        isExecutable: @escaping @Sendable (_ path: String) -> Bool = SystemFiles.isExecutable
    ) {
        self.factories = factories
        self.environment = environment
        self.readFile = readFile
        self.isExecutable = isExecutable
    }

    /// Reads the file at `path`.
    ///
    /// Blocks while it reads: not for an event loop.
    ///
    /// - Parameters:
    ///   - path: The file, as complaints shall name it.
    ///   - lenient: Leaves networks out whose entries are wrong, instead of refusing the file.
    /// - Returns: The configuration, unless there is an error, and every complaint.
    package func read(path: String, lenient: Bool = false) -> Result {
        do {
            return read(try readFile(path, ConfigurationLimits.fileBytes), file: path, lenient: lenient)
        } catch {
            var findings = Findings(file: path)
            findings.error(.unreadableFile, line: 1, column: 1, "The file cannot be read: \(error).")
            return Result(configuration: nil, diagnostics: findings.sorted)
        }
    }

    /// Reads the text of a file.
    ///
    /// - Parameters:
    ///   - text: What the file holds.
    ///   - file: Its name, for complaints; relative paths in it count from its directory.
    ///   - lenient: Leaves networks out whose entries are wrong, instead of refusing the file.
    /// - Returns: The configuration, unless there is an error, and every complaint.
    package func read(text: String, file: String, lenient: Bool = false) -> Result {
        read(Array(text.utf8), file: file, lenient: lenient)
    }

    /// Reads the bytes of a file, as ``read(text:file:lenient:)`` does.
    package func read(_ bytes: [UInt8], file: String, lenient: Bool = false) -> Result {
        var findings = Findings(file: file)
        guard let document = ConfigurationDocument(bytes, findings: &findings) else {
            return Result(configuration: nil, diagnostics: findings.sorted)
        }
        var checker = ShapeChecker(findings: findings)
        checker.check(document.root, .object(Shapes.root))
        var reading = ConfigurationReading(
            root: document.root,
            findings: checker.findings,
            secrets: Secrets(
                environment: environment,
                readFile: readFile,
                isExecutable: isExecutable,
                directory: directory(of: file)
            ),
            factories: factories,
            files: NetworkFileReader(adapters: factories, readFile: readFile)
        )
        let configuration = reading.configuration(lenient: lenient)
        return Result(
            configuration: reading.findings.hasErrors ? nil : configuration,
            diagnostics: reading.findings.sorted
        )
    }
}
