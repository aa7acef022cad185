import Testing
import WeirModel
import WeirTime

@testable import WeirRewards

@Suite("PresentationToken")
struct PresentationTokenTests {
    private let key = TokenKey(Array(repeating: 7, count: 32))
    private let token = PresentationToken(
        request: "01JD",
        adUnit: "coins",
        user: "ü 1",
        expires: WallTime(milliseconds: 1_767_225_600_000)
    )

    @Test("a signed token reads back as it was")
    func roundTrip() {
        #expect(PresentationToken(token.signed(by: key), key: key) == token)
    }

    @Test("another key's token is refused")
    func otherKey() {
        #expect(PresentationToken(token.signed(by: TokenKey(Array(repeating: 8, count: 32))), key: key) == nil)
    }

    @Test("a token with any byte changed is refused")
    func tampered() {
        let text = Array(token.signed(by: key).utf8)
        for index in text.indices {
            var changed = text
            changed[index] = changed[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            #expect(PresentationToken(String(decoding: changed, as: UTF8.self), key: key) == nil, "byte \(index)")
        }
    }

    @Test(
        "what is not a token is refused",
        arguments: ["", ".", "a.b", "a.b.c", "é.é", String(repeating: "A", count: 9000)]
    )
    func garbage(_ text: String) {
        #expect(PresentationToken(text, key: key) == nil)
    }

    @Test("HMAC-SHA256 matches RFC 4231 test case 2")
    func knownDigest() {
        let digest = TokenKey(Array("Jefe".utf8) + Array(repeating: 0, count: 60))
            .authenticate(Array("what do ya want for nothing?".utf8))
        // A key shorter than the block is padded with zeros (RFC 2104), so the padded key gives the published digest.
        #expect(
            digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        )
    }

    @Test("base64url round-trips every length and refuses leftover bits")
    func base64() {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
        #expect(Base64URL.decode("AB") == nil)
        #expect(Base64URL.decode("A") == nil)
        #expect(Base64URL.decode("A=") == nil)
    }
}
