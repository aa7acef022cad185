import Testing

@testable import WeirHTTP

@Suite("AddressRange")
struct AddressRangeTests {
    @Test(
        "a range holds its first and last address and not their neighbours",
        arguments: [
            ("10.0.0.0/8", "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"),
            ("100.64.0.0/10", "100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"),
            ("172.16.0.0/12", "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"),
            ("127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.0", "127.0.0.2"),
            ("fc00::/7", "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fbff::", "fe00::"),
            ("::1", "::1", "::1", "::", "::2"),
        ]
    )
    func borders(range: String, first: String, last: String, before: String, after: String) throws {
        let range = try AddressRange(range)
        #expect(range.contains(try #require(IPAddress(first))))
        #expect(range.contains(try #require(IPAddress(last))))
        #expect(!range.contains(try #require(IPAddress(before))))
        #expect(!range.contains(try #require(IPAddress(after))))
    }

    @Test("a prefix of nothing holds its whole family and nothing of the other")
    func everything() throws {
        let v4 = try AddressRange("0.0.0.0/0")
        let v6 = try AddressRange("::/0")
        let one = try #require(IPAddress("8.8.8.8"))
        let other = try #require(IPAddress("2a00::1"))
        #expect(v4.contains(one) && !v4.contains(other))
        #expect(v6.contains(other) && !v6.contains(one))
    }

    @Test(
        "what is wrong with an entry is said in one sentence",
        arguments: [
            ("", "\"\" is not an IP address or a range such as 10.0.0.0/8."),
            ("localhost", "\"localhost\" is not an IP address or a range such as 10.0.0.0/8."),
            ("10.0.0.0/33", "\"10.0.0.0/33\": the prefix of an IPv4 range is a number from 0 to 32."),
            ("10.0.0.0/", "\"10.0.0.0/\": the prefix of an IPv4 range is a number from 0 to 32."),
            ("10.0.0.0/-1", "\"10.0.0.0/-1\": the prefix of an IPv4 range is a number from 0 to 32."),
            ("10.0.0.0/8/8", "\"10.0.0.0/8/8\": the prefix of an IPv4 range is a number from 0 to 32."),
            ("::/129", "\"::/129\": the prefix of an IPv6 range is a number from 0 to 128."),
            ("10.0.0.1/8", "\"10.0.0.1/8\" has bits set behind its prefix; the range is 10.0.0.0/8."),
            ("fe80::1/10", "\"fe80::1/10\" has bits set behind its prefix; the range is fe80::/10."),
        ]
    )
    func errors(text: String, message: String) {
        #expect(throws: AddressRange.ParseError(message: message)) { try AddressRange(text) }
    }

    @Test("a range is written as it is read", arguments: ["10.0.0.0/8", "127.0.0.1", "fd00::/8", "::1", "0.0.0.0/0"])
    func description(text: String) throws {
        #expect(try AddressRange(text).description == text)
    }
}
