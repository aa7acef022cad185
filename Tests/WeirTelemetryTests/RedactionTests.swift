import Testing
import WeirTelemetry

@Suite("Redactor and URLRedaction")
struct RedactionTests {
    @Test("the longest secret wins, every occurrence goes, neighbours stay")
    func replacing() {
        let redactor = Redactor()
        #expect(redactor.redact("key-1") == "key-1")
        redactor.register("key-1")
        redactor.register("key-1-long")
        redactor.register("é€ü!")
        #expect(redactor.redact("akey-1-longkey-1b, key-key-1") == "a[redacted][redacted]b, key-[redacted]")
        #expect(redactor.redact("é€ü!é€ü") == "[redacted]é€ü")
        #expect(redactor.redact("x=%C3%A9%E2%82%AC%C3%BC%21") == "x=[redacted]")
        #expect(redactor.redact("") == "")
    }

    @Test("a secret is found as JSON and XML spell it")
    func escaped() {
        let redactor = Redactor()
        redactor.register("a\"b\\c&<d>")
        #expect(redactor.redact(#"{"code":"a\"b\\c&<d>"}"#) == #"{"code":"[redacted]"}"#)
        #expect(redactor.redact(#"<x>a&quot;b\c&amp;&lt;d&gt;</x>"#) == "<x>[redacted]</x>")
    }

    @Test("what is too short to be a secret is not searched for")
    func short() {
        let redactor = Redactor()
        #expect(!redactor.register("abc"))
        #expect(!redactor.register(""))
        #expect(redactor.redact("abcabc") == "abcabc")
        #expect(redactor.register("abcd"))
    }

    @Test("there is a limit to the secrets kept, and known ones still count")
    func limit() {
        let redactor = Redactor()
        var accepted = 0
        for number in 0..<5000 where redactor.register("secret-\(number)-") { accepted += 1 }
        #expect(accepted == 4 * Redactor.limit)
        #expect(redactor.register("secret-0-"))
    }

    @Test(
        "query values, user and fragment of a URL are hidden",
        arguments: [
            ("https://a.example/tag?iu=1&ip=203.0.113.7&flag&=v", "https://a.example/tag?iu=…&ip=…&…&=…"),
            ("https://user:pw@a.example:8443/x", "https://…@a.example:8443/x"),
            ("https://a.example/@b?x=https://c@d/", "https://a.example/@b?x=…"),
            ("//u@h", "//…@h"), ("/path?a=b#c?d", "/path?a=…#…"), ("plain", "plain"), ("", ""), ("?", "?"),
            ("a?b=c?d=e", "a?b=…"), ("https://a/?x=1&&y=", "https://a/?x=…&&y=…"),
        ]
    )
    func urls(_ url: String, _ expected: String) {
        #expect(URLRedaction.redact(url) == expected)
    }
}
