import Testing
import WeirGateway
import WeirModel
import WeirRewards
import WeirStore
import WeirTesting
import WeirTime

/// What server-side verification must survive, numbered as in the list of abuse cases; every fixture is signed here.
@Suite("Reward abuse")
struct AbuseTests {
    /// One attack: its queries, in order, what each is answered, and how many rewards there may be afterwards.
    struct Attack: Sendable, CustomTestStringConvertible {
        typealias Queries = @Sendable (RewardHouse, _ nonce: String) throws -> [String]

        var number: Int
        var name: String
        var answers: [Int]
        var grants: Int
        var reasons: [String]
        var queries: Queries
        var testDescription: String { "\(number) \(name)" }

        init(
            _ number: Int,
            _ name: String,
            answers: [Int],
            grants: Int = 0,
            reasons: [String] = [],
            _ queries: @escaping Queries
        ) {
            self.number = number
            self.name = name
            self.answers = answers
            self.grants = grants
            self.reasons = reasons
            self.queries = queries
        }
    }

    @Test("an attack earns nothing, a genuine callback among it keeps its reward", arguments: attacks)
    func attack(_ attack: Attack) async throws {
        let house = try RewardHouse()
        let nonce = try await house.view("v1")
        var answers: [Int] = []
        for query in try attack.queries(house, nonce) { answers.append(await house.receive(query)?.status ?? 404) }
        #expect(answers == attack.answers)
        #expect(try await house.grants.count == attack.grants)
        for reason in attack.reasons {
            #expect(house.observer.callbacks.contains("refused \(reason)"), "\(house.observer.callbacks)")
        }
        #expect(!answers.contains { $0 >= 500 })
    }

    static let attacks: [Attack] = replays + tamperings + shapes + texts + proxies + signatures + policies

    private static let replays: [Attack] = [
        Attack(1, "a genuine URL is replayed", answers: [200, 200, 200], grants: 1) { house, nonce in
            let query = try house.signed(house.parameters(custom: nonce))
            return [query, query, query]
        },
        Attack(16, "the signature is turned into its twin", answers: [200, 200], grants: 1) { house, nonce in
            let query = try house.signed(house.parameters(custom: nonce))
            return [query, try twin(query)]
        },
        Attack(
            23,
            "a transaction comes again with other content",
            answers: [200, 403],
            grants: 1,
            reasons: ["conflict"]
        ) {
            house,
            nonce in
            [
                try house.signed(house.parameters(custom: nonce)),
                try house.signed(house.parameters(custom: nonce, user: "thief")),
            ]
        },
        Attack(25, "the console's test", answers: [200, 200]) { house, nonce in
            let test = try house.signed(house.parameters(custom: nonce, transaction: "123456789"))
            return [test, test]
        },
    ]

    private static let tamperings: [Attack] = [
        Attack(2, "amount, user, timestamp are changed", answers: [403, 403, 403], reasons: ["bad_signature"]) {
            house,
            nonce in
            let query = try house.signed(house.parameters(custom: nonce))
            return [
                query.replacing("reward_amount=5", with: "reward_amount=9"),
                query.replacing("user_id=u-1", with: "user_id=u-2"),
                query.replacing("timestamp=1", with: "timestamp=2"),
            ]
        },
        Attack(3, "an unknown key id", answers: [403], reasons: ["unknown_key"]) { house, nonce in
            [try house.signed(house.parameters(custom: nonce), id: "42")]
        },
        Attack(4, "key ids that are none", answers: [400, 400, 400, 400, 400], reasons: ["bad_key_id"]) {
            house,
            nonce in
            try ["99999999999999999999999", "-1", "+3335741209", "03335741209", ""].map {
                try house.signed(house.parameters(custom: nonce), id: $0)
            }
        },
        Attack(5, "parameters in another order", answers: [400], reasons: ["bad_order"]) { house, nonce in
            [try house.signed(house.parameters(custom: nonce).reversed())]
        },
    ]

    private static let shapes: [Attack] = [
        Attack(6, "a parameter stands twice", answers: [400], reasons: ["doubled_parameter"]) { house, nonce in
            var parameters = house.parameters(custom: nonce)
            parameters.insert(("reward_amount", "9999"), at: 3)
            return [try house.signed(parameters)]
        },
        Attack(7, "something unsigned is appended or glued", answers: [400, 400, 400]) { house, nonce in
            let query = try house.signed(house.parameters(custom: nonce))
            return [query + "&user_id=thief", query + "&", query + "x"]
        },
        Attack(8, "something unsigned is prepended", answers: [403, 400]) { house, nonce in
            let query = try house.signed(house.parameters(custom: nonce))
            return ["aaa=1&" + query, "user_id=thief&" + query]
        },
        Attack(9, "signature or key id are missing, swapped, doubled", answers: [400, 400, 400, 400, 400]) {
            house,
            nonce in
            let query = try house.signed(house.parameters(custom: nonce))
            let cut = try #require(query.firstRange(of: "&signature="))
            let tail = query[cut.lowerBound...].split(separator: "&")
            let signed = String(query[..<cut.lowerBound])
            return [
                signed, "\(signed)&\(tail[0])", "\(signed)&\(tail[1])", "\(signed)&\(tail[1])&\(tail[0])",
                "\(signed)&\(tail[0])&\(tail[0])&\(tail[1])",
            ]
        },
        Attack(10, "the nonce smuggles an amount past the signature", answers: [400, 200], grants: 1) { house, nonce in
            // Signed as one escaped field; sent with its borders torn down, which has the same signed text.
            let custom = nonce + "&reward_amount=9999"
            let genuine = try house.signed(house.parameters(custom: custom))
            let torn = genuine.replacing("%26reward_amount%3D9999", with: "&reward_amount=9999")
            return [torn, try house.signed(house.parameters(custom: nonce, transaction: "t2"))]
        },
        Attack(11, "signature= and key_id= inside of custom data", answers: [200, 200]) { house, nonce in
            // Genuine, but nobody's: it is not the nonce, and the user is empty.
            [
                try house.signed(house.parameters(custom: "my&signature=abc", user: nil)),
                try house.signed(house.parameters(custom: "&key_id=1&signature=", user: "", transaction: "t2")),
            ]
        },
    ]

