import Testing

@testable import WeirHTTP

@Suite("AddressPolicy")
struct AddressPolicyTests {
    @Test(
        "special addresses are refused, each with its name",
        arguments: [
            ("127.0.0.1", SpecialAddress.loopback), ("127.255.255.254", .loopback), ("::1", .loopback),
            ("::ffff:127.0.0.1", .loopback), ("::ffff:7f00:1", .loopback),
            ("10.0.0.1", .privateUse), ("172.16.0.1", .privateUse), ("172.31.255.255", .privateUse),
            ("192.168.1.1", .privateUse), ("fec0::1", .privateUse), ("64:ff9b:1::1", .privateUse),
            ("100.64.0.1", .sharedAddressSpace), ("100.127.255.255", .sharedAddressSpace),
            ("169.254.1.1", .linkLocal), ("fe80::1", .linkLocal), ("febf::1", .linkLocal),
            ("fc00::1", .uniqueLocal), ("fd12:3456::1", .uniqueLocal),
            ("169.254.169.254", .metadata), ("::ffff:169.254.169.254", .metadata), ("fd00:ec2::254", .metadata),
            ("fd20:ce::254", .metadata), ("100.100.100.200", .metadata), ("168.63.129.16", .metadata),
            ("192.0.0.192", .metadata), ("169.254.170.2", .metadata),
            ("0.0.0.0", .unspecified), ("::", .unspecified), ("0.1.2.3", .reserved),
            ("224.0.0.1", .multicast), ("239.255.255.255", .multicast), ("ff02::1", .multicast),
            ("255.255.255.255", .broadcast), ("240.0.0.1", .reserved), ("192.0.0.1", .reserved),
            ("192.88.99.1", .reserved), ("192.0.2.1", .documentation), ("198.51.100.1", .documentation),
            ("203.0.113.1", .documentation), ("2001:db8::1", .documentation), ("3fff::1", .documentation),
            ("198.18.0.1", .benchmarking), ("198.19.255.255", .benchmarking), ("2001:2::1", .benchmarking),
            ("2001:10::1", .reserved), ("2001:20::1", .reserved), ("100::1", .reserved), ("5f00::1", .reserved),
            ("4000::1", .reserved), ("::8.8.8.8", .reserved), ("::ffff:0:8.8.8.8", .reserved),
            ("64:ff9b::127.0.0.1", .loopback), ("2002:0a00:0001::1", .privateUse), ("2002:7f00:1::", .loopback),
            ("2001:0:0808:0808::f5ff:fffe", .privateUse), ("2001:0:a00:1::f7f7:f7f7", .privateUse),
            ("2a00:1450::5efe:192.168.0.1", .privateUse),
        ]
    )
    func refuses(text: String, kind: SpecialAddress) throws {
        #expect(AddressPolicy().refusal(of: try #require(IPAddress(text))) == kind)
    }

    @Test(
        "addresses of the public Internet are allowed",
        arguments: [
            "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
            "128.0.0.1", "169.253.0.1", "169.255.0.1", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255",
            "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700:4700::1111",
            "64:ff9b::8.8.8.8", "2002:0808:0808::1", "::ffff:8.8.8.8",
        ]
    )
    func allows(text: String) throws {
        #expect(AddressPolicy().refusal(of: try #require(IPAddress(text))) == nil)
    }

    @Test("a network's own list opens its ranges and nothing else")
    func list() throws {
        let policy = try AddressPolicy(allowPrivate: ["127.0.0.1", "10.1.0.0/16", "::1"])
        for text in ["127.0.0.1", "::ffff:127.0.0.1", "10.1.255.255", "::1", "8.8.8.8"] {
            #expect(policy.refusal(of: try #require(IPAddress(text))) == nil, "\(text)")
        }
        for text in ["127.0.0.2", "10.2.0.0", "169.254.169.254", "64:ff9b::127.0.0.1", "::2"] {
            #expect(policy.refusal(of: try #require(IPAddress(text))) != nil, "\(text)")
        }
    }

    @Test("a wrong entry is named")
    func wrongEntry() {
        #expect(throws: AddressRange.ParseError.self) { try AddressPolicy(allowPrivate: ["127.0.0.1", "loopback"]) }
    }
}
