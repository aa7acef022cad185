import Testing
import WeirHTTP
import WeirJSON
import WeirMediation
import WeirModel
import WeirTelemetry
import WeirTime

@testable import WeirAPI

/// What operators ask, and what probes do.
@Suite("Operations")
struct OperationsTests {
    private static let body = #"{"placement":"p"}"#

    @Test("a decision is kept as it was answered, a trace left out")
    func decision() async throws {
        let house = await House()
        let answer = await house.ask("POST", "/v1/ads", query: "trace=1", body: Self.body, on: .admin)
        #expect(try answer.json()["trace"] != nil)
        let id = try #require(answer.header("X-Weir-Request-Id"))
        let kept = try await house.ask("GET", "/v1/requests/\(id)", on: .admin).json()
        #expect(kept["trace"] == nil)
        #expect(kept["request_id"]?.string == id)
        #expect(kept["ad"] == (try answer.json()["ad"]))
        let plain = await house.ask("POST", "/v1/ads", body: Self.body)
        let plainID = try #require(plain.header("X-Weir-Request-Id"))
        #expect(await house.ask("GET", "/v1/requests/\(plainID)", on: .admin).bytes == plain.bytes)
        #expect(await house.ask("GET", "/v1/requests/nobody", on: .admin).status == 404)
    }

    @Test("decisions are listed newest first, filtered and limited; tags' are among them")
    func decisions() async throws {
        let house = await House()
        for _ in 0..<3 { _ = await house.ask("POST", "/v1/ads", body: Self.body) }
        let tag = await house.ask("GET", "/v1/vast", query: "placement=p")
        func list(_ query: String) async throws -> [JSONValue] {
            try await house.ask("GET", "/v1/requests", query: query, on: .admin).json()["requests"]?.array ?? []
        }
        let all = try await list("")
        #expect(all.count == 4)
        #expect(all.first?["request_id"]?.string == tag.header("X-Weir-Request-Id"))
        #expect(
            all.first?.object?.keys == [
                "request_id", "at", "placement", "ad_unit", "format", "result", "network", "line_item", "latency_ms",
                "config",
            ]
        )
        #expect(try await list("limit=2").count == 2)
        #expect(try await list("placement=p&result=fill&network=net").count == 4)
        for query in ["placement=q", "result=no_fill", "network=other"] {
            #expect(try await list(query).isEmpty, "\(query)")
        }
    }

    @Test(
        "a wrong filter is named",
        arguments: [
            ("limit=0", ["limit"]), ("limit=1001", ["limit"]), ("limit=x", ["limit"]), ("result=filled", ["result"]),
            ("result=x&limit=-1", ["result", "limit"]),
        ]
    )
    func wrongFilter(query: String, paths: [String]) async throws {
        let answer = await House().ask("GET", "/v1/requests", query: query, on: .admin)
        #expect(answer.status == 400)
        #expect(try answer.json()["errors"]?.array?.compactMap { $0["path"]?.string } == paths)
    }

    @Test("an adapter is shown, disabled, enabled and restarted; an unknown one is 404")
    func adapters() async throws {
        let house = await House()
        func change(_ action: String) async throws -> JSONValue? {
            try await house.ask("POST", "/v1/adapters/net/\(action)", on: .admin).json()["state"]
        }
        #expect(try await house.ask("GET", "/v1/adapters/net", on: .admin).json()["state"]?.string == "ready")
        #expect(try await change("disable")?.string == "disabled")
        let answer = try await house.ask("POST", "/v1/ads", body: Self.body).json()
        #expect(answer["attempts"]?[0]?["reason"]?.string == "disabled")
        #expect(try await change("enable")?.string != "disabled")
        for await snapshot in house.services.adapters.changes() where snapshot.readiness.ready == 1 { break }
        #expect(try await change("restart") != nil)
        for action in ["restart", "enable", "disable"] {
            #expect(await house.ask("POST", "/v1/adapters/nobody/\(action)", on: .admin).status == 404)
        }
        #expect(await house.ask("GET", "/v1/adapters/nobody", on: .admin).status == 404)
    }

    @Test("no secret shows in what adapters say of themselves")
    func secrets() async throws {
        let house = await House()
        let said = try #require(house.services.adapters.snapshot.status(of: "net")?.description)
        // As if the adapter had waited for an address that holds one.
        #expect(house.services.redactor.register(said))
        for path in ["/v1/adapters", "/v1/adapters/net"] {
            let text = String(decoding: await house.ask("GET", path, on: .admin).bytes, as: UTF8.self)
            #expect(!text.contains(said) && text.contains(Redactor.mark), "\(path)")
        }
        // Nor in why a line would be asked.
        #expect(house.services.redactor.register("net is ready"))
        let plan = await house.ask("POST", "/v1/explain", body: Self.body, on: .admin)
        #expect(!String(decoding: plan.bytes, as: UTF8.self).contains("net is ready"))
        let restarted = await house.ask("POST", "/v1/adapters/net/enable", on: .admin)
        #expect(!String(decoding: restarted.bytes, as: UTF8.self).contains(said))
        var status = try #require(house.services.adapters.snapshot.status(of: "net"))
        status.remedy = "Ask \(said)"
        status.lastError = "\(said) failed"
        let body = String(decoding: status.redacted(by: house.services.redactor).json, as: UTF8.self)
        #expect(!body.contains(said))
    }

    @Test("readiness ends the moment the process begins to leave; health does not")
    func probes() async {
        let house = await House()
        let ready = await house.ask("GET", "/readyz")
        #expect(ready.status == 200)
        #expect(String(decoding: ready.bytes, as: UTF8.self) == "ready 1/1\n")
        house.draining.raise()
        #expect(await house.ask("GET", "/readyz").status == 503)
        #expect(await house.ask("GET", "/healthz").status == 200)
        // Requests are still served until the listener closes.
        #expect(await house.ask("POST", "/v1/ads", body: Self.body).status == 200)
    }

    @Test("a configuration that is refused is 422; metrics are Prometheus text")
    func others() async throws {
        let house = await House()
        #expect(await house.ask("POST", "/v1/config/reload", on: .admin).status == 422)
        #expect(await house.ask("POST", "/v1/config/check", on: .admin).status == 200)
        #expect(await house.ask("GET", "/v1/config", on: .admin).status == 200)
        _ = await house.ask("POST", "/v1/ads", body: Self.body)
        let metrics = await house.ask("GET", "/metrics", on: .admin)
        #expect(metrics.header("Content-Type") == Metrics.contentType)
        let text = String(decoding: metrics.bytes, as: UTF8.self)
        #expect(text.contains("weir_requests_total{placement=\"p\",result=\"fill\"} 1"))
        #expect(text.contains("weir_attempts_total{network=\"net\",result=\"fill\",reason=\"fill\"} 1"))
    }

    @Test("explaining an unknown placement is 404, and a bad body 400")
    func explain() async {
        let house = await House()
        #expect(await house.ask("POST", "/v1/explain", body: Self.body, on: .admin).status == 200)
        #expect(await house.ask("POST", "/v1/explain", body: #"{"placement":"q"}"#, on: .admin).status == 404)
        #expect(await house.ask("POST", "/v1/explain", body: "[]", on: .admin).status == 400)
    }
}
