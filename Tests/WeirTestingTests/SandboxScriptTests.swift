import Testing
import WeirJSON
import WeirTesting

@Suite("SandboxScript")
struct SandboxScriptTests {
    @Test("every member of an answer is read")
    func reply() throws {
        let script = try read(
            """
            {"paths": {"/a": {"status": 503, "headers": {"X-A": "1", "X-B": ["2", "3"]}, "body": "hello", "delay_ms": 20,
              "chunk_ms": 5, "chunk_bytes": 2, "repeat_bytes": 100, "length_open": true, "close_after": 7, "reset": true}}}
            """
        )
        var path = try #require(script.paths["/a"])
        let reply = path.answer(after: .zero)
        #expect(reply.status == 503)
        #expect(reply.headers == [.init("X-A", "1"), .init("X-B", "2"), .init("X-B", "3")])
        #expect(reply.body == .template("hello"))
        #expect(reply.delay == .fixed(.milliseconds(20)))
        #expect(reply.chunkPause == .milliseconds(5))
        #expect(reply.chunkBytes == 2)
        #expect(reply.repeatBytes == 100)
        #expect(reply.isLengthOpen)
        #expect(reply.closeAfter == 7)
        #expect(reply.closesByReset)
    }

    @Test("a body may be JSON, and is called so")
    func jsonBody() throws {
        var path = try #require(try read(#"{"paths": {"/a": {"body": {"ad": null}}}}"#).paths["/a"])
        let reply = path.answer(after: .zero)
        #expect(reply.body == .template(#"{"ad":null}"#))
        #expect(reply.headers == [.init("Content-Type", "application/json")])
    }

    @Test("steps and delays that a query sets are read")
    func steps() throws {
        let script = try read(
            """
            {"paths": {"/a": {"steps": [{"times": 2, "status": 500},
              {"after_ms": 50, "delay_ms": {"query": "ms", "otherwise": 9}}]}}}
            """
        )
        let steps = try #require(script.paths["/a"]).steps
        #expect(steps.map(\.times) == [2, nil])
        #expect(steps.map(\.after) == [nil, .milliseconds(50)])
        #expect(steps.map(\.reply.delay) == [.fixed(.zero), .query("ms", otherwise: .milliseconds(9))])
    }

    @Test("the standard script may lie underneath")
    func standard() throws {
        let script = try read(#"{"standard": true, "paths": {"/video": {"status": 204}}}"#)
        var video = try #require(script.paths["/video"])
        #expect(video.answer(after: .zero).status == 204)
        #expect(script.paths["/audio"] != nil)
    }

    @Test(
        "what is wrong is named with its path",
        arguments: [
            (#"{"path": {}}"#, #"path is not a known key. Did you mean `paths`?"#),
            (#"{}"#, "paths is required"),
            (#"{"paths": {"a": {}}}"#, "paths.a must begin with / and not with /_, where the sandbox's own paths are"),
            (
                #"{"paths": {"/_hits": {}}}"#,
                #"paths["/_hits"] must begin with / and not with /_, where the sandbox's own paths are"#
            ),
            (#"{"paths": {"/a": 7}}"#, #"paths["/a"] must be an object, not a number"#),
            (#"{"paths": {"/a": {"statu": 7}}}"#, #"paths["/a"].statu is not a known key. Did you mean `status`?"#),
            (#"{"paths": {"/a": {"status": 99}}}"#, #"paths["/a"].status must be from 200 to 599, not 99"#),
            (#"{"paths": {"/a": {"delay_ms": -1}}}"#, #"paths["/a"].delay_ms must be from 0 to 86400000, not -1"#),
            (#"{"paths": {"/a": {"steps": []}}}"#, #"paths["/a"].steps must hold at least one step"#),
            (
                #"{"paths": {"/a": {"steps": [{"times": 0}]}}}"#,
                #"paths["/a"].steps[0].times must be at least 1, not 0"#
            ),
            (#"{"paths": {"/a": {"status": 200, "steps": [{}]}}}"#, #"paths["/a"].status is not a known key"#),
            (
                #"{"paths": {"/a": {"body": "x", "media": "film"}}}"#,
                #"paths["/a"] must have one of body, media, not 2"#
            ),
            (#"{"paths": {"/a": {"media": "films"}}}"#, "Did you mean `film`?"),
            (#"{"paths": {"/a": {"body_file": "/etc/passwd"}}}"#, #"paths["/a"].body_file is for script files only"#),
        ]
    )
    func wrong(_ text: String, _ complaint: String) throws {
        let error = #expect(throws: SandboxScriptError.self) { try read(text) }
        #expect(error?.description.contains(complaint) == true, "\(error?.description ?? "")")
    }

    @Test("a script file that is missing or broken says so")
    func files() {
        #expect(throws: TextFile.Unreadable.self) { try SandboxScript(file: "/nowhere/script.json") }
        #expect(throws: SandboxScriptError.self) { try SandboxScript(file: #filePath) }
    }

    private func read(_ text: String) throws -> SandboxScript {
        try SandboxScript(try JSONReader.read(text), folder: nil)
    }
}
