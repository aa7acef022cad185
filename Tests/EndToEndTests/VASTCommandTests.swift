import Testing
import WeirJSON
import WeirTesting

/// `weir vast` as people and scripts use it: from files, from standard input, over mapped URLs.
@Suite("VAST commands", .serialized)
struct VASTCommandTests {
    private static let ad = """
        <VAST version="3.0"><Ad id="a"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>\
        <Impression>https://t.example/i</Impression><Creatives><Creative><Linear><Duration>15</Duration><MediaFiles>\
        <MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://m.example/a.mp4</MediaFile>\
        </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
        """

    private static func wrapper(_ id: String, _ url: String) -> String {
        """
        <VAST version="3.0"><Ad id="\(id)"><Wrapper><AdSystem>s</AdSystem><VASTAdTagURI>\(url)</VASTAdTagURI>\
        <Error>https://t.example/e/\(id)?[ERRORCODE]</Error><Impression>https://t.example/i/\(id)</Impression>\
        </Wrapper></Ad></VAST>
        """
    }

    private func run(_ arguments: [String]) async throws -> (code: Int32?, output: String, errors: String) {
        let process = try WeirProcess(["vast"] + arguments)
        let code = try await process.waitForExit()
        return (code, process.output, process.errors)
    }

    /// Runs the command with `text` on its standard input.
    private func pipe(_ text: String, _ arguments: String) async throws -> (code: Int32?, output: String) {
        let file = try TemporaryFile(text)
        let command = "\"$0\" vast \(arguments) < \(file.path)"
        let process = try WeirProcess(["-c", command, WeirProcess.binary], program: "/bin/sh")
        let code = try await process.waitForExit()
        return (code, process.output)
    }

