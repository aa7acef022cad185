import Testing
import WeirJSON
import WeirTelemetry
import WeirTime

@Suite("Logger")
struct LoggerTests {
    private let capture = LogCapture()
    private let redactor = Redactor()

    private func writer(
        _ format: LogFormat = .json,
        limits: LogWriter.Limits = LogWriter.Limits()
    ) -> LogWriter {
        LogWriter(format: format, redactor: redactor, clock: StoppedClock(), limits: limits, sink: capture.sink)
    }

    @Test("an event is one JSON line with its parts in order")
    func line() async {
        let writer = writer()
        Logger(writer, clock: StoppedClock()).with(requestID: "r1").with(["network": "gam"])
            .info("adapter.ready", "gam is ready.", ["latency_ms": 120, "late": false, "remedy": nil])
        await writer.close()
        let expected =
            #"{"ts":"2026-01-01T00:00:00.250Z","level":"info","event":"adapter.ready","message":"gam is ready.","#
            + #""request_id":"r1","network":"gam","latency_ms":120,"late":false,"remedy":null}"# + "\n"
        #expect(capture.text == expected)
    }

    @Test("events below the minimum are dropped before their message is made")
    func levels() async {
        let writer = writer()
        let logger = Logger(writer, clock: StoppedClock(), minimum: .warning)
        func neverMade() -> String {
            Issue.record("the message was made")
            return ""
        }
        logger.info("a", neverMade())
        logger.warning("b", "two")
        logger.error("c", "three")
        Logger.silent.error("d", neverMade())
        await writer.close()
        #expect(capture.events.map { $0["event"]?.string } == ["b", "c"])
        #expect(capture.events.map { $0["level"]?.string } == ["warning", "error"])
    }

    @Test("a line break, a quote or a reserved field name cannot forge a line")
    func injection() async {
        let writer = writer()
        Logger(writer, clock: StoppedClock())
            .info("a", "x\n{\"level\":\"error\"}", ["level": "debug", "k\"\n": "v\n", "level_": "twice"])
        await writer.close()
        #expect(capture.lines.count == 1)
        #expect(capture.events.first?["level"] == "info")
        #expect(capture.events.first?["level_"] == "debug")
        #expect(capture.events.first?["level__"] == "twice")
        #expect(capture.events.first?["message"] == "x\n{\"level\":\"error\"}")
    }

    @Test("known secrets, secret fields and query values are never printed")
    func secrets() async {
        redactor.register("s3cr\"et/key")
        let writer = writer()
        let url = "https://u:p@ads.example/tag?iu=/1/2&key=s3cr%22et%2Fkey&s3cr%22et%2Fkey=1#frag"
        Logger(writer, clock: StoppedClock()).with(requestID: "s3cr\"et/key")
            .info(
                "s3cr\"et/key",
                "the key s3cr\"et/key is wrong",
                [
                    "key": .secret, "tag": .url(url), "raw": "\(url)",
                    "deep": .shown(["s3cr\"et/key": ["as3cr\"et/keyb"]]),
                ]
            )
        await writer.close()
        #expect(capture.events.count == 1)
        #expect(!capture.text.contains("s3cr"))
        let event = capture.events.first
        #expect(event?["message"] == "the key [redacted] is wrong")
        #expect(event?["key"] == "[redacted]")
        #expect(event?["tag"] == "https://…@ads.example/tag?iu=…&key=…&[redacted]=…#…")
        #expect(event?["deep"]?["[redacted]"]?[0] == "a[redacted]b")
    }

