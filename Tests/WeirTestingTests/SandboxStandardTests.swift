import Testing
import WeirAdapterKit
import WeirJSON
import WeirTesting

@Suite("The sandbox's standard script", .serialized)
struct SandboxStandardTests {
    @Test("any unit of the video network fills, and everything it names is there")
    func video() async throws {
        try await with { sandbox, client in
            let reply = try await client.get("/video?unit=/123/high&cb=12345678")
            #expect(reply.header("content-type") == "application/xml; charset=utf-8")
            #expect(try MarkupGlance(reply.body).hasAds)
            #expect(reply.text.contains("A test ad for the unit /123/high."))
            try await everyAddressAnswers(reply.text, sandbox, client)
            #expect(!reply.text.contains("{"))
        }
    }

    @Test(
        "wrapper, VMAP and audio documents hold ads whose addresses answer",
        arguments: ["/video/wrapper", "/video/vmap", "/audio/vast"]
    )
    func documents(_ path: String) async throws {
        try await with { sandbox, client in
            let reply = try await client.get("\(path)?unit=u")
            #expect(try MarkupGlance(reply.body).hasAds)
            try await everyAddressAnswers(reply.text, sandbox, client)
        }
    }

    @Test("the rewarded network promises ten coins")
    func rewarded() async throws {
        try await with { sandbox, client in
            let ad = try await client.get("/rewarded?unit=coins").json["ad"]
            #expect(ad?["reward"]?["item"]?.string == "coins")
            #expect(ad?["reward"]?["amount"]?.int == 10)
            #expect(ad?["vast_url"]?.string?.hasPrefix(sandbox.baseURL) == true)
            try await everyAddressAnswers(ad?.encodedText ?? "", sandbox, client)
        }
    }

    @Test("the audio network fills a pre-roll, a mid-roll at a minute and a post-roll")
    func audio() async throws {
        try await with { sandbox, client in
            let reply = try await client.get("/audio?unit=radio")
            let sections = reply.json["sections"]
            #expect(sections?["preroll"]?[0]?["mime"]?.string == "audio/mpeg")
            #expect(sections?["midroll"]?[0]?["point_ms"]?.int == 60_000)
            #expect(sections?["postroll"]?[0]?["companions"]?[0]?["width"]?.int == 300)
            try await everyAddressAnswers(reply.text, sandbox, client)
        }
    }

    @Test(
        "media are real, whole and in ranges",
        arguments: [
            ("/media/film.mp4", SandboxMedia.film), ("/media/jingle.mp3", .jingle),
            ("/media/companion.png", .companion),
        ]
    )
    func media(_ path: String, _ media: SandboxMedia) async throws {
        try await with { _, client in
            let whole = try await client.get(path)
            #expect(whole.body == media.bytes)
            #expect(whole.header("content-type") == media.contentType)
            #expect(whole.header("accept-ranges") == "bytes")
            let part = try await client.get(path, headers: [HTTPHeader("Range", "bytes=4-7")])
            #expect(part.status == 206)
            #expect(part.body == Array(media.bytes[4..<8]))
            #expect(part.header("content-range") == "bytes 4-7/\(media.count)")
            let tail = try await client.get(path, headers: [HTTPHeader("Range", "bytes=-3")])
            #expect(tail.body == Array(media.bytes.suffix(3)))
            let beyond = try await client.get(path, headers: [HTTPHeader("Range", "bytes=\(media.count)-")])
            #expect(beyond.status == 416)
            let head = try await client.send("HEAD", path)
            #expect(head.header("content-length") == "\(media.count)")
            #expect(head.body.isEmpty)
        }
    }

    @Test("media are what their types say, and small")
    func bytes() {
        #expect(SandboxMedia.film.bytes[4..<8] == Array("ftyp".utf8)[...])
        #expect(SandboxMedia.companion.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        // An MPEG audio frame begins with eleven set bits.
        #expect(SandboxMedia.jingle.bytes[0] == 0xFF && SandboxMedia.jingle.bytes[1] & 0xE0 == 0xE0)
        #expect(SandboxMedia.allCases.map(\.count).reduce(0, +) <= 307_200)
    }

    @Test("networks in trouble are in trouble")
    func trouble() async throws {
        try await with { _, client in
            var statuses: [Int] = []
            for target in ["/nofill", "/error", "/slow?ms=1", "/health/video"] {
                statuses.append(try await client.get(target).status)
            }
            #expect(statuses == [204, 503, 200, 200])
            let empty = try MarkupGlance(try await client.get("/nofill/vast").body)
            #expect(!empty.hasAds)
            #expect(empty.errorURLs.count == 1)
            let broken = try await client.get("/broken").body
            #expect(throws: AdapterError.self) { try MarkupGlance(broken) }
        }
    }

    /// Asks for every address of the sandbox that a text names.
    private func everyAddressAnswers(_ text: String, _ sandbox: SandboxServer, _ client: LoopbackClient) async throws {
        let targets = text.matches(of: try Regex(#"http://127\.0\.0\.1:\d+(/[^\]"\s]*)"#)).compactMap {
            $0.output[1].substring.map(String.init)
        }
        #expect(!targets.isEmpty)
        for target in targets { #expect(try await client.get(target).status < 300, "\(target)") }
    }

    private func with(_ body: (SandboxServer, LoopbackClient) async throws -> Void) async throws {
        let sandbox = try await SandboxServer.start()
        do {
            try await body(sandbox, LoopbackClient(port: sandbox.port))
        } catch {
            await sandbox.stop()
            throw error
        }
        await sandbox.stop()
    }
}
