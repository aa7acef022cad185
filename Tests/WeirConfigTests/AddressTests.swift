import Testing

@testable import WeirConfig

@Suite("Addresses")
struct AddressTests {
    @Test(
        "are read and spelled back",
        arguments: [
            "127.0.0.1:8080", "0.0.0.0:0", "localhost:80", "ads.example:65535", "[::1]:8080", "[::]:1",
            "unix:/run/weir.sock",
            "[fd00:1:2:3:4:5:6:7]:1", "[::ffff:10.0.0.1]:1",
        ]
    )
    func spelledBack(_ text: String) {
        #expect(ListenAddress(text)?.description == text)
    }

    @Test(
        "that are none are refused",
        arguments: [
            "", ":", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:+1", "127.0.0.1:-1",
            "256.0.0.1:80", "1.2.3:80", "::1:80", "[::1]", "[::1]80", "[1.2.3.4]:80", "a b:80", "-a:80", "a..b:80",
            "unix:",
            "unix:relative", "unix:/" + String(repeating: "x", count: 107), "unix:/a\0b", "[::1::]:80", "[:1:2]:80",
            "http://a:80",
        ]
    )
    func refused(_ text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test(
        "are known to be reachable from this machine only, or not",
        arguments: [
            ("127.0.0.1:1", true), ("127.8.9.10:1", true), ("localhost:1", true), ("[::1]:1", true), ("unix:/a", true),
            ("0.0.0.0:1", false), ("[::]:1", false), ("10.0.0.1:1", false), ("ads.example:1", false),
            ("127.0.0.1.example:1", false),
        ]
    )
    func loopback(_ text: String, _ expected: Bool) throws {
        #expect(try #require(ListenAddress(text)).isLoopback == expected)
    }

    @Test(
        "and ranges are read",
        arguments: [
            "127.0.0.1", "10.0.0.0/8", "0.0.0.0/0", "1.2.3.4/32", "::", "::1", "fd00::/8", "1::", "1:2:3:4:5:6:7:8",
            "1:2:3:4:5:6:7::", "::ffff:1.2.3.4", "::/128", "2001:DB8::A/64",
        ]
    )
    func range(_ text: String) {
        #expect(IPAddressSyntax.isRange(text))
    }

    @Test(
        "and ranges that are none are refused",
        arguments: [
            "", "/", "localhost", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.4/", "1.2.3.4/33", "1.2.3.4/-1", "::/129",
            ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "::1.2.3", "fe80::1%eth0",
            "1:2:3:4:5:6:7:8::", ":1::", "1.2.3.4/8/8", "1:2:3:4:5:6:7:1.2.3.4",
        ]
    )
    func noRange(_ text: String) {
        #expect(!IPAddressSyntax.isRange(text))
    }

    @Test(
        "of the storage count from the configuration file",
        arguments: [
            ("sqlite:var/weir.db", "config", "sqlite:config/var/weir.db"),
            ("sqlite:var/weir.db", "", "sqlite:var/weir.db"),
            ("sqlite:/var/weir.db", "config", "sqlite:/var/weir.db"),
            ("sqlite:///var/weir.db", "config", "sqlite:/var/weir.db"),
            ("sqlite::memory:", "config", "sqlite::memory:"), ("sqlite:a", "/", "sqlite:/a"),
        ]
    )
    func storage(_ text: String, _ directory: String, _ expected: String) {
        #expect(StorageURL.complaint(about: text) == nil)
        #expect(StorageURL.resolved(text, from: directory) == expected)
    }

    @Test(
        "of a storage that is none are refused",
        arguments: ["", "sqlite:", "sqlite://host/a", "weir.db", "mysql://a"]
    )
    func noStorage(_ text: String) {
        #expect(StorageURL.complaint(about: text)?.code == .badURL)
    }
}