    private static let texts: [Attack] = [
        Attack(12, "every script", answers: [200, 200, 200, 200, 200], grants: 5) { house, nonce in
            try ["награда №1", "獎勵🎁", "פרס\u{200F}", "e\u{301}", "a b"].enumerated().map { index, text in
                try house.signed(house.parameters(custom: text, user: "u-" + text, transaction: "t\(index)"))
            }
        },
        Attack(13, "plus, escaped plus, doubled escapes", answers: [200, 200, 200], grants: 3) { house, _ in
            try ["a+b", "a%2Bb", "a%2520b"].enumerated().map { index, raw in
                var parameters = house.parameters(custom: "x", transaction: "t\(index)")
                parameters[2].1 = raw
                return try house.signed(parameters)
            }
        },
        Attack(14, "escapes that are none", answers: [400, 400, 400], reasons: ["bad_escape"]) { house, nonce in
            try ["%zz", "%FF", "%"].map { raw in
                var parameters = house.parameters(custom: nonce)
                parameters[2].1 = raw
                return try house.signed(parameters)
            }
        },
        Attack(15, "a huge query", answers: [200, 414], grants: 1, reasons: ["too_large"]) { house, _ in
            try [8192, 17_000].enumerated().map { index, count in
                try house.signed(
                    house.parameters(custom: String(repeating: "x", count: count), transaction: "t\(index)")
                )
            }
        },
    ]

    private static let proxies: [Attack] = [
        Attack(29, "a proxy that spells escapes otherwise harms nothing", answers: [200], grants: 1) { house, nonce in
            let query = try house.signed(house.parameters(custom: nonce, user: "a:b"))
            return [query.replacing("a%3Ab", with: "a%3ab").replacing("coins", with: "%63oins")]
        },
        Attack(29, "a proxy that decodes forms is found out", answers: [400], reasons: ["doubled_parameter"]) {
            house,
            nonce in
            let query = try house.signed(house.parameters(custom: nonce, user: "a&user_id=b"))
            return [query.replacing("%26", with: "&").replacing("%3D", with: "=")]
        },
    ]

    private static let signatures: [Attack] = [
        Attack(17, "signatures in other forms", answers: [400, 400, 400, 400, 400]) { house, nonce in
            let raw = house.parameters(custom: nonce).map { "\($0)=\($1)" }.joined(separator: "&")
            let der = try #require(house.google.sign(decoded(raw)))
            let zero: [UInt8] = [0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00]
            let forms = [base64URL(der) + "=", base64URL(der + [0]), base64URL(flat(der)), base64URL(zero), ""]
            return forms.map { "\(raw)&signature=\($0)&key_id=\(RewardHouse.keyID)" }
        },
        Attack(24, "another publisher's genuine callback", answers: [403], reasons: ["foreign_ad_unit"]) {
            house,
            nonce in
            [try house.signed(house.parameters(custom: nonce, unit: "1111111111"))]
        },
        Attack(18, "a key on another curve, or none of ours", answers: [403], reasons: ["bad_signature"]) {
            house,
            nonce in
            [try house.signed(house.parameters(custom: nonce), by: PrivateKey())]
        },
    ]

    private static let policies: [Attack] = [
        Attack(21, "timestamps", answers: [200, 200, 403, 403, 200], grants: 3, reasons: ["bad_timestamp"]) {
            house,
            _ in
            let now = house.clock.wallNow.milliseconds
            let day: Int64 = 86_400_000
            return try [now + 300_000, now - 2 * day, now + day, now - 30 * day, now * 1000].enumerated().map {
                try house.signed(house.parameters(transaction: "t\($0)", timestamp: String($1)))
            }
        },
        Attack(24, "item or amount that nobody promised", answers: [403, 403, 403, 403]) { house, nonce in
            try [("7", "coins"), ("5", "gems"), ("-5", "coins"), ("five", "coins")].enumerated().map { index, reward in
                try house.signed(
                    house.parameters(custom: nonce, transaction: "t\(index)", amount: reward.0, item: reward.1)
                )
            }
        },
        Attack(26, "nobody's", answers: [200, 200]) { house, _ in
            [
                try house.signed(house.parameters(user: nil)),
                try house.signed(house.parameters(user: "", transaction: "t2")),
            ]
        },
    ]

    /// (r, n − s): what anybody can make of a signature, and what verifies as well.
    private static func twin(_ query: String) throws -> String {
        let cut = try #require(query.firstRange(of: "&signature="))
        let end = try #require(query.firstRange(of: "&key_id="))
        let raw = String(query[..<cut.lowerBound])
        let text = query[cut.upperBound..<end.lowerBound]
        let der = try #require(bytes(ofBase64URL: String(text)))
        var numbers = integers(der)
        numbers[1] = subtracted(numbers[1], from: order)
        return "\(raw)&signature=\(base64URL(encoded(numbers)))" + query[end.lowerBound...]
    }
}
