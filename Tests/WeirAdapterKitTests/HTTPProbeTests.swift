import Testing
import WeirAdapterKit
import WeirModel
import WeirTesting
import WeirTime

@Suite("HTTPProbe", .timeLimit(.minutes(10)))
struct HTTPProbeTests {
    let clock = ManualClock()
    let progress = SetUpProgress()

    private func run(_ url: String, _ reply: StubTransport.Reply) async throws(SetUpFailure) {
        let transport = StubTransport(clock: clock) { _ in reply }
        let context = AdapterContext(network: "gam", transport: transport, clock: clock)
        try await HTTPProbe(url: url).run(context, progress: progress)
    }

    @Test("any 2xx is a yes, with status and latency", arguments: [200, 204, 299])
    func success(status: Int) async throws {
        let task = Task {
            do throws(SetUpFailure) {
                try await run(
                    "https://ads.example/probe",
                    .delayed(.milliseconds(120), .response(InboundResponse(status: status)))
                )
                return true
            } catch {
                return false
            }
        }
        await clock.sleepers(1)
        #expect(progress.note.waitingFor == "https://ads.example/probe")
        #expect(progress.note.remedy == "Check settings.probe_url or the network's status page.")
        clock.advance(by: .milliseconds(120))
        #expect(await task.value)
        #expect(progress.note.done == "the probe of https://ads.example/probe answered \(status) in 120 ms")
        #expect(progress.note.waitingFor == nil)
    }

    @Test("any other status is a failure worth another try", arguments: [100, 199, 301, 404, 503])
    func failure(status: Int) async {
        let error = await #expect(throws: SetUpFailure.self) {
            try await run("https://ads.example/probe", .response(InboundResponse(status: status)))
        }
        #expect(error?.reason == "the probe of https://ads.example/probe answered \(status) in 0 ms")
        #expect(error?.isRetryable == true)
        #expect(error?.remedy == "Check settings.probe_url or the network's status page.")
    }

    @Test("no answer is a failure that keeps the transport's sentence")
    func noAnswer() async {
        let error = await #expect(throws: SetUpFailure.self) {
            try await run("https://ads.example/p", .failure(TransportError(.connectionRefused, "connection refused")))
        }
        #expect(error?.reason == "the probe of https://ads.example/p failed: connection refused")
    }

    @Test("patience ends at last, so that a lost connection is tried again")
    func patience() async {
        let task = Task {
            do throws(SetUpFailure) {
                try await run("https://ads.example/p", .hang)
                return "ready"
            } catch {
                return error.reason
            }
        }
        await clock.sleepers(1)
        clock.advance(by: HTTPProbe.patience)
        #expect(await task.value.hasPrefix("the probe of https://ads.example/p failed: "))
    }

    @Test(
        "secrets in user information, query and fragment are never shown",
        arguments: [
            ("https://user:secret@ads.example/p?key=secret#secret", "https://ads.example/p"),
            ("https://ads.example?key=secret", "https://ads.example"),
            ("https://ads.example/a@b/c", "https://ads.example/a@b/c"),
            ("https://a@b:secret@ads.example", "https://ads.example"), ("secret-less", "secret-less"), ("", ""),
            ("https://ads.example#secret", "https://ads.example"),
        ]
    )
    func secrets(url: String, shown: String) async {
        let error = await #expect(throws: SetUpFailure.self) {
            try await run(url, .response(InboundResponse(status: 500)))
        }
        #expect(error?.reason == "the probe of \(shown) answered 500 in 0 ms")
        #expect(progress.note.waitingFor == shown)
    }
}
