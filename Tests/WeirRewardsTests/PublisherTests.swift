import Testing
import WeirModel
import WeirTime

@testable import WeirRewards

/// Callbacks to the publisher: keys, shape, retries; and the nonce that travels to networks.
@Suite("Publisher callbacks")
struct PublisherTests {
    private let start = WallTime(milliseconds: 1_767_225_600_000)
    private let day = Duration.seconds(86_400)

    @Test("a new key is published for a day before it signs, the old one for eight days after")
    func rotation() throws {
        var ring = try #require(SigningKeyring(at: start))
        let first = try #require(ring.entries.first?.id)
        #expect(ring.signer(at: start)?.id == first, "the very first key signs at once")
        let due = start.advanced(by: day * 90)
        let change1 = ring.rotate(at: due.advanced(by: .milliseconds(-1)), every: day * 90)
        #expect(!change1)
        let change2 = ring.rotate(at: due, every: day * 90)
        #expect(change2)
        let change3 = ring.rotate(at: due, every: day * 90)
        #expect(!change3)
        let second = try #require(ring.entries.last?.id)
        #expect(ring.published.keys.count == 2)
        #expect(ring.signer(at: due.advanced(by: day).advanced(by: .milliseconds(-1)))?.id == first)
        #expect(ring.signer(at: due.advanced(by: day))?.id == second)
        let change4 = ring.rotate(at: due.advanced(by: day * 9).advanced(by: .milliseconds(-1)), every: day * 90)
        #expect(!change4)
        let change5 = ring.rotate(at: due.advanced(by: day * 9), every: day * 90)
        #expect(change5)
        #expect(ring.entries.map(\.id) == [second])
    }

    @Test("a key file reads back as it was, and a damaged one is refused")
    func keyFile() throws {
        let ring = try #require(SigningKeyring(at: start))
        let again = try #require(SigningKeyring(json: ring.json))
        #expect(again.entries.map(\.id) == ring.entries.map(\.id))
        #expect(again.tokenKey.bytes == ring.tokenKey.bytes)
        let signature = try #require(ring.entries.first?.key.sign(Array("x".utf8)))
        #expect(again.entries.first?.key.publicKey.verifies(signature, of: Array("x".utf8)) == true)
        for cut in [0, 10, ring.json.count / 2, ring.json.count - 3] {
            #expect(SigningKeyring(json: Array(ring.json[..<cut])) == nil)
        }
        #expect(SigningKeyring(json: Array("{\"token_key\":\"AAAA\",\"signing_keys\":[]}".utf8)) == nil)
    }

    @Test(
        "what is sent is what AdMob's rules verify, whatever the texts hold",
        arguments: [
            ("a=b&c=%20é\"", "u-1"), ("&signature=x&key_id=1", "u&user_id=2"), ("", "פרס🎁"), ("+ %2B", "a b"),
            (nil, nil),
        ] as [(String?, String?)]
    )
    func shape(_ custom: String?, _ user: String?) throws {
        let ring = try #require(SigningKeyring(at: start))
        let callback = PublisherCallback(
            adNetwork: 7,
            adUnit: "coins",
            customData: custom,
            amount: "0.5",
            item: "gold coins",
            timestamp: start,
            transaction: "ab",
            user: user
        )
        let signer = try #require(ring.signer(at: start))
        let query = try #require(callback.query(signedBy: signer))
        let explanation = SSVExplanation(query, keys: ring.published)
        #expect(explanation.fault == nil, "\(query)")
        let fields = try #require(explanation.parts?.fields)
        #expect(fields["custom_data"] == custom && fields["user_id"] == user)
        #expect(fields["reward_amount"] == "0.5" && fields["reward_item"] == "gold coins")
    }

    @Test("gaps grow with the worst luck, stop at the longest, and end with the day")
    func retries() throws {
        let plan = RetryPlan()
        var gaps: [Duration] = []
        for tries in 1...12 {
            let unlucky = tries % 2 == 0 ? 0.0 : 1.0
            let next = try #require(plan.next(after: tries, granted: start, now: start, jitter: unlucky))
            gaps.append(.milliseconds(next.milliseconds - start.milliseconds))
        }
        #expect(zip(gaps, gaps.dropFirst()).allSatisfy { $0 < $1 })
        let longest = try #require(plan.next(after: 1000, granted: start, now: start, jitter: 1))
        #expect(longest == start.advanced(by: .seconds(4500)))
        let late = start.advanced(by: day)
        #expect(plan.next(after: 30, granted: start, now: late, jitter: 0) == nil)
    }

    @Test("a nonce names its view, is short, and cannot be made or changed by others")
    func nonce() throws {
        let key = TokenKey()
        let nonce = ViewNonce.text("01JDABCDEFGHJKMNPQRSTVWXYZ", key: key)
        #expect(nonce.utf8.count <= 64)
        #expect(ViewNonce.request(nonce, key: key) == "01JDABCDEFGHJKMNPQRSTVWXYZ")
        #expect(ViewNonce.request(nonce, key: TokenKey()) == nil)
        for index in nonce.indices {
            var changed = nonce
            changed.replaceSubrange(index...index, with: nonce[index] == "A" ? "B" : "A")
            #expect(ViewNonce.request(changed, key: key) == nil)
        }
        for text in ["", "w1.", "w1..", "w1.x", String(repeating: "w1.", count: 100)] {
            #expect(ViewNonce.request(text, key: key) == nil)
        }
    }

    @Test("a token holds the whole record of a view")
    func token() throws {
        let key = TokenKey()
        var token = PresentationToken(request: "01JD", adUnit: "coins", user: "ü\u{1F}1", expires: start)
        token.placement = "p"
        token.network = "n"
        token.lineItem = "l"
        token.customData = "a=b&c=%20é\""
        token.reward = Reward(item: "coins", amount: try #require(ExactDecimal("0.5")))
        token.device = "d"
        #expect(PresentationToken(token.signed(by: key), key: key) == token)
        token.customData = ""
        #expect(PresentationToken(token.signed(by: key), key: key)?.customData == "")
        token.customData = nil
        #expect(PresentationToken(token.signed(by: key), key: key)?.customData == nil)
    }
}
