import Glibc
import Testing
import WeirAdapterKit
import WeirCarriers
import WeirModel
import WeirTesting
import WeirTime

@Suite("ProcessAdapter, with programs that do as they should")
struct ProcessAdapterTests {
    @Test("is set up, asked, has its request sent and its answer understood")
    func honest() async throws {
        try await Rig.run(Children.honest) { rig in
            let progress = SetUpProgress()
            try await rig.adapter.setUp(progress)
            #expect(progress.note.done == "its process is there (version 1.0): looked around")
            #expect(rig.adapter.descriptor.version == "1.0")
            #expect(rig.adapter.descriptor.formats == [.video])
            #expect(await rig.load() == "fill 2.50 USD")
            #expect(rig.transport.requests.map(\.url) == ["https://acme.example/ad"])
        }
    }

    @Test("many are under way at once, and each gets its own answer")
    func manyAtOnce() async throws {
        try await Rig.run(Children.honest) { rig in
            await rig.setUp()
            let fills = await withTaskGroup(of: String.self) { group in
                for _ in 0..<100 { group.addTask { await rig.load() } }
                return await group.reduce(into: 0) { $0 += $1 == "fill 2.50 USD" ? 1 : 0 }
            }
            #expect(fills == 100)
        }
    }

    @Test("answers are told apart by their numbers, in whatever order they come")
    func outOfOrder() async throws {
        let script = Children.loop(
            #"""
            if [ -z "$first" ]; then first=$line; else
            second=$line; answer '{"type":"outcome",' '"result":"no_fill","reason":"no_bid"}'
            line=$first; answer '{"type":"outcome",' '"result":"no_fill","reason":"no_ad"}'; first=; fi
            """#
        )
        try await Rig.run(script) { rig in
            await rig.setUp()
            async let one = rig.load()
            async let two = rig.load()
            #expect(await [one, two].sorted() == ["no_fill(no_ad)", "no_fill(no_bid)"])
        }
    }

    @Test("what the network answered without an ad is judged here, and the process is not asked")
    func judged() async throws {
        for (reply, verdict) in [
            (InboundResponse(status: 204), "no_fill(http_204)"),
            (InboundResponse(status: 200), "no_fill(empty_body)"),
            (InboundResponse(status: 302), "network_error(redirect_refused)"),
            (InboundResponse(status: 503), "network_error(http_5xx) 503"),
        ] {
            try await Rig.run(Children.honest, answer: { _ in .response(reply) }) { rig in
                await rig.setUp()
                #expect(await rig.load() == verdict)
            }
        }
        try await Rig.run(
            Children.honest,
            answer: { _ in .failure(TransportError(.tooLarge, "too large")) }
        ) { rig in
            await rig.setUp()
            #expect(await rig.load() == "bad_response(too_large)")
        }
    }

    @Test("one that wants every status gets it")
    func anyStatus() async throws {
        let script = Children.loop(
            #"""
            case $line in
            *make_requests*) answer '{"type":"requests",' '"requests":[{"url":"https://a.example","any_status":true}]}';;
            *'"status":404'*) answer '{"type":"outcome",' '"result":"no_fill","reason":"network_no_fill"}';;
            esac
            """#
        )
        try await Rig.run(script, answer: { _ in .response(InboundResponse(status: 404)) }) { rig in
            await rig.setUp()
            #expect(await rig.load() == "no_fill(network_no_fill)")
        }
    }

    @Test("several requests are sent side by side, and those worth reading come back with their places")
    func several() async throws {
        let script = Children.loop(
            #"""
            case $line in
            *make_requests*) answer '{"type":"requests",' '"requests":[{"url":"https://a.example/0"},{"url":"https://a.example/1"}]}';;
            *'"replies":[{"request":1,"status":200'*) answer '{"type":"outcome",' '"result":"no_fill","reason":"no_bid"}';;
            esac
            """#
        )
        try await Rig.run(
            script,
            answer: { .response($0.url.hasSuffix("0") ? InboundResponse(status: 204) : .text("x")) }
        ) { rig in
            await rig.setUp()
            #expect(await rig.load() == "no_fill(no_bid)")
        }
    }

    @Test("what a set-up wants sent is sent by the gateway")
    func setUpRequests() async throws {
        let script = """
            read -r line; echo '{"type":"hello","id":1,"api":1,"version":"1","formats":["audio"]}'
            read -r line; echo '{"type":"requests","id":2,"requests":[{"url":"https://a.example/health"}]}'
            read -r line; case $line in *'"replies":[{"request":0,"status":200'*) echo '{"type":"ready","id":2}';; esac
            read -r line
            """
        try await Rig.run(script) { rig in
            #expect(await rig.setUp() == nil)
            #expect(rig.transport.requests.map(\.url) == ["https://a.example/health"])
        }
    }

    @Test("settings come over its input; its environment holds nothing of the gateway's")
    func environment() async throws {
        setenv("WEIR_TEST_SECRET", "s3cret-of-the-gateway", 1)
        let script = """
            env >&2; echo "args $*" >&2; ls /proc/self/fd >&2
            read -r line; echo '{"type":"hello","id":1,"api":1,"version":"1","formats":["audio"]}'
            read -r line; echo "got $line" >&2; echo '{"type":"ready","id":2}'; read -r line
            """
        try await Rig.run(script, configure: { $0.environment = ["OWN": "value"] }) { rig in
            await rig.setUp()
            await waitUntil { rig.log.all.contains { $0.hasPrefix("got") } }
            let names = rig.log.all.filter { $0.contains("=") }.compactMap { $0.split(separator: "=").first }
            #expect(
                Set(names).subtracting(["PATH", "LANG", "SWIFT_BACKTRACE", "OWN", "PWD", "SHLVL", "_", "OLDPWD"]) == []
            )
            #expect(rig.log.all.contains("OWN=value"))
            // ls itself has a fourth for the folder that it lists.
            #expect(rig.log.all.filter { Int($0) != nil } == ["0", "1", "2", "3"])
            #expect(rig.log.all.contains { $0.contains(#""settings":{"token":"***"}"#) }, "secrets are blacked out")
        }
    }

    @Test("tear_down lets it leave by itself, and it is gone afterwards")
    func tearDown() async throws {
        let script = Children.loop(
            #"""
            case $line in
            *tear_down*) echo "leaving" >&2; exit 0;;
            *) printf '%s %s\n' "pid" $$ >&2; answer '{"type":"outcome",' '"result":"no_fill","reason":"no_ad"}';;
            esac
            """#
        )
        try await Rig.run(script) { rig in
            await rig.setUp()
            _ = await rig.load()
            await waitUntil { rig.log.all.contains { $0.hasPrefix("pid") } }
            let line = try #require(rig.log.all.first { $0.hasPrefix("pid") })
            let number = try #require(Int32(line.dropFirst(4)))
            #expect(Belongings.lives(number))
            await rig.adapter.tearDown()
            #expect(!Belongings.lives(number))
            #expect(rig.log.all.contains("leaving"))
            #expect(rig.crashes.all.isEmpty)
            #expect(await rig.load() == "skipped(not_ready)")
        }
    }

    @Test("a load that comes right after the start waits for it; one before any start does not")
    func earlyLoad() async throws {
        try await Rig.run("sleep 0.1\n" + Children.honest, configure: { $0.startPatience = .seconds(20) }) { rig in
            #expect(await rig.load() == "skipped(not_ready)")
            let progress = SetUpProgress()
            async let setUp: Void = rig.adapter.setUp(progress)
            await waitUntil { progress.note.waitingFor != nil }
            #expect(await rig.load() == "fill 2.50 USD")
            try await setUp
        }
    }

    @Test("a network of which nothing is heard costs a load its deadline, and nothing else")
    func deadline() async throws {
        try await Rig.run(Children.loop(":")) { rig in
            await rig.setUp()
            #expect(await rig.load(.milliseconds(50)) == "timeout(line_timeout)")
        }
        try await Rig.run(Children.honest, answer: { _ in .hang }) { rig in
            await rig.setUp()
            #expect(await rig.load(.milliseconds(50)) == "timeout(line_timeout)")
        }
    }

    @Test("a load whose task is cancelled ends at once")
    func cancelled() async throws {
        try await Rig.run(Children.loop(":")) { rig in
            await rig.setUp()
            let load = Task { await rig.load() }
            try await RuntimeClockPause.short()
            load.cancel()
            #expect(await load.value == "timeout(line_timeout)")
        }
    }
}

/// A moment, for what no clock of the test decides; no bound hangs on it.
enum RuntimeClockPause {
    static func short() async throws { try await SystemClock().sleep(for: .milliseconds(20)) }
}
