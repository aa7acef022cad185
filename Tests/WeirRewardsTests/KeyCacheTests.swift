import Testing
import WeirRewards

@Suite("KeyCache")
struct KeyCacheTests {
    private let keys: VerifierKeys

    init() throws {
        keys = VerifierKeys([7: try #require(PrivateKey()).publicKey])
    }

    /// A cache, asked at seconds after the start.
    private final class Probe {
        var cache = KeyCache()
        let start = ContinuousClock.now

        func at(_ seconds: Int) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

        func ask(_ id: UInt64, at seconds: Int) -> String {
            let (lookup, mustFetch) = cache.look(up: id, at: at(seconds))
            let text =
                switch lookup {
                case .key: "key"
                case .pending: "pending"
                case .unknown: "unknown"
                case .unavailable: "unavailable"
                }
            return text + (mustFetch ? " fetch" : "")
        }

        func fetched(_ keys: VerifierKeys, at seconds: Int) {
            cache.fetched(keys, lifetime: .seconds(3600), at: at(seconds))
        }
    }

    private func filled() -> Probe {
        let probe = Probe()
        _ = probe.ask(7, at: 0)
        probe.fetched(keys, at: 0)
        return probe
    }

    @Test("the first question fetches once, however many ask")
    func firstFetch() {
        let probe = Probe()
        #expect(probe.ask(7, at: 0) == "pending fetch")
        #expect(probe.ask(7, at: 0) == "pending")
        probe.fetched(keys, at: 1)
        #expect(probe.ask(7, at: 1) == "key")
    }

    @Test("without keys a failed fetch makes callbacks wait, and is tried again soon")
    func noKeys() {
        let probe = Probe()
        _ = probe.ask(7, at: 0)
        probe.cache.failed()
        #expect(probe.ask(7, at: 1) == "unavailable")
        #expect(probe.ask(7, at: 2) == "pending fetch")
    }

    @Test("an unknown id fetches once a minute, not once a callback")
    func unknownID() {
        let probe = filled()
        #expect(probe.ask(8, at: 59) == "unknown")
        #expect(probe.ask(8, at: 60) == "pending fetch")
        probe.fetched(keys, at: 61)
        #expect(probe.ask(8, at: 62) == "unknown")
        #expect(probe.ask(9, at: 119) == "unknown")
        #expect(probe.ask(9, at: 120) == "pending fetch")
    }

    @Test("from half of its life on a set is fetched behind the answer")
    func refresh() {
        let probe = filled()
        #expect(probe.ask(7, at: 1799) == "key")
        #expect(probe.ask(7, at: 1800) == "key fetch")
        #expect(probe.ask(7, at: 1801) == "key")
        probe.cache.failed()
        #expect(probe.ask(7, at: 1802) == "key")
        #expect(probe.ask(7, at: 1860) == "key fetch")
    }

    @Test("the last good set serves for 24 hours and not longer")
    func oldSet() {
        let probe = filled()
        #expect(probe.ask(7, at: 86_399) == "key fetch")
        probe.cache.failed()
        #expect(probe.ask(7, at: 86_400) == "unavailable")
        #expect(probe.ask(7, at: 86_401) == "pending fetch")
    }

    @Test("an empty set never replaces a good one")
    func emptySet() {
        let probe = filled()
        _ = probe.ask(8, at: 60)
        probe.fetched(VerifierKeys(), at: 61)
        #expect(probe.ask(7, at: 62) == "key")
        #expect(VerifierKeys(json: Array("{\"keys\":[]}".utf8)) == nil)
        #expect(VerifierKeys(json: Array("<html>error</html>".utf8)) == nil)
        #expect(VerifierKeys(json: Array("{\"keys\":[{\"keyId\":1,\"base64\":\"AAAA\"}]}".utf8)) == nil)
    }

    @Test(
        "Cache-Control and Age decide how long a set is fresh",
        arguments: [
            ("public, max-age=3600", nil, 3600), ("max-age=3600", "600", 3000), ("max-age=10", "600", 0),
            (nil, nil, 0), ("no-store, max-age=60", nil, 0), ("max-age=999999999", nil, 86_400),
            ("max-age=x", nil, 0), ("Max-Age=60", "-5", 60),
        ] as [(String?, String?, Int64)]
    )
    func lifetime(_ header: String?, _ age: String?, _ seconds: Int64) {
        #expect(KeyCache.lifetime(cacheControl: header, age: age) == .seconds(seconds))
    }

    @Test(
        "abuse 18: a key that is not on P-256 is never taken into a set",
        arguments: [
            // secp256k1, P-384, RSA, Ed25519
            "MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEB4KA208V4MQZ5FHGvd89hWucxqiCl46ucXmKEmL5o6W4gEEv"
                + "NtEZ6aVv8DSdHEywNMATUjtCaTQOm+qiyGYWTw==",
            "MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEXuf8sZ828p+cVzaHQuOZJSNpsfxHqOFwH1W2XAXe8Rh59Hmx"
                + "dXjeagyRXR0uXFSP+3fmseOe3FqGx4DrBp8Ir5Wp+JzgVbbOqrXdytgaJM6W4/2JfpTbfsa3VVXsumBb",
            "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDLznGSRX4njgUextESldOx7Yr4cznqAQWM84h4Qtjx"
                + "8bVObSk9USfDDrfB/XnAfiQbWDiAnzOoVXjD+IfZ1+ZCQpWxd+3TMbk9HiXC6yW3bbiNlL0Lkc2qtCyv"
                + "6L00F8BipFbp88WpatbT1yy/FC+EXz7hx3KkMERPSiNHcGqFxwIDAQAB",
            "MCowBQYDK2VwAyEA82PUmTk1jHOsLU+Z2STG87i0dJ0Fn9cO643arhmCLi0=",
        ]
    )
    func otherCurves(_ base64: String) throws {
        let own = String(decoding: VerifierKeys([1: try #require(keys[7])]).json, as: UTF8.self)
        let foreign = "{\"keyId\": 2, \"base64\": \"\(base64)\"}"
        #expect(VerifierKeys(json: Array("{\"keys\": [\(foreign)]}".utf8)) == nil)
        let mixed = own.replacing("{\"keys\":[", with: "{\"keys\":[\(foreign),")
        let read = try #require(VerifierKeys(json: Array(mixed.utf8)))
        #expect(read.keys.keys.sorted() == [1] && read.leftOut == 1)
    }
}