    @Test("inspect shows a tree with the remarks under their elements, and the same as JSON")
    func inspect() async throws {
        let file = try TemporaryFile(Self.ad)
        let tree = try await run(["inspect", file.path])
        #expect(tree.code == 0)
        let lines = tree.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "VAST 3.0: ads 1, inline 1, linear 1")
        let duration = try #require(lines.firstIndex { $0.contains("Duration") })
        #expect(lines[duration + 1].contains("[plain_seconds]"))
        #expect(!tree.output.contains("\u{1B}"), "no colours but on a terminal")
        let json = try JSONReader.read(try await run(["inspect", file.path, "--json"]).output)
        #expect(json["kind"]?.string == "vast")
        #expect(json["well_formed"]?.bool == true)
        #expect(json["counts"]?["inline"]?.int == 1)
        #expect(json["ads"]?.array?.first?["media_files"]?.array?.first?["url"]?.string == "https://m.example/a.mp4")
        #expect(json["ads"]?.array?.first?["duration_ms"]?.int == 15000)
        #expect(json["diagnostics"]?.array?.first?["code"]?.string == "plain_seconds")
    }

    @Test("what cannot be read is told, with exit code 1 and JSON either way")
    func unreadable() async throws {
        let file = try TemporaryFile("<VAST><Ad></VAST>")
        let outcome = try await run(["inspect", file.path, "--json"])
        #expect(outcome.code == 1)
        let json = try JSONReader.read(outcome.output)
        #expect(json["well_formed"]?.bool == false)
        #expect(json["diagnostics"]?.array?.first?["code"]?.string == "not_well_formed")
        #expect(try await run(["inspect", "/nowhere.xml"]).code == 2)
        #expect(try await run(["paint", file.path]).code == 2)
        #expect(try await run(["convert", file.path]).code == 1)
    }

    @Test("validate ends with 1 on an error, strict or by a schema, and says which rule in words")
    func validate() async throws {
        let file = try TemporaryFile(Self.ad)
        #expect(try await run(["validate", file.path]).code == 0)
        let strict = try await run(["validate", file.path, "--strict"])
        #expect(strict.code == 1)
        #expect(strict.output.contains("\(file.path):1:"))
        let xsd = try TemporaryFile(
            """
            <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="VAST"><xs:complexType>
            <xs:attribute name="version" type="xs:integer"/></xs:complexType></xs:element></xs:schema>
            """
        )
        let checked = try await run(["validate", file.path, "--schema", xsd.path])
        #expect(checked.code == 1)
        #expect(checked.output.contains("Version of <VAST> is \"3.0\", not a whole number (cvc-datatype-valid)."))
        let json = try JSONReader.read(try await run(["validate", file.path, "--schema", xsd.path, "--json"]).output)
        #expect(json["valid"]?.bool == false)
        #expect(json["diagnostics"]?.array?.contains { $0["code"]?.string == "schema" } == true)
        #expect(try await run(["validate", file.path, "--schema", "/nowhere"]).code == 2)
    }

    @Test("resolve replays a chain from files, with its pings, and everything else is 404")
    func resolve() async throws {
        let inner = try TemporaryFile(Self.ad)
        let folder = inner.path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        let name = inner.path.split(separator: "/").last.map(String.init) ?? ""
        let map = ["--map", "https://site.example/=\(folder)"]
        let good = try TemporaryFile(Self.wrapper("w", "https://site.example/\(name)"))
        let outcome = try await run(["resolve", good.path, "--json"] + map)
        #expect(outcome.code == 0)
        let json = try JSONReader.read(outcome.output)
        #expect(json["ads"]?.array?.first?["id"]?.string == "a")
        #expect(json["ads"]?.array?.first?["impressions"]?.array?.count == 2)
        #expect(json["ads"]?.array?.first?["wrapper_chain"]?.array?.first?["ad_id"]?.string == "w")
        #expect(json["break"]?["pod"]?.array?.compactMap(\.string) == ["a"])
        #expect(json["chain"]?.array?.first?["result"]?.string == "document")
        #expect(json["chain"]?.array?.first?["latency_ms"]?.int != nil)
        #expect(json["pings"]?.array?.isEmpty == true)

        let bad = try TemporaryFile(Self.wrapper("w", "https://elsewhere.example/"))
        let refused = try await run(["resolve", bad.path, "--json"] + map)
        #expect(refused.code == 1)
        let ping = try JSONReader.read(refused.output)["pings"]?.array?.first
        #expect(ping?["url"]?.string == "https://t.example/e/w?301")
        #expect(ping?["code"]?.int == 301)
        let text = try await run(["resolve", bad.path] + map)
        #expect(text.output.contains("no ad (wrapper_failed, 301)"))
        let shallow = try await run(["resolve", good.path, "--json", "--wrapper-depth", "0"] + map)
        #expect(try JSONReader.read(shallow.output)["pings"]?.array?.first?["code"]?.int == 302)
    }

    @Test("resolve asks no private address and no other scheme than http and https")
    func addresses() async throws {
        for url in ["http://127.0.0.1:9/x", "file:///etc/hostname", "http://[::1]/x"] {
            let file = try TemporaryFile(Self.wrapper("w", url))
            let outcome = try await run(["resolve", file.path, "--json"])
            #expect(outcome.code == 1)
            #expect(try JSONReader.read(outcome.output)["pings"]?.array?.first?["code"]?.int == 301, "\(url)")
        }
        let direct = try await run(["resolve", "http://127.0.0.1:9/x", "--json"])
        #expect(direct.code == 1)
        #expect(try JSONReader.read(direct.output)["chain"]?.array?.first?["result"]?.string == "failed")
    }

    @Test("convert writes the document to standard output and its report to standard error")
    func convert() async throws {
        let file = try TemporaryFile(Self.ad.replacing("<Ad id=\"a\">", with: "<Ad id=\"a\" sequence=\"1\">"))
        let outcome = try await run(["convert", "--to", "2.0", file.path])
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("<VAST version=\"2.0\">"))
        #expect(!outcome.output.contains("sequence"))
        #expect(outcome.errors.contains("VAST 2.0 cannot express sequence"))
        #expect(try await run(["convert", "--to", "7", file.path]).code == 2)
        let json = try JSONReader.read(try await run(["convert", "--to", "4.2", file.path, "--json"]).output)
        #expect(json["document"]?.string?.contains("http://www.iab.com/VAST") == true)
        #expect(json["diagnostics"]?.array?.isEmpty == true)
    }

    @Test("a schedule is converted with the documents inside it")
    func schedule() async throws {
        let file = try TemporaryFile(
            """
            <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0"><vmap:AdBreak timeOffset="start" \
            breakType="linear"><vmap:AdSource><vmap:VASTAdData>\(Self.ad)</vmap:VASTAdData></vmap:AdSource>\
            </vmap:AdBreak></vmap:VMAP>
            """
        )
        let outcome = try await run(["convert", "--to", "4.0", file.path])
        #expect(outcome.output.contains("<VAST version=\"4.0\""))
        let json = try JSONReader.read(try await run(["inspect", file.path, "--json"]).output)
        #expect(json["kind"]?.string == "vmap")
        #expect(json["counts"]?["ad_breaks"]?.int == 1)
        #expect(json["breaks"]?.array?.first?["time_offset"]?.string == "start")
        let resolved = try JSONReader.read(try await run(["resolve", file.path, "--json"]).output)
        #expect(resolved["breaks"]?.array?.first?["ads"]?["pod"]?.array?.compactMap(\.string) == ["a"])
    }

    @Test("each command reads standard input", arguments: ["inspect", "validate", "resolve", "convert"])
    func standardInput(command: String) async throws {
        let outcome = try await pipe(Self.ad, "\(command) - --json")
        #expect(outcome.code == 0)
        let json = try JSONReader.read(outcome.output)
        #expect(json["ads"]?.array?.count == 1 || json["document"]?.string?.contains("id=\"a\"") == true)
    }

    @Test("each command reads a URL", arguments: ["inspect", "validate", "resolve", "convert"])
    func url(command: String) async throws {
        let file = try TemporaryFile(Self.ad)
        let parts = file.path.split(separator: "/").map(String.init)
        let folder = "/" + parts.dropLast().joined(separator: "/")
        let url = "https://site.example/\(parts.last ?? "")?cb=1"
        let outcome = try await run([command, url, "--json", "--map", "https://site.example/=\(folder)"])
        #expect(outcome.code == 0)
        let json = try JSONReader.read(outcome.output)
        #expect(json["ads"]?.array?.count == 1 || json["document"]?.string?.contains("id=\"a\"") == true)
        let missing = try await run([command, "https://site.example/none", "--map", "https://site.example/=\(folder)"])
        #expect(missing.code == 1)
    }

    @Test("the family and its members have help")
    func help() async throws {
        #expect(try await run([]).errors.contains("vast inspect, vast validate, vast resolve, vast convert"))
        for command in ["inspect", "validate", "resolve", "convert"] {
            let help = try await run([command, "--help"])
            #expect(help.code == 0)
            #expect(help.output.contains("Usage: weir vast \(command) FILE|URL|-"))
        }
    }
}
