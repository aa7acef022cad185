import Glibc
import Testing

@testable import WeirHTTP

@Suite("IPAddress")
struct IPAddressTests {
    @Test(
        "text is read and written in its usual spelling",
        arguments: [
            ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
            ("::1", "::1"), ("::", "::"), ("0:0:0:0:0:0:0:1", "::1"), ("FE80::ABCD", "fe80::abcd"),
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("::ffff:10.1.2.3", "::ffff:10.1.2.3"),
        ]
    )
    func reads(text: String, canonical: String) throws {
        #expect(try #require(IPAddress(text)).description == canonical)
    }

    @Test(
        "what is no plain address is none",
        arguments: [
            "", " ", "localhost", "127.1", "0x7f.0.0.1", "2130706433", "127.0.0.1.", "127.0.0.1 ", "256.0.0.1", "[::1]",
            "fe80::1%eth0", ":::1", "1:2:3:4:5:6:7:8:9", "127.0.0.1\u{0}", "::ffff:127.0.0.256",
            String(repeating: "1", count: 100),
        ]
    )
    func refuses(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("a socket address gives the address that will be connected to")
    func socketAddresses() {
        var v4 = sockaddr_in()
        v4.sin_family = sa_family_t(AF_INET)
        v4.sin_addr.s_addr = UInt32(0x0102_0304).bigEndian
        #expect(withUnsafeBytes(of: v4) { IPAddress(socketAddress: $0) } == IPAddress("1.2.3.4"))
        #expect(withUnsafeBytes(of: v4) { IPAddress(socketAddress: .init(rebasing: $0[..<8])) } == nil)
        var v6 = sockaddr_in6()
        v6.sin6_family = sa_family_t(AF_INET6)
        inet_pton(AF_INET6, "2001:db8::7", &v6.sin6_addr)
        #expect(withUnsafeBytes(of: v6) { IPAddress(socketAddress: $0) } == IPAddress("2001:db8::7"))
        #expect(withUnsafeBytes(of: v6) { IPAddress(socketAddress: .init(rebasing: $0[..<16])) } == nil)
        v6.sin6_family = sa_family_t(AF_UNIX)
        #expect(withUnsafeBytes(of: v6) { IPAddress(socketAddress: $0) } == nil)
    }

    @Test(
        "an IPv4 address inside an IPv6 one is found",
        arguments: [
            ("::ffff:10.1.2.3", ["10.1.2.3"]), ("::10.1.2.3", ["10.1.2.3"]), ("::ffff:0:10.1.2.3", ["10.1.2.3"]),
            ("64:ff9b::10.1.2.3", ["10.1.2.3"]), ("2002:0a01:0203::1", ["10.1.2.3"]),
            ("2001:0:4136:e378:8000:63bf:f5fe:fdfc", ["65.54.227.120", "10.1.2.3"]),
            ("2a00:1450::5efe:10.1.2.3", ["10.1.2.3"]), ("2a00:1450::200:5efe:10.1.2.3", ["10.1.2.3"]),
            ("::1", []), ("::", []), ("2a00:1450::1", []), ("10.1.2.3", []),
        ]
    )
    func embedded(text: String, inside: [String]) throws {
        #expect(try #require(IPAddress(text)).embeddedIPv4.map(\.description) == inside)
    }

    @Test("a mapped address is the IPv4 address, others stay what they are")
    func unmapped() {
        #expect(IPAddress("::ffff:127.0.0.1")?.unmapped == IPAddress("127.0.0.1"))
        #expect(IPAddress("64:ff9b::7f00:1")?.unmapped == IPAddress("64:ff9b::7f00:1"))
    }
}
