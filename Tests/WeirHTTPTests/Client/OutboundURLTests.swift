import Testing
import WeirAdapterKit

@testable import WeirHTTP

@Suite("OutboundURL")
struct OutboundURLTests {
    @Test(
        "messages see host and port only",
        arguments: [
            ("http://ads.example", "ads.example:80"), ("https://ads.example/p?q#f", "ads.example:443"),
            ("HTTPS://Ads.Example:8443/", "Ads.Example:8443"), ("http://user:secret@ads.example/", "ads.example:80"),
            ("http://a@b@ads.example?x=@y", "ads.example:80"), ("http://[::1]:81/", "[::1]:81"),
            ("http://[::ffff:127.0.0.1]", "[::ffff:127.0.0.1]:80"), ("http://0x7f.1/", "0x7f.1:80"),
            ("http://localhost./", "localhost.:80"), ("http://ads.example:/", "ads.example:80"),
        ]
    )
    func authority(text: String, authority: String) throws {
        #expect(try OutboundURL(text).authority == authority)
    }

    @Test(
        "other schemes, no host, bad ports and control characters are refused",
        arguments: [
            "", "ads.example/x", "//ads.example/", "ftp://ads.example/", "file:///etc/passwd", "javascript:alert(1)",
            "gopher://127.0.0.1:25/", "http:ads.example", "http:/ads.example", "http://", "http:///x", "http://?q",
            "http://user@/", "http://:80/", "http://a:0/", "http://a:65536/", "http://a:8x/", "http://a:-1/",
            "http://a b/", "http://a\\@b/", "http://[::1/", "http://[::1]x/", "http://a\r\nHost: b/", "http://a/\n",
            "http://a/\u{0}", "http://a/\u{7f}", " http://a/", "http://\(String(repeating: "a", count: 256))/",
        ]
    )
    func refused(text: String) {
        let error = #expect(throws: TransportError.self) { try OutboundURL(text) }
        #expect(error?.kind == .addressRefused)
    }

    @Test("a URL of the greatest length passes, one byte more does not")
    func length() throws {
        let longest = "http://a/" + String(repeating: "x", count: OutboundURL.maxBytes - 9)
        #expect(try OutboundURL(longest).text == longest)
        let error = #expect(throws: TransportError.self) { try OutboundURL(longest + "x") }
        #expect(error?.kind == .tooLarge)
    }

    @Test("blanks and non-ASCII bytes after the host are percent-encoded, the rest stays")
    func encoding() throws {
        #expect(try OutboundURL("http://a/b c?d=\"é\"&[x]|{y}%20").text == "http://a/b%20c?d=%22%C3%A9%22&[x]|{y}%20")
        #expect(try OutboundURL("http://a?<b>").text == "http://a?%3Cb%3E")
    }

    @Test("no refusal repeats what was in the URL")
    func silence() {
        for text in ["ftp://user:secret@host/", "http://user:secret@/", "http://user:secret@a b/"] {
            let error = #expect(throws: TransportError.self) { try OutboundURL(text) }
            #expect(error?.message.contains("secret") == false)
        }
    }
}
