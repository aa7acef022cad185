import Testing
import WeirAdapterKit
import WeirJSON
import WeirTesting

@Suite("SandboxServer")
struct SandboxServerTests {
    @Test("answers by the script and keeps the hit")
    func answers() async throws {
        try await with(["/tag": SandboxReply(status: 201, type: "text/plain", "hello")]) { sandbox, client in
            let reply = try await client.get("/tag?iu=%2F1%2Fhigh&x", headers: [HTTPHeader("X-Own", "7")])
            #expect(reply.status == 201)
            #expect(reply.text == "hello")
            #expect(reply.header("content-type") == "text/plain")
            #expect(reply.header("access-control-allow-origin") == "*")
            let hit = try #require(sandbox.hits.first)
            #expect(sandbox.hits.count == 1)
            #expect(hit.number == 1)
            #expect(hit.path == "/tag")
            #expect(hit.parameter("iu") == "/1/high")
            #expect(hit.parameter("x")?.isEmpty == true)
            #expect(hit.header("x-own") == "7")
            #expect(hit.status == 201)
            #expect(!hit.closedEarly)
        }
    }

    @Test("fills in its own address and the query, made safe for the text around it")
    func templates() async throws {
        let body = "<a>{base} {query.q} {query_encoded.q} {other} {query.none}</a>"
        try await with(["/x": SandboxReply(type: "application/xml", body)]) { sandbox, client in
            let reply = try await client.get("/x?q=a%26b%3C%22")
            #expect(reply.text == "<a>\(sandbox.baseURL) a&amp;b&lt;&quot; a%26b%3C%22 {other} </a>")
        }
        try await with(["/j": SandboxReply(type: "application/json", #"{"q": "{query.q}"}"#)]) { _, client in
            let reply = try await client.get("/j?q=a%22b%0A")
            #expect(reply.json["q"]?.string == "a\"b\n")
        }
    }

    @Test("a path that the script lacks is 404 and tells what there is; the root is an overview")
    func unknownPath() async throws {
        try await with(["/tag": SandboxReply(status: 204)]) { sandbox, client in
            let reply = try await client.get("/tagg")
            #expect(reply.status == 404)
            #expect(reply.text.contains("\(sandbox.baseURL)/tag\n"))
            #expect(try await client.get("/").status == 200)
        }
    }

    @Test("a star stands for everything that begins like it; the longest wins, an exact path over all")
    func stars() async throws {
        let script = [
            "/*": SandboxReply(status: 201), "/t/*": SandboxReply(status: 202), "/t/x": SandboxReply(status: 203),
        ]
        try await with(script) { _, client in
            var statuses: [Int] = []
            for target in ["/a", "/t/a", "/t/x"] { statuses.append(try await client.get(target).status) }
            #expect(statuses == [201, 202, 203])
        }
    }

    @Test("an answer may wait, and a client that goes first is noticed at once")
    func delay() async throws {
        var slow = SandboxReply(status: 204)
        slow.delay = .query("ms", otherwise: .seconds(3600))
        try await with(["/slow": slow]) { sandbox, client in
            let clock = ContinuousClock()
            let start = clock.now
            let waited = try await client.get("/slow?ms=60")
            #expect(waited.status == 204)
            #expect(clock.now - start >= .milliseconds(60))
            let task = Task { try await client.get("/slow") }
            #expect(try await sandbox.waitForHits { $0.count == 2 })
            task.cancel()
            #expect(try await sandbox.waitForHits { $0.last?.closedEarly == true })
            #expect(sandbox.hits.last?.status == nil)
            #expect(sandbox.hits.first?.closedEarly == false)
        }
    }

    @Test("a body may trickle, be repeated, be of open length, break off")
    func bodies() async throws {
        var trickle = SandboxReply(type: "text/plain", "abcdef")
        trickle.chunkPause = .milliseconds(5)
        trickle.chunkBytes = 2
        var large = SandboxReply(type: "text/plain", "abc")
        large.repeatBytes = 200_000
        var open = large
        open.isLengthOpen = true
        var cut = SandboxReply(type: "text/plain", "abcdef")
        cut.closeAfter = 4
        var reset = cut
        reset.closesByReset = true
        let script = ["/trickle": trickle, "/large": large, "/open": open, "/cut": cut, "/reset": reset]
        try await with(script) { _, client in
            let trickled = try await client.get("/trickle")
            #expect(trickled.text == "abcdef")
            #expect(trickled.header("content-length") == "6")
            let repeated = try await client.get("/large")
            #expect(repeated.isComplete)
            #expect(repeated.body.count == 200_000)
            #expect(repeated.body[199_998...] == Array("ab".utf8)[...])
            let chunked = try await client.get("/open")
            #expect(chunked.header("transfer-encoding") == "chunked")
            #expect(chunked.isComplete)
            #expect(chunked.body == repeated.body)
            let short = try await client.get("/cut")
            #expect(short.text == "abcd")
            #expect(!short.isComplete)
            let aborted = try? await client.get("/reset")
            #expect(aborted?.isComplete != true)
        }
    }

    @Test("a raw answer is sent as it stands")
    func raw() async throws {
        var reply = SandboxReply()
        reply.body = .raw(Array("HTTP/1.1 200 OK\r\nX: 1\r\n\r\nno length".utf8))
        try await with(["/raw": reply]) { _, client in
            let bytes = try await client.exchange(Array("GET /raw HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
            #expect(String(decoding: bytes, as: UTF8.self) == "HTTP/1.1 200 OK\r\nX: 1\r\n\r\nno length")
        }
    }

    @Test("a page of another origin may ask before it sends, and read the answer")
    func crossOrigin() async throws {
        try await with(["/tag": SandboxReply(status: 204)]) { _, client in
            let origin = HTTPHeader("Origin", "https://page.example")
            let preflight = try await client.send(
                "OPTIONS",
                "/tag",
                headers: [origin, HTTPHeader("Access-Control-Request-Method", "GET")]
            )
            #expect(preflight.status == 204)
            #expect(preflight.header("access-control-allow-origin") == "https://page.example")
            let reply = try await client.get("/tag", headers: [origin])
            #expect(reply.header("access-control-allow-origin") == "https://page.example")
            #expect(reply.header("access-control-allow-credentials") == "true")
        }
    }

    @Test("hits are read and forgotten over HTTP")
    func hits() async throws {
        try await with(["/a": SandboxReply(status: 204), "/b": SandboxReply(status: 204)]) { _, client in
            _ = try await client.get("/a?x=1")
            _ = try await client.post("/b", json: #"{"y": 2}"#)
            let all = try await client.get("/_hits").json
            #expect(all["count"]?.int == 2)
            #expect(all["hits"]?[0]?["query"]?["x"]?.string == "1")
            #expect(all["hits"]?[1]?["method"]?.string == "POST")
            #expect(all["hits"]?[1]?["body"]?.string == #"{"y": 2}"#)
            #expect(try await client.get("/_hits?path=/b").json["count"]?.int == 1)
            #expect(try await client.send("DELETE", "/_hits").status == 204)
            #expect(try await client.get("/_hits").json["count"]?.int == 0)
        }
    }

    @Test("the script is changed over HTTP while it runs; a bad one changes nothing")
    func changes() async throws {
        try await with(["/a": SandboxReply(status: 204), "/b": SandboxReply(status: 204)]) { _, client in
            let set = try await client.post("/_script", json: #"{"paths": {"/a": {"status": 503}, "/b": null}}"#)
            #expect(set.status == 200)
            #expect(set.json["paths"]?.array == ["/a"])
            #expect(try await client.get("/a").status == 503)
            #expect(try await client.get("/b").status == 404)
            let bad = try await client.post("/_script", json: #"{"paths": {"/a": {"status": 7}}}"#)
            #expect(bad.status == 400)
            #expect(bad.json["errors"]?[0]?["path"]?.string == #"paths["/a"].status"#)
            #expect(try await client.post("/_script", json: "{").status == 400)
            #expect(try await client.get("/a").status == 503)
        }
    }

    @Test("a port in use is refused with a sentence")
    func portInUse() async throws {
        try await with([:]) { sandbox, _ in
            let error = await #expect(throws: (any Error).self) { try await SandboxServer.start(port: sandbox.port) }
            #expect(error.map { "\($0)".contains("already in use") } == true)
        }
    }

    private func with(
        _ script: [String: SandboxReply],
        _ body: (SandboxServer, LoopbackClient) async throws -> Void
    ) async throws {
        let sandbox = try await SandboxServer.start(script: SandboxScript(script))
        do {
            try await body(sandbox, LoopbackClient(port: sandbox.port))
        } catch {
            await sandbox.stop()
            throw error
        }
        await sandbox.stop()
    }
}
