import Testing
import WeirAdapterKit
import WeirConfig
import WeirJSON
import WeirModel

@Suite("Declared networks in a configuration")
struct DeclaredNetworkTests {
    private static let entry = #"{"id": "gam", "adapter": "declared", "file": "networks/acme.json"}"#
    private static let file = #"{"preset": "vast-tag", "url": "https://a.example/{network_unit}"}"#

    private func read(
        _ network: String = entry,
        _ files: [String: String] = ["dir/networks/acme.json": file],
        lenient: Bool = false
    ) -> ConfigurationReader.Result {
        Fixtures.reader(files: files).read(text: whole(networks: network), file: "dir/w.json", lenient: lenient)
    }

    private func errors(_ result: ConfigurationReader.Result) -> [String] {
        result.diagnostics.filter { $0.severity == .error }.map(\.text)
    }

    @Test("a file beside the configuration makes the network's adapters")
    func reads() throws {
        let entry = try #require(read().configuration?.networks.first)
        #expect(entry.factory?.descriptor.kind == "declared")
        #expect(entry.problem == nil && !entry.hasUnknownAdapter)
    }

    @Test("a file's mistakes are shown with the file's own lines, after the configuration's")
    func complaints() {
        let files = ["dir/networks/acme.json": "{\"preset\": \"vast-tag\",\n  \"ulr\": \"https://a.example/\"}"]
        let network = #"{"id": "gam", "adapter": "declared", "file": "networks/acme.json", "colour": 1}"#
        #expect(
            errors(read(network, files)) == [
                #"dir/w.json:2:68: error: networks[0].colour: There is no such key. Known here: \#(known)."#,
                "dir/networks/acme.json:1:1: error: url: is required.",
                #"dir/networks/acme.json:2:3: error: ulr: There is no such key. Did you mean "url"?"#,
            ]
        )
    }

    private var known: String {
        "id, adapter, settings, enabled, ask_before_ready, breaker, timeout_ms, allow_private, max_in_flight, command, process, file"
    }

    @Test("a network without its file, or whose file is not there, is pointed at")
    func noFile() {
        #expect(
            errors(read(#"{"id": "gam", "adapter": "declared"}"#)) == [
                "dir/w.json:2:1: error: networks[0].file: is required for adapters of kind \"declared\". "
                    + "Write it like \"file\": \"networks/acme.json\"."
            ]
        )
        #expect(
            errors(read(Self.entry, [:])) == [
                "dir/w.json:2:46: error: networks[0].file: The file \"dir/networks/acme.json\" cannot be read: No such file."
            ]
        )
    }

    @Test("two networks may share a file; its mistakes are shown once, and both are wrong")
    func shared() {
        let two = Self.entry + ",\n" + Self.entry.replacing("gam", with: "gim")
        #expect(read(two).configuration?.networks.count == 2)
        let wrong = ["dir/networks/acme.json": "{}"]
        #expect(
            errors(read(two, wrong)) == [
                "dir/w.json:3:46: error: networks[1].file: The file has errors of its own.",
                "dir/networks/acme.json:1:1: error: url: is required.",
            ]
        )
    }

    @Test("a lenient reading leaves a network out whose file is wrong")
    func lenient() throws {
        let result = read(Self.entry, ["dir/networks/acme.json": "{}"], lenient: true)
        let entry = try #require(result.configuration?.networks.first)
        #expect(entry.problem == "url: is required.")
        #expect(!entry.hasUnknownAdapter)
    }

    @Test("settings are held to the file's schema, and misspelt ones get the nearest name")
    func settings() {
        let files = [
            "dir/networks/acme.json":
                #"{"url": "https://a.example/{settings.zone}", "settings": {"zone": {"type": "whole", "required": true}}}"#
        ]
        func network(_ settings: String) -> String {
            #"{"id": "gam", "adapter": "declared", "file": "networks/acme.json", "settings": \#(settings)}"#
        }
        #expect(errors(read(network(#"{"zone": 7}"#), files)) == [])
        #expect(
            errors(read(network(#"{"zone": "x"}"#), files)) == [
                "dir/w.json:2:89: error: networks[0].settings.zone: must be a whole number, not a string."
            ]
        )
        #expect(
            errors(read(network(#"{"zoen": 7}"#), files)) == [
                #"dir/w.json:2:81: error: networks[0].settings.zoen: The adapter "declared" knows no such setting, "#
                    + #"and no template names it. Did you mean "zone"?"#
            ]
        )
        #expect(
            errors(read(network("{}"), files)) == ["dir/w.json:2:80: error: networks[0].settings.zone: is required."]
        )
    }

    @Test("a secret that stands in the file is an error, and is repeated nowhere")
    func secrets() {
        let files = [
            "dir/networks/acme.json":
                #"{"url": "https://a.example/?k={settings.pass}", "settings": {"pass": {"secret": true, "required": true}}}"#
        ]
        func network(_ value: String) -> String {
            #"{"id": "gam", "adapter": "declared", "file": "networks/acme.json", "settings": {"pass": \#(value)}}"#
        }
        let clear = read(network(#""open-secret""#), files)
        #expect(
            errors(clear) == [
                "dir/w.json:2:89: error: networks[0].settings.pass: is a secret and must not stand here. "
                    + "Write {\"env\": \"NAME\"} or {\"file\": \"path\"}."
            ]
        )
        #expect(!clear.report.text.contains("open-secret"))
        let lenient = read(network(#""open-secret""#), files, lenient: true)
        #expect(lenient.configuration?.redacted.encodedText.contains("open-secret") == false)
        let hidden = read(network(#"{"env": "REWARDCO_KEY"}"#), files)
        #expect(errors(hidden) == [])
        #expect(hidden.configuration?.secrets == ["rewardco-key-text"])
    }

    @Test("T-20 the version and the network's fingerprint follow the file's content, not its comments")
    func versions() throws {
        func version(_ text: String) throws -> (String, String) {
            let configuration = try #require(read(Self.entry, ["dir/networks/acme.json": text]).configuration)
            return (configuration.version, configuration.networks[0].fingerprint)
        }
        let first = try version(Self.file)
        let commented = try version("// a comment\n" + Self.file)
        let changed = try version(Self.file.replacing("a.example", with: "b.example"))
        #expect(first == commented)
        #expect(first.0 != changed.0 && first.1 != changed.1)
    }

    @Test("the fingerprint follows a house ad's document")
    func houseDocument() throws {
        func fingerprint(_ document: String) throws -> String {
            let files = [
                "dir/networks/acme.json": #"{"preset": "static", "ads": [{"vast_file": "house.xml"}]}"#,
                "dir/networks/house.xml": document,
            ]
            let result = read(Self.entry, files)
            return try #require(result.configuration, "\(result.report.text)").networks[0].fingerprint
        }
        let one = try fingerprint("<VAST version=\"4.2\"><Ad id=\"1\"/></VAST>")
        #expect(try fingerprint("<VAST version=\"4.2\"><Ad id=\"2\"/></VAST>") != one)
    }

    @Test("a line of another format than the file's is warned of")
    func formats() {
        let files = ["dir/networks/acme.json": #"{"preset": "audio-vast", "url": "https://a.example/"}"#]
        #expect(read(Self.entry, files).diagnostics.contains { $0.code == .formatNotServed })
    }
}
