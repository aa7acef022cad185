import Testing
import WeirHTTP
import WeirTime

@testable import WeirAPI

@Suite("RequestGate")
struct OverloadTests {
    @Test("what is too much is refused at once with Retry-After; probes and operators get through")
    func refusal() async throws {
        let gate = RequestGate(limit: 1)
        let house = await House(gate: gate)
        #expect(await house.ask("GET", "/v1/vast", query: "placement=p").status == 200)
        #expect(gate.inFlight == 0)
        #expect(gate.enter())
        let origin = [(name: "Origin", value: "https://player.test")]
        let refused = await house.ask("GET", "/v1/vast", query: "placement=p", headers: origin)
        #expect(refused.status == 503)
        #expect(refused.headers.contains { $0.name == "Retry-After" && $0.value == "1" })
        #expect(refused.headers.contains { $0.name == "Access-Control-Allow-Origin" })
        guard case .bytes(let body) = refused.body else {
            Issue.record("no body")
            return
        }
        #expect(String(decoding: body, as: UTF8.self).contains("\"code\":\"overloaded\""))
        #expect(await house.ask("POST", "/v1/ads", body: "not even JSON").status == 503)
        #expect(await house.ask("GET", "/healthz").status == 200)
        #expect(await house.ask("GET", "/readyz").status == 200)
        #expect(await house.ask("GET", "/v1/adapters", on: .admin).status == 200)
        #expect(await house.ask("GET", "/v1/vast", query: "placement=p", on: .admin).status == 200)
        // An address that does not exist says so: nothing is begun for it.
        #expect(await house.ask("GET", "/nowhere").status == 404)
        #expect(gate.refused == 2)
        gate.leave()
        #expect(await house.ask("GET", "/v1/vast", query: "placement=p").status == 200)
        #expect(gate.inFlight == 0)
    }

    @Test("a request that fails is counted out, too")
    func failure() async throws {
        let gate = RequestGate(limit: 1)
        let house = await House(gate: gate)
        for _ in 0..<3 { #expect(await house.ask("POST", "/v1/ads", body: "{").status == 400) }
        #expect(gate.inFlight == 0)
        #expect(gate.refused == 0)
    }

    @Test("the log hears of refusals once in ten seconds")
    func news() {
        let gate = RequestGate(limit: 1)
        let start = ContinuousClock.now
        #expect(gate.isNews(at: start))
        #expect(!gate.isNews(at: start.advanced(by: .seconds(9))))
        #expect(gate.isNews(at: start.advanced(by: .seconds(10))))
    }
}
