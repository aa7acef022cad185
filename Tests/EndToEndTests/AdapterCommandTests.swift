import Glibc
import Testing
import WeirJSON
import WeirTesting

/// `weir adapter test` and `weir adapter new` as an adapter's author uses them.
@Suite("Adapter commands", .serialized)
struct AdapterCommandTests {
    private static let root = String(#filePath.dropLast("/Tests/EndToEndTests/AdapterCommandTests.swift".count))

    private func run(
        _ words: [String],
        directory: String = root
    ) async throws -> (code: Int32?, output: String, errors: String) {
        let process = try WeirProcess(["adapter"] + words, directory: directory)
        let code = try await process.waitForExit(within: .seconds(120))
        return (code, process.output, process.errors)
    }

    @Test(
        "the adapters of the tree pass their cases and every fault",
        arguments: ["vast", "rewarded", "instream-audio", "openrtb"]
    )
    func builtIn(_ kind: String) async throws {
        let file = try TemporaryFile("")
        defer { file.remove() }
        let run = try await run(["test", kind, "--json", "--junit", file.path])
        let report = try JSONReader.read(run.output)
        for row in report["cases"]?.array ?? [] where row["result"]?.string == "failed" {
            Issue.record("\(kind): \(row["name"]?.string ?? ""): \(row["message"]?.string ?? "")")
        }
        #expect(run.code == 0)
        let rows = report["cases"]?.array ?? []
        #expect(
            rows.filter { $0["kind"]?.string == "fault" }.map { $0["name"]?.string } == AdapterConformance.faultNames
        )
        #expect(rows.contains { $0["kind"]?.string == "case" })
        #expect(String(decoding: try TextFile.read(file.path), as: UTF8.self).contains("tests=\"\(rows.count)\""))
    }

    @Test("process adapters pass as well: the examples in Python and in Swift")
    func processes() async throws {
        let python = "python3 Adapters/Examples/Python/bidco.py"
        let weir = WeirProcess.binary
        let folder = weir[..<(weir.lastIndex(of: "/") ?? weir.startIndex)]
        for program in [python, "\(folder)/bidco-adapter"] {
            let run = try await run(["test", program, "--cases", "Adapters/Examples/Cases"])
            #expect(run.code == 0, "\(program): \(run.output)\(run.errors)")
        }
    }

    @Test("declared networks pass as well: every example")
    func declared() async throws {
        let examples = Self.root + "/config/networks/examples"
        for name in try TextFile.names(in: examples) {
            let run = try await run(["test", "config/networks/examples/\(name)"])
            #expect(run.code == 0, "\(name): \(run.output)\(run.errors)")
        }
    }

