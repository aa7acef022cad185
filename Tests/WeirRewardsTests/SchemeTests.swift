import Testing
import WeirJSON

@testable import WeirRewards

@Suite("RewardScheme")
struct SchemeTests {
    /// The publisher's own names of parameters in each vector, by its `network`.
    private static let names: [String: (scheme: String, names: [String: String])] = [
        "pangle/csj": ("pangle", [:]),
        "levelplay/ironsource": ("levelplay", ["user": "userid"]),
        "unity-ads": ("unity_ads", [:]),
        "applovin-max EVENT_TOKEN": ("applovin_max", ["transaction": "event", "signature": "token"]),
        "vungle/liftoff": ("vungle", [:]),
        "tapjoy": ("tapjoy", [:]),
        "admost (amr)": ("admost", [:]),
    ]

    /// A closed network that a publisher could declare all the same.
    private static let mopub: JSONValue = [
        "id": "mopub", "fields": ["transaction": "id", "user": "customer_id", "amount": "value", "item": "type"],
        "signature": ["parameter": "hash", "digest": "hmac_sha256", "sorted": "value"],
    ]

    private static func verifier(_ vector: JSONValue) throws -> SchemeVerifier {
        let network = vector["network"]?.string ?? ""
        let secret = vector["secret"]?.string ?? ""
        if network == "mopub" { return SchemeVerifier(try RewardScheme(json: mopub), secret: secret) }
        let known = try #require(names[network], "no scheme for \(network)")
        return SchemeVerifier(
            try #require(BuiltInSchemes.scheme(known.scheme)),
            secret: secret,
            names: known.names
        )
    }

    private static func query(_ vector: JSONValue, changing name: String? = nil) -> [UInt8] {
        let members = vector["params"]?.object?.members ?? []
        let pairs = members.map { member -> String in
            var value = member.value.string ?? ""
            if value == "(digest)" { value = vector["digestHex"]?.string ?? "" }
            if member.key == name { value += "0" }
            return PercentText.encode(member.key) + "=" + PercentText.encode(value)
        }
        return Array(pairs.joined(separator: "&").utf8)
    }

    @Test(
        "each network's given callback is believed",
        .enabled(if: Vectors.root != nil, "The shared vectors are not here; set WEIR_SHARED."),
        arguments: Vectors.networks
    )
    func believed(_ vector: JSONValue) throws {
        let verifier = try Self.verifier(vector)
        let callback = try verifier.verify(Self.query(vector))
        #expect(!callback.transaction.isEmpty)
    }

    @Test(
        "a changed parameter that the signature covers is refused, one that it does not cover never counts",
        .enabled(if: Vectors.root != nil, "The shared vectors are not here; set WEIR_SHARED."),
        arguments: Vectors.networks
    )
    func changed(_ vector: JSONValue) throws {
        let verifier = try Self.verifier(vector)
        let genuine = try verifier.verify(Self.query(vector))
        for member in vector["params"]?.object?.members ?? [] {
            let query = Self.query(vector, changing: member.key)
            do throws(CallbackFault) {
                var other = try verifier.verify(query)
                if !other.coversCustomData { other.customData = genuine.customData }
                #expect(other == genuine, "\(member.key) changed what counts")
            } catch {
                #expect([.badSignature, .badSignatureForm].contains(error.reason), "\(member.key): \(error)")
            }
        }
    }

    @Test("the nine networks are there, and each built-in declaration can be read")
    func builtIn() throws {
        let declared = try JSONReader.read(BuiltInSchemes.document).array ?? []
        for json in declared { _ = try RewardScheme(json: json) }
        #expect(
            BuiltInSchemes.all.map(\.id) == [
                "admob", "admost", "applovin_max", "fyber", "levelplay", "pangle", "tapjoy", "unity_ads", "vungle",
            ]
        )
    }

    @Test("what a signature covers is read off its text")
    func coverage() throws {
        let pangle = try #require(BuiltInSchemes.scheme("pangle"))
        #expect(pangle.covers(.transaction) && !pangle.covers(.user) && !pangle.covers(.amount))
        let levelPlay = try #require(BuiltInSchemes.scheme("levelplay"))
        #expect(levelPlay.covers(.user) && levelPlay.covers(.amount) && !levelPlay.covers(.customData))
        let unity = try #require(BuiltInSchemes.scheme("unity_ads"))
        #expect(unity.covers(.user) && unity.covers(.customData))
    }

    @Test("replies are worded as the network wants them")
    func replies() throws {
        let levelPlay = try #require(BuiltInSchemes.scheme("levelplay"))
        #expect(levelPlay.accepted.body { $0 == "transaction" ? "ev1" : nil } == "ev1:OK")
        #expect(levelPlay.duplicate == levelPlay.accepted)
        let pangle = try #require(BuiltInSchemes.scheme("pangle"))
        #expect(pangle.accepted.body { _ in nil } == "{\"isValid\": true}")
        #expect(pangle.refused.body { _ in nil } == "{\"isValid\": false}")
        #expect(BuiltInSchemes.scheme("unity_ads")?.accepted == RewardScheme.Reply(status: 200, body: "1"))
    }

    @Test("Fyber's digest takes its optional parameters in when they are there")
    func fyber() throws {
        let verifier = SchemeVerifier(try #require(BuiltInSchemes.scheme("fyber")), secret: "token")
        for (signed, query) in [
            ("tokenu12t9", "uid=u1&amount=2&_trans_id_=t9"),
            ("tokenu12t9ab", "uid=u1&amount=2&_trans_id_=t9&pub0=a&pub1=b"),
        ] {
            let sid = hexText(Digest.sha1.of(Array(signed.utf8), key: []))
            #expect(try verifier.verify(Array("\(query)&sid=\(sid)".utf8)).transaction == "t9")
            #expect(throws: CallbackFault.self) { try verifier.verify(Array("\(query)&pub2=x&sid=\(sid)".utf8)) }
        }
    }

    @Test(
        "a declaration that protects nothing is refused, with the member at fault",
        arguments: [
            ("{}", "id"),
            ("{\"id\":\"x\",\"fields\":{}}", "fields.transaction"),
            ("{\"id\":\"x\",\"fields\":{\"transaction\":\"t\"}}", "signature.parameter"),
            (
                "{\"id\":\"x\",\"fields\":{\"transaction\":\"t\"},\"signature\":{\"parameter\":\"s\",\"digest\":\"crc32\"}}",
                "signature.digest"
            ),
            (
                "{\"id\":\"x\",\"fields\":{\"transaction\":\"t\"},\"signature\":{\"parameter\":\"s\",\"digest\":\"md5\",\"text\":\"{transaction}\"}}",
                "signature.text"
            ),
            (
                "{\"id\":\"x\",\"fields\":{\"transaction\":\"t\"},\"signature\":{\"parameter\":\"s\",\"digest\":\"md5\",\"text\":\"{secret}\"}}",
                "signature.text"
            ),
            (
                "{\"id\":\"x\",\"fields\":{\"transaction\":\"t\"},\"signature\":{\"parameter\":\"s\",\"digest\":\"md5\",\"sorted\":\"value\"}}",
                "signature.digest"
            ),
        ]
    )
    func badDeclarations(_ text: String, _ path: String) throws {
        let json = try JSONReader.read(text)
        let error = #expect(throws: SchemeError.self) { try RewardScheme(json: json) }
        #expect(error?.path == path)
    }
}
