import Testing

@testable import WeirCarriers

@Suite("Declared networks: filters")
struct FilterTests {
    @Test(
        "each filter makes of a value what its name says",
        arguments: [
            ("lower", "Ab-É", "ab-é"), ("upper", "ab-é", "AB-É"), ("cut:3", "abcdef", "abc"), ("cut:9", "abc", "abc"),
            ("first", "video/mp4,video/webm", "video/mp4"), ("first", "one", "one"), ("seconds", "61999", "61"),
            ("shift:2", "1.5", "150"), ("shift:3", "0.0015", "1.5"), ("shift:-2", "150", "1.5"),
            ("shift:2", "0.00", "0"),
            ("date:iso", "1767225599250", "2025-12-31T23:59:59.250Z"), ("date:unix", "1767225599250", "1767225599"),
            ("date:unix_ms", "1767225599250", "1767225599250"),
            ("date:%Y-%m-%d %H:%M:%S", "1767225599250", "2025-12-31 23:59:59"),
            ("date:%d.%m.", "1767225599250", "31.12."),
            ("default:640", "320", "320"), ("default:640", "", "640"), ("map:male=M,female=F", "female", "F"),
            ("map:male=M,*=O", "other", "O"), ("url", "a b&c/é", "a%20b%26c%2F%C3%A9"),
            ("json", "a\"b\\c\n", "a\\\"b\\\\c\\n"),
            ("xml", "<a href=\"x\">'&\u{1}", "&lt;a href=&quot;x&quot;&gt;&#39;&amp; "), ("base64", "f", "Zg=="),
            ("base64", "fo", "Zm8="), ("base64", "foo", "Zm9v"), ("base64", "foobar", "Zm9vYmFy"), ("base64", "", ""),
            ("raw", "a b", "a b"), ("text", "7", "7"),
        ]
    )
    func values(_ spelling: String, _ value: String, _ expected: String) throws {
        #expect(try DeclaredFilter(spelling[...]).apply(to: value) == expected)
    }

    @Test(
        "what cannot be made of a value is missing",
        arguments: [
            ("seconds", "soon"), ("date:iso", "today"), ("map:male=M", "other"), ("seconds", ""), ("shift:2", "much"),
        ]
    )
    func missing(_ spelling: String, _ value: String) throws {
        #expect(try DeclaredFilter(spelling[...]).apply(to: value) == nil)
    }

    @Test("a missing value stays missing, but for its default", arguments: DeclaredFilter.names)
    func absent(_ name: String) throws {
        let arguments = [
            "shift": "shift:2", "cut": "cut:1", "date": "date:iso", "map": "map:a=b,*=c", "default": "default:x",
        ]
        let filter = try DeclaredFilter((arguments[name] ?? name)[...])
        #expect(filter.apply(to: nil) == (name == "default" ? "x" : nil))
    }

    @Test(
        "a filter that cannot be read says what would be right",
        arguments: [
            ("lowr", "names the unknown filter \"lowr\".", "Did you mean \"lower\"?"),
            (
                "sha512", "names the unknown filter \"sha512\".",
                "Known: \(DeclaredFilter.names.joined(separator: ", "))."
            ),
            ("lower:x", "gives the filter lower an argument, and it takes none.", nil),
            ("default", "gives the filter default no argument.", "Write it like {width|default:640}."),
            ("shift:13", "must give shift a number of places from -12 to 12.", nil),
            ("cut:0", "must give cut a length from 1 to 8192.", nil),
            ("cut:x", "must give cut a length from 1 to 8192.", nil),
            ("map:x", "must give map pairs.", "Write it like {user_gender|map:male=M,female=F,*=O}."),
            (
                "date:ISO", "gives date the unknown format \"ISO\".",
                "Write iso, unix, unix_ms, or a pattern such as %Y-%m-%d."
            ),
            ("date:%Q", "gives date the unknown part \"%Q\".", "Known: %Y, %m, %d, %H, %M, %S."),
            ("date:%", "gives date the unknown part \"%\".", "Known: %Y, %m, %d, %H, %M, %S."),
            ("", "names the unknown filter \"\".", nil),
        ] as [(String, String, String?)]
    )
    func unreadable(_ spelling: String, _ message: String, _ hint: String?) {
        let error = #expect(throws: DeclaredFilter.Unreadable.self) { try DeclaredFilter(spelling[...]) }
        #expect(error?.message == message)
        if let hint { #expect(error?.hint == hint) }
    }

    @Test(
        "base64 of both alphabets is decoded, and what is none is refused",
        arguments: [
            ("Zm9vYmFy", "foobar"), ("Zm9v\nYg==", "foob"), ("Zm9vYg", "foob"), ("_-8=", nil), ("Zg==", "f"), ("", ""),
            ("Z", nil), ("Zm9v=YmFy", nil), ("Zm9v!", nil), ("Zg===", nil), ("PDw_Pz8-Pg==", "<<???>>"),
        ] as [(String, String?)]
    )
    func decoded(_ text: String, _ expected: String?) {
        // Bytes that are no UTF-8 are decoded all the same.
        if text == "_-8=" {
            #expect(base64Decoded(text) == [0xFF, 0xEF])
        } else {
            #expect(base64Decoded(text).map { String(decoding: $0, as: UTF8.self) } == expected)
        }
    }

    @Test("percent-encoding is undone, and a stray sign stays")
    func percent() {
        #expect(String(decoding: percentDecoded("a%20b+c%3C%zz%"), as: UTF8.self) == "a b c<%zz%")
    }
}
