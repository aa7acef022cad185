/// Tags and wrappers that lead inside.
extension HostileCase {
    /// No spelling of an internal address is reached, by a network that may not.
    static let spellings = [
        "127.0.0.1", "127.1", "127.0.1", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "0177.0.0.1",
        "localhost", "LOCALHOST", "localhost.", "a.localhost", "%31%32%37.0.0.1", "[::1]", "[::]", "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::a00:1]", "[2002:7f00:1::]", "0.0.0.0",
        "0", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1", "169.254.169.254", "[fd00:ec2::254]", "[fc00::1]",
        "[fe80::1]", "[ff02::1]", "224.0.0.1", "255.255.255.255", "user:word@127.0.0.1", "ads.example@127.0.0.1",
    ].map { host in
        HostileCase("the address \(host)", "network_error(address_refused)", tag: "http://\(host):{port}/inside").with {
            $0.allowed = []
            // Some systems know no name with a dot at its end, and none below localhost.
            $0.requests = 0
        }
    }

    /// Wrappers that a network which may reach 127.0.0.1 uses to go elsewhere.
    static let wrappers = [
        wrapper("a wrapper to a private address", "rejected(wrapper_failed)", to: "http://10.0.0.1/"),
        wrapper("a wrapper to the metadata service", "rejected(wrapper_failed)", to: "http://169.254.169.254/latest/"),
        wrapper("a wrapper to the IPv6 loopback", "rejected(wrapper_failed)", to: "http://[::1]:{port}/inside"),
        wrapper("a wrapper to a file", "rejected(wrapper_failed)", to: "file:///etc/passwd"),
        wrapper("a wrapper to FTP", "rejected(wrapper_failed)", to: "ftp://127.0.0.1/"),
        wrapper("a wrapper to a script", "rejected(wrapper_failed)", to: "javascript:alert(1)"),
        wrapper("a wrapper to port 0", "rejected(wrapper_failed)", to: "http://127.0.0.1:0/"),
        wrapper("a wrapper to port 65536", "rejected(wrapper_failed)", to: "http://127.0.0.1:65536/"),
        wrapper("a wrapper to a negative port", "rejected(wrapper_failed)", to: "http://127.0.0.1:-1/"),
        wrapper("a wrapper with a backslash", "rejected(wrapper_failed)", to: "http://127.0.0.1\\@ads.example/"),
        wrapper("a wrapper with a control character", "rejected(wrapper_failed)", to: "http://127.0.0.1:{port}/a\tb")
            .with { $0.requests = 2 },
        wrapper(
            "a wrapper of 20,000 bytes",
            "rejected(wrapper_failed)",
            to: "http://{wire}/long?" + String(repeating: "a", count: 20_000)
        ),
        wrapper("a wrapper to a trickle", "timeout(line_timeout)", to: "http://{wire}/a-body-that-trickles")
            .with {
                $0.timeout = 500; $0.longest = 1500; $0.requests = 2
            },
        wrapper("a wrapper to a flood", "rejected(wrapper_failed)", to: "http://{wire}/a-chunked-body-without-end")
            .with { $0.requests = 2 },
        HostileCase("a wrapper to itself", "rejected(wrapper_limit)") { connection, path in
            connection.answer(Array(wrapped("http://{wire}\(path)").utf8))
        }.with { $0.requests = 6 },
        HostileCase("a chain of wrappers that never ends", "rejected(wrapper_limit)") { connection, path in
            connection.answer(Array(wrapped("http://{wire}\(path)?\(UInt32.random(in: 0 ... .max))").utf8))
        }.with { $0.requests = 6 },
        HostileCase("500 wrappers in each document", "rejected(wrapper_limit)") { connection, path in
            let pod = (0..<500).map { number in
                "<Ad><Wrapper><AdSystem/><VASTAdTagURI>http://{wire}\(path)?\(number)-\(UInt32.random(in: 0 ... .max))"
                    + "</VASTAdTagURI></Wrapper></Ad>"
            }
            connection.answer(Array("<VAST version=\"4.2\">\(pod.joined())</VAST>".utf8))
        }.with {
            $0.timeout = 5000; $0.longest = 7000; $0.requests = 101; $0.growth = 40_960
        },
    ]

    /// Documents that want more than they may have.
    static let documents = [
        document(
            "entities that multiply",
            "bad_response(bad_vast)",
            "<!DOCTYPE VAST [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>"
                + "<VAST version=\"4.2\"><Ad id=\"&b;\"/></VAST>"
        ),
        document(
            "an entity that reads a file",
            "bad_response(bad_vast)",
            "<!DOCTYPE VAST [<!ENTITY f SYSTEM \"file:///etc/passwd\">]><VAST version=\"4.2\"><Ad id=\"&f;\"/></VAST>"
        ),
        document(
            "100,000 elements in one another",
            "bad_response(bad_vast)",
            "<VAST version=\"4.2\">" + String(repeating: "<x>", count: 100_000)
        ),
        document("NUL in a document", "no_fill(empty_vast)", "<VAST version=\"4.2\">\u{0}</VAST>"),
        document("a page", "bad_response(bad_vast)", "<!DOCTYPE html><html><body>Welcome to our WiFi!</body></html>"),
        HostileCase("a picture", "bad_response(wrong_content_type)") { connection, _ in
            connection.answer([0x89, 0x50, 0x4E, 0x47], "Content-Type: image/png\r\n")
        },
        HostileCase("100,000 objects in one another", "bad_response(bad_json)") { connection, _ in
            connection.answer(
                Array(String(repeating: "{\"ad\":", count: 100_000).utf8),
                "Content-Type: application/json\r\n"
            )
        }.with { $0.adapter = "rewarded" },
    ]
}