    @Test(
        "a line never exceeds its limit, and no half of a secret survives the cut",
        arguments: [LogFormat.json, .human(colour: true)]
    )
    func lineLength(_ format: LogFormat) async {
        redactor.register("SECRETSECRETSECRET")
        var limits = LogWriter.Limits()
        limits.lineBytes = 1024
        let writer = writer(format, limits: limits)
        let logger = Logger(writer, clock: StoppedClock())
        for length in 80..<110 {
            let message =
                String(repeating: "\u{1}", count: length) + "SECRETSECRETSECRET" + String(repeating: "é", count: 9000)
            logger.with(requestID: String(repeating: "\u{1}", count: 500)).info(
                message,
                message,
                ["long": "\(message)"]
            )
        }
        await writer.close()
        #expect(capture.lines.count == 30)
        #expect(capture.lines.allSatisfy { $0.utf8.count < 1024 })
        #expect(!capture.text.contains("SECRET"))
        if format == .json { #expect(capture.events.allSatisfy { $0["truncated"] == true }) }
    }

    @Test("a person sees one readable line without control characters")
    func human() async {
        let writer = writer(.human(colour: false))
        Logger(writer, clock: StoppedClock()).with(requestID: "r1")
            .warning(
                "adapter.late",
                "gam\u{1B}[31m is\nlate\u{202E}.",
                ["network": "gam", "n": 3, "list": .shown(["a"])]
            )
        await writer.close()
        let expected =
            #"00:00:00.250 WARNING adapter.late  gam\u{1b}[31m is\u{a}late\u{202e}.  request_id=r1  network=gam  n=3  list=["a"]"#
        #expect(capture.lines == [expected])
    }

    @Test("flush waits for what was logged before it, and events after close are counted as dropped")
    func flushAndClose() async {
        let writer = writer()
        let logger = Logger(writer, clock: StoppedClock())
        for number in 0..<1000 { logger.info("n", "\(number)") }
        await writer.flush()
        #expect(capture.lines.count == 1000)
        #expect(capture.events.map { $0["message"]?.string } == (0..<1000).map(String.init))
        await writer.close()
        await writer.close()
        logger.info("late", "x")
        #expect(capture.lines.count == 1000)
        #expect(writer.droppedCount == 1)
    }

    @Test("a blocked sink blocks nobody: what does not fit is dropped, counted and reported")
    func overflow() async {
        let slow = LogCapture(blocks: true)
        var limits = LogWriter.Limits()
        limits.events = 10
        let writer = LogWriter(redactor: redactor, clock: StoppedClock(), limits: limits, sink: slow.sink)
        let logger = Logger(writer, clock: StoppedClock())
        logger.info("first", "blocks the thread")
        slow.started.wait(atMost: .seconds(20))
        for number in 0..<25 { logger.info("n", "\(number)") }
        #expect(writer.droppedCount == 15)
        slow.mayGoOn.ring()
        slow.started.wait(atMost: .seconds(20))
        slow.mayGoOn.ring()
        await writer.close()
        #expect(slow.events.count == 12)
        #expect(slow.events.last?["event"] == "log.dropped")
        #expect(slow.events.last?["count"] == 15)
    }

    @Test("long texts are bounded by their bytes, not by their number alone")
    func byteOverflow() async {
        let slow = LogCapture(blocks: true)
        var limits = LogWriter.Limits()
        limits.queuedBytes = 100_000
        let writer = LogWriter(redactor: redactor, clock: StoppedClock(), limits: limits, sink: slow.sink)
        let logger = Logger(writer, clock: StoppedClock())
        logger.info("first", "blocks the thread")
        slow.started.wait(atMost: .seconds(20))
        for _ in 0..<10 { logger.info("n", String(repeating: "x", count: 30_000)) }
        #expect(writer.droppedCount == 7)
        slow.mayGoOn.ring()
        slow.started.wait(atMost: .seconds(20))
        slow.mayGoOn.ring()
        await writer.close()
    }

    @Test("many threads log at once and nothing is lost or torn")
    func concurrency() async {
        let writer = writer()
        let logger = Logger(writer, clock: StoppedClock())
        await withTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { for number in 0..<500 { logger.info("t\(task)", "\(number)") } }
            }
        }
        await writer.close()
        #expect(capture.events.count == 4000)
        for task in 0..<8 {
            let own = capture.events.filter { $0["event"]?.string == "t\(task)" }
            #expect(own.map { $0["message"]?.string } == (0..<500).map(String.init))
        }
    }
}