    @Test(
        "what weir adapter new writes passes weir adapter test at once, within a minute",
        arguments: [
            ["--preset", "vast-tag"], ["--preset", "json"], ["--preset", "audio-vast"], ["--preset", "static"],
            ["--preset", "openrtb"], ["--carrier", "process"],
        ]
    )
    func scaffolds(_ options: [String]) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let start = ContinuousClock.now
        #expect(try await run(["new", "acme-co"] + options, directory: folder.path).code == 0)
        let run = try await run(["test", "networks/acme-co"], directory: folder.path)
        #expect(run.code == 0, "\(options): \(run.output)\(run.errors)")
        #expect(start.duration(to: .now) < .seconds(60))
    }

    @Test("the table fits 80 columns, is plain in a pipe, and ends with the sum")
    func table() async throws {
        let run = try await run(["test", "vast"])
        #expect(run.code == 0)
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(!run.output.contains("\u{1B}"))
        #expect(run.output.contains("  pass  hang "))
        #expect(run.output.split(separator: "\n").last?.hasPrefix("vast: ") == true)
    }

    @Test("a failure has exit code 1, what differs, and the fix")
    func failure() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try folder.write(
            "case.json",
            #"{"name": "204 is a fill", "settings": {"tag_url": "https://a.example/"}, "steps": [{"reply": {"status": 204}}], "outcome": {"result": "fill"}}"#
        )
        let run = try await run(["test", "vast", "--cases", folder.path, "--only", "204 is"])
        #expect(run.code == 1)
        #expect(run.output.contains("FAIL  204 is a fill: outcome.result must be \"fill\", but is"))
        #expect(run.output.contains("        Fix: "))
    }

    @Test("a process that dies shows the end of its standard error, its control characters harmless, and once")
    func traceback() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        #expect(try await run(["new", "acme", "--carrier", "process"], directory: folder.path).code == 0)
        let program = try folder.read("networks/acme/adapter.py")
        try folder.write(
            "networks/acme/adapter.py",
            program.replacing(
                "class Acme",
                with: "import sys\nprint('\u{1B}[31mred', file=sys.stderr)\nraise KeyError('half-way')\n\nclass Acme"
            )
        )
        let dead = try await run(["test", "networks/acme"], directory: folder.path)
        #expect(dead.code == 1 && !dead.output.contains("\u{1B}"))
        let lines = dead.output.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.count { $0 == "KeyError: 'half-way'" } == 2, "once for cases and once for faults: \(dead.output)")
        #expect(lines.contains { $0.hasPrefix("File ") && $0.contains("adapter.py\", line ") })
        #expect(lines.contains { $0.hasPrefix("Log: ends as that of ") })
        // One that lives and only slips tells its traceback as well.
        try folder.write("networks/acme/adapter.py", program.replacing("return no_fill(", with: "no_fil("))
        let slip = try await run(["test", "networks/acme", "--only", "no ad is nothing"], directory: folder.path)
        #expect(slip.code == 1 && slip.output.contains("          NameError: name 'no_fil' is not defined"))
        #expect(slip.output.contains("    no_fil(\"no_ad\""), "the line itself: \(slip.output)")
    }

    @Test("wrong usage is told: an unknown adapter, a folder that is none, a row that nobody has")
    func usage() async throws {
        let unknown = try await run(["test", "vats"])
        #expect(unknown.code == 1 && unknown.errors.contains("Did you mean vast?"))
        let folder = try await run(["test", "vast", "--cases", "/nowhere"])
        #expect(folder.code == 1 && folder.errors.contains("/nowhere is no folder"))
        let row = try await run(["test", "vast", "--only", "sloth"])
        #expect(row.code == 1 && row.errors.contains("sloth"))
        let missing = try await run(["test"])
        #expect(missing.code == 2 && missing.errors.contains("TARGET is missing"))
        let list = try await run(["test", "--list"])
        #expect(list.code == 0 && list.output.contains("instream-audio") && list.output.contains("gzip_bomb"))
    }

    @Test("nothing is overwritten, and a name that is none is refused")
    func refuses() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        #expect(try await run(["new", "acme"], directory: folder.path).code == 0)
        let again = try await run(["new", "acme"], directory: folder.path)
        #expect(again.code == 1 && again.errors.contains("networks/acme is there already; nothing was written."))
        for name in ["Acme", "-acme", "a/b", "..", "acme-", ""] {
            #expect(try await run(["new", "--", name], directory: folder.path).code == 2, "\(name)")
        }
        let carrier = try await run(["new", "b", "--carrier", "pigeon"], directory: folder.path)
        #expect(carrier.code == 2)
        let preset = try await run(["new", "b", "--preset", "vasttag"], directory: folder.path)
        #expect(preset.code == 2 && preset.errors.contains("Did you mean vast-tag?"))
    }

    @Test("a Swift adapter is written into the tree, and every place that must know it does")
    func swiftCarrier() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        for file in ["Package.swift", "Sources/weir/BuiltInAdapters.swift", "docs/architecture.md"] {
            try folder.write(file, String(decoding: try TextFile.read(Self.root + "/" + file), as: UTF8.self))
        }
        let run = try await run(["new", "sound-co", "--carrier", "swift"], directory: folder.path)
        #expect(run.code == 0, "\(run.errors)")
        #expect(!run.output.contains("Add to Package.swift"))
        let package = try folder.read("Package.swift")
        #expect(
            package.contains("\"SoundCoAdapter\", \"")
                || package.contains("\"WeirTesting\", \"VASTAdapter\", \"SoundCoAdapter\",")
        )
        #expect(package.contains("path: \"Adapters/SoundCo/Tests\""))
        let list = try folder.read("Sources/weir/BuiltInAdapters.swift")
        #expect(list.contains("        SoundCoAdapterFactory.factory,"))
        let imports = list.split(separator: "\n").filter { $0.hasPrefix("internal import") }
        #expect(imports == imports.sorted() && imports.contains("internal import SoundCoAdapter"))
        #expect(try folder.read("docs/architecture.md").contains("| SoundCoAdapter | WeirAdapterKit WeirModel |"))
        #expect(try folder.read("Adapters/SoundCo/Sources/SoundCoAdapter.swift").contains("kind: \"sound-co\""))
        let cases = try AdapterCase.all(in: folder.path + "/Adapters/SoundCo/Tests/Fixtures/exemplary")
        #expect(cases.count == 2)
        // Elsewhere there is nothing to write into.
        let other = try TemporaryFolder()
        defer { other.remove() }
        let outside = try await self.run(["new", "x", "--carrier", "swift"], directory: other.path)
        #expect(outside.code == 1 && outside.errors.contains("Package.swift"))
    }
}

/// A folder in the folder for temporary files.
private struct TemporaryFolder {
    let path: String

    init() throws {
        var name = Array("/tmp/weir-test-XXXXXX".utf8CString)
        let made = mkdtemp(&name) != nil
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try #require(made)
    }

    func write(_ name: String, _ text: String) throws {
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/" + part
            mkdir(folder, 0o755)
        }
        let file = try #require(fopen(path + "/" + name, "we"))
        fputs(text, file)
        fclose(file)
    }

    func read(_ name: String) throws -> String {
        String(decoding: try TextFile.read(path + "/" + name), as: UTF8.self)
    }

    func remove() {
        let pid = popen("rm -r '\(path)'", "r")
        if let pid { pclose(pid) }
    }
}
