import Testing
import WeirJSON
import WeirTesting
import WeirTime

/// An adapter in a process of its own may crash, and costs an attempt.
///
/// One within the gateway would end the gateway: so it must not crash, whatever a network sends.
@Suite("Distorted answers", .serialized)
struct DistortionTests {
    /// How many distortions of each document are sent.
    private static let count = 150

    /// Bytes as a network might garble them: the same for the same number.
    private static func distorted(_ text: String, _ number: Int) -> [UInt8] {
        var random = Noise(state: UInt64(number) &* 0x9E37_79B9_7F4A_7C15 &+ 7)
        var bytes = Array(text.utf8)
        for _ in 0...random.next(below: 3) where !bytes.isEmpty {
            let place = random.next(below: bytes.count)
            switch random.next(below: 6) {
            case 0: bytes[place] ^= UInt8(1 << random.next(below: 8))
            case 1: bytes = Array(bytes[..<place])
            case 2: bytes.insert(contentsOf: bytes[place...].prefix(random.next(below: 64)), at: place)
            case 3: bytes.removeSubrange(place..<min(bytes.count, place + random.next(below: 32)))
            case 4: bytes.insert(contentsOf: Array("\u{0}\u{FFFF}]]><![CDATA[{\"[-1e999,".utf8), at: place)
            default:
                // Numbers are where arithmetic goes wrong.
                let digits = bytes.indices.filter { (0x30...0x39).contains(bytes[$0]) }
                guard !digits.isEmpty else { continue }
                let at = digits[random.next(below: digits.count)]
                let odd = ["-9223372036854775808", "99999999999999999999", "1e308", "0.0000000000000000000001", "NaN"]
                bytes.replaceSubrange(at...at, with: odd[random.next(below: odd.count)].utf8)
            }
        }
        return bytes
    }

    private struct Noise {
        var state: UInt64

        /// SplitMix64.
        mutating func next(below limit: Int) -> Int {
            guard limit > 0 else { return 0 }
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
        }
    }

    private static let bid =
        #"{"id": "r", "cur": "USD", "bidid": "9", "seatbid": [{"seat": "s", "bid": [{"id": "b", "impid": "1", "#
        + #""price": 2.50, "exp": 300, "dur": 10, "mtype": 2, "adomain": ["a.example"], "cat": ["IAB1"], "attr": [1], "#
        + #""lurl": "https://a.example/l?r=${AUCTION_LOSS}", "adm": "\#(smallAd().replacing("\"", with: "\\\""))"}]}]}"#

    private static let spot =
        #"{"spots": [{"ref": 1, "rate": {"n": 2500, "iso": "EUR"}, "life": 60, "coins": {"what": "c", "many": 10}, "#
        + #""lost": "https://a.example/l", "media": {"url": "https://a.example/a.mp4", "s": 12.5, "w": 640}}]}"#

    /// A network's entry that asks for distortions of one of the documents.
    private static func network(_ name: String, _ base: String, _ files: Carrier.Files) throws -> [String: JSONValue] {
        let url = JSONValue.string(base + "/\(name)/{custom_data}")
        switch name {
        case "vast": return ["adapter": "vast", "settings": ["tag_url": url]]
        case "bid": return ["adapter": "openrtb", "settings": ["endpoint": url]]
        case "tag":
            let file = try files.add(["preset": "vast-tag", "url": url])
            return ["adapter": "declared", "file": .string(file.path), "settings": [:]]
        default:
            let media: JSONValue = ["url": "media.url", "duration_s": "media.s", "width": "media.w"]
            let file = try files.add([
                "url": url,
                "reply": [
                    "format": "json", "ads": "spots[*]",
                    "ad": [
                        "id": "ref", "media": media, "loss_url": "lost", "expires": ["path": "life", "unit": "s"],
                        "price": ["amount": "rate.n", "currency": "rate.iso", "unit": "impression", "decimals": 6],
                        "reward": ["item": "coins.what", "amount": "coins.many"],
                    ],
                ],
            ])
            return ["adapter": "declared", "file": .string(file.path), "settings": [:]]
        }
    }

    @Test(
        "T-15 an adapter within the gateway never ends it: each distorted answer costs its attempt, and the next line fills",
        arguments: [Carrier.inTree, .declared]
    )
    func within(_ carrier: Carrier) async throws {
        let documents =
            carrier == .inTree
            ? ["bid": Self.bid, "vast": smallAd()] : ["spot": Self.spot, "tag": smallAd()]
        var script: [String: SandboxReply] = [:]
        for (name, text) in documents {
            for number in 0..<Self.count {
                var reply = SandboxReply(status: 200)
                let type = text.hasPrefix("<") ? "application/xml" : "application/json"
                reply.headers = [SandboxReply.Header("Content-Type", type)]
                let body = Self.distorted(text, number)
                reply.body = body.isEmpty ? .none : .bytes(body)
                script["/\(name)/\(number)"] = reply
            }
        }
        let sandbox = try await SandboxServer.start(script: .standard.overlaid(with: SandboxScript(script)))
        let files = Carrier.Files()
        defer { files.remove() }
        var plan = Plan()
        plan.unit["timeout_ms"] = 30_000
        for name in documents.keys.sorted() {
            var network = try Self.network(name, sandbox.baseURL, files)
            network["breaker"] = ["enabled": false]
            plan.line(name, sandbox.baseURL, "/", timeout: 15_000, network: network)
        }
        plan.line("good", sandbox.baseURL, "/video", timeout: 15_000)
        // One that fills shall not keep the others from being asked.
        plan.top["ad_units"] = .array(
            plan.waterfall.dropLast().map { line in
                let lines: [JSONValue] = [line, plan.waterfall.last ?? [:]]
                return ["id": line["id"] ?? "", "format": "video", "timeout_ms": 30_000, "waterfall": .array(lines)]
            }
        )
        plan.top["placements"] = .array(documents.keys.map { ["id": .string($0), "ad_unit": .string($0)] })
        let json = plan.json
        try await LiveGateway.run { _ in
            json
        } _: { gateway in
            try await gateway.initialized()
            var results: [String: Int] = [:]
            for name in documents.keys {
                for number in 0..<Self.count {
                    let answer = try await gateway.ad(name, ", \"user\": {\"custom_data\": \"\(number)\"}")
                    #expect(answer["result"]?.string == "fill", "\(name) \(number): \(answer.verdicts)")
                    let verdict = answer["attempts"]?[0]?["result"]?.string ?? "?"
                    #expect(verdict != "crash" && verdict != "timeout", "\(name) \(number)")
                    results[verdict, default: 0] += 1
                }
            }
            // The distortions are of all kinds.
            #expect((results["fill"] ?? 0) > 10 && (results["bad_response"] ?? 0) > 50, "\(results)")
        }
        await sandbox.stop()
    }
}
