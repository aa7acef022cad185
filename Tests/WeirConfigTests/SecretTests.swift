import Testing
import WeirConfig
import WeirJSON

@Suite("Secrets")
struct SecretTests {
    private func network(_ key: String) -> String {
        #"{"id": "gam", "adapter": "rewarded", "settings": {"load_url": "u", "api_key": \#(key)}}"#
    }

    @Test(
        "come from the environment or from a file beside the configuration",
        arguments: [
            (#"{"env": "REWARDCO_KEY"}"#, "rewardco-key-text"), (#"{"file": "key"}"#, "file-key"),
            (#"{"file": "/abs/key"}"#, "absolute-key"),
        ]
    )
    func resolved(_ reference: String, _ text: String) throws {
        let reader = Fixtures.reader(files: ["dir/key": "file-key\r\n", "/abs/key": "absolute-key"])
        let result = reader.read(text: whole(networks: network(reference)), file: "dir/w.json")
        let configuration = try #require(result.configuration)
        #expect(configuration.networks[0].settings["api_key"]?.string == text)
        #expect(configuration.secrets == [text])
        #expect(!configuration.redacted.encodedText.contains(text))
        #expect(try JSONReader.read(reference) == configuration.redacted["networks"]?[0]?["settings"]?["api_key"])
    }

    @Test(
        "that are not there are errors",
        arguments: [
            (#"{"env": "NOT_SET"}"#, "The environment variable \"NOT_SET\" is not set. Set it before Weir starts."),
            (#"{"env": "EMPTY"}"#, "The environment variable \"EMPTY\" is not set. Set it before Weir starts."),
            (#"{"file": "nowhere"}"#, "The file \"nowhere\" cannot be read: No such file."),
            (#"{"file": "empty"}"#, "The file \"empty\" holds no text."),
        ]
    )
    func missing(_ reference: String, _ message: String) {
        let example = ComplaintCase("", whole(networks: network(reference)))
        #expect(example.complaints(.error) == ["2:79: networks[0].settings.api_key: " + message])
    }

    @Test("written out are taken, warned of, and shown nowhere")
    func inClear() throws {
        let text = whole(
            networks: network(#""hunter22""#).replacing(#""u""#, with: #""https://a.example/?k=hunter22""#),
            more: #", "server": {"admin_key": "open-sesame"}"#
        )
        let result = Fixtures.reader().read(text: text, file: "w.json")
        let configuration = try #require(result.configuration)
        let warned = result.diagnostics.filter { $0.code == .secretInClear }
        #expect(warned.map(\.path) == ["networks[0].settings.api_key", "server.admin_key"])
        #expect(configuration.server.adminKey == "open-sesame")
        #expect(configuration.secrets == ["open-sesame", "hunter22"])
        let shown = configuration.redacted.encodedText + result.report.text
        #expect(!shown.contains("hunter22") && !shown.contains("open-sesame"))
        #expect(configuration.redacted["server"]?["admin_key"] == "***")
    }

    @Test("that a template only names are not taken for secrets")
    func templateNamesSetting() throws {
        let text = whole(
            networks:
                #"{"id": "gam", "adapter": "vast", "settings": {"tag_url": "u", "headers": {"Authorization": "Bearer {settings.api_key}"}}}"#
        )
        let result = Fixtures.reader().read(text: text, file: "w.json")
        #expect(!result.diagnostics.contains { $0.code == .secretInClear })
        #expect(try #require(result.configuration).secrets == [])
    }

    @Test("too short to black out are warned of and not listed")
    func short() throws {
        let result = Fixtures.reader().read(text: whole(networks: network(#"{"env": "SHORT"}"#)), file: "w.json")
        #expect(result.diagnostics.contains { $0.code == .shortSecret })
        #expect(try #require(result.configuration).secrets == [])
    }

    @Test("never appear in what an adapter says about its settings")
    func scrubbed() {
        let text = whole(
            networks: #"{"id": "gam", "adapter": "vast", "settings": {"tag_url": {"env": "TAG"}}}"#
        )
        for tag in ["https://a.example/{nope}?secret", "{x"] {
            let reader = Fixtures.reader(environment: ["TAG": tag])
            let result = reader.read(text: text, file: "w.json")
            #expect(!result.report.text.contains(tag))
        }
        let result = Fixtures.reader(environment: ["TAG": "https://a.example/{nope}"]).read(text: text, file: "w.json")
        #expect(
            result.report.text.contains("networks[0].settings.tag_url: There is no template field {nope} in ***.")
        )
    }

    @Test("must be spelled as such for the admin key")
    func badReference() {
        let example = ComplaintCase("", whole(more: #", "server": {"admin_key": {"env": "A", "file": "b"}}"#))
        #expect(
            example.complaints(.error) == [
                #"10:27: server.admin_key: must be {"env": "NAME"} or {"file": "path"}, not both."#
            ]
        )
        let typo = ComplaintCase("", whole(more: #", "server": {"admin_key": {"evn": "A"}}"#)).complaints(.error)
        #expect(typo.count == 1)
        #expect(typo.first?.contains("server.admin_key.evn") == true, "\(typo)")
        #expect(typo.first?.contains(#"Did you mean "env"?"#) == true, "\(typo)")
        let empty = ComplaintCase("", whole(more: #", "server": {"admin_key": {"env": ""}}"#)).complaints(.error)
        #expect(empty.first?.contains("and name one.") == true, "\(empty)")
    }
}
