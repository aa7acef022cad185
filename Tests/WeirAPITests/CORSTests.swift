import Testing
import WeirHTTP

@testable import WeirAPI

/// What pages of other origins may do; docs/api.md describes it.
@Suite("CORS")
struct CORSTests {
    private static let origin = (name: "Origin", value: "https://player.example")

    @Test(
        "the public doors answer the page that asked, with credentials, errors too",
        arguments: [
            ("GET", "/v1/vast", "placement=p"), ("GET", "/v1/vast", ""), ("GET", "/v1/t/forged", ""),
            ("POST", "/v1/ads", ""),
        ]
    )
    func echo(method: String, path: String, query: String) async {
        let answer = await House().ask(method, path, query: query, headers: [Self.origin])
        #expect(answer.header("Access-Control-Allow-Origin") == "https://player.example")
        #expect(answer.header("Access-Control-Allow-Credentials") == "true")
        #expect(answer.header("Vary") == "Origin")
        #expect(
            answer.header("Access-Control-Expose-Headers")
                == "X-Weir-Request-Id, X-Weir-Result, X-Weir-Config, Retry-After"
        )
    }

    @Test("without an origin nothing is said, and operators' routes never say anything")
    func silence() async {
        let house = await House()
        let plain = await house.ask("GET", "/v1/vast", query: "placement=p")
        #expect(plain.header("Access-Control-Allow-Origin") == nil)
        for path in ["/v1/adapters", "/v1/config", "/nowhere"] {
            let answer = await house.ask("GET", path, headers: [Self.origin], on: .admin)
            #expect(answer.header("Access-Control-Allow-Origin") == nil, "\(path)")
        }
    }

    @Test(
        "a preflight names what may be sent, at every address that docs/api.md lists",
        arguments: [
            "/v1/ads", "/v1/vast", "/v1/vmap", "/v1/sessions", "/v1/sessions/s", "/v1/sessions/s/inputs",
            "/v1/sessions/s/outputs", "/v1/events", "/v1/t/x",
        ]
    )
    func preflight(path: String) async {
        let answer = await House().ask("OPTIONS", path, headers: [Self.origin])
        #expect(answer.status == 204)
        #expect(answer.header("Access-Control-Allow-Origin") == "https://player.example")
        #expect(answer.header("Access-Control-Allow-Methods") == "GET, POST, DELETE, OPTIONS")
        #expect(
            answer.header("Access-Control-Allow-Headers") == "Content-Type, Idempotency-Key, Last-Event-ID, traceparent"
        )
        #expect(answer.header("Access-Control-Max-Age") == "86400")
    }
}
