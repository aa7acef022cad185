/// Networks that break HTTP, or use all of it.
extension HostileCase {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n"
    private static let piece = String(repeating: "x", count: 65_536)
    private static let fits = "Content-Length: \(film.count)\r\n\r\n" + String(decoding: film, as: UTF8.self)

    static let sizes = [
        HostileCase("a body of 600 MB, announced", "bad_response(too_large)") { connection, _ in
            connection.write(head + "Content-Length: 629145600\r\n\r\n")
            connection.flood(piece)
        },
        HostileCase("a chunked body without end", "bad_response(too_large)") { connection, _ in
            connection.write(head + "Transfer-Encoding: chunked\r\n\r\n")
            connection.flood("10000\r\n\(piece)\r\n")
        },
        HostileCase("a body that only closing would end", "bad_response(too_large)") { connection, _ in
            connection.write(head + "\r\n")
            connection.flood(piece)
        },
        HostileCase("chunks of one byte without end", "bad_response(too_large)") { connection, _ in
            connection.write(head + "Transfer-Encoding: chunked\r\n\r\n")
            connection.flood(String(repeating: "1\r\nx\r\n", count: 10_000))
        }.with {
            $0.timeout = 5000; $0.longest = 8000
        },
        HostileCase("header lines without end", "bad_response(too_large)") { connection, _ in
            connection.write(head)
            connection.flood(String(repeating: "X-Flood: yes\r\n", count: 1000))
        },
        HostileCase("one header line without end", "bad_response(too_large)") { connection, _ in
            connection.write(head + "X-Flood: ")
            connection.flood(piece)
        },
        HostileCase("a status line without end", "bad_response(too_large)") { connection, _ in
            connection.write("HTTP/1.1 200 ")
            connection.flood(piece)
        },
        HostileCase("2,000 header lines", "bad_response(too_large)") { connection, _ in
            let lines = (0..<2000).map { "X-\($0): \(String(repeating: "z", count: 100))\r\n" }.joined()
            connection.answer(film, lines)
        },
        HostileCase("interim answers without end", "bad_response(too_large)") { connection, _ in
            connection.flood(String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n", count: 1000))
        },
        HostileCase("trailers without end", "bad_response(too_large)") { connection, _ in
            connection.write(head + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n")
            connection.flood(String(repeating: "X-Trailer: yes\r\n", count: 1000))
        },
        HostileCase("a chunk extension without end", "bad_response(too_large)") { connection, _ in
            connection.write(head + "Transfer-Encoding: chunked\r\n\r\n1;")
            connection.flood(piece)
        }.with {
            $0.timeout = 5000; $0.longest = 8000
        },
    ]

    static let encodings = [
        HostileCase("a gzip bomb in a gzip bomb", "bad_response(too_large)") { connection, _ in
            connection.answer(Bombs.nestedGzip, "Content-Encoding: gzip, gzip\r\n")
        },
        HostileCase("a brotli bomb", "bad_response(bad_encoding)") { connection, _ in
            connection.answer(Bombs.brotli, "Content-Encoding: br\r\n")
        },
        HostileCase("twenty encodings", "bad_response(bad_encoding)") { connection, _ in
            let codings = Array(repeating: "gzip", count: 20).joined(separator: ", ")
            connection.answer(Bombs.nestedGzip, "Content-Encoding: \(codings)\r\n")
        },
        HostileCase("an encoding that was not asked for", "bad_response(bad_encoding)") { connection, _ in
            connection.answer([0x28, 0xB5, 0x2F, 0xFD], "Content-Encoding: zstd\r\n")
        },
        HostileCase("gzip that is none", "bad_response(bad_encoding)") { connection, _ in
            connection.answer(film, "Content-Encoding: gzip\r\n")
        },
        HostileCase("gzip that is cut off", "bad_response(bad_vast)") { connection, _ in
            connection.answer(Array(Bombs.nestedGzip.prefix(100)), "Content-Encoding: gzip\r\n")
        },
    ]

    static let times = [
        HostileCase("silence", "timeout(line_timeout)") { connection, _ in connection.readToEnd() }
            .with {
                $0.timeout = 500; $0.longest = 1500
            },
        HostileCase("a head that trickles", "timeout(line_timeout)") { connection, _ in
            connection.write(head + "X-Slow: ")
            connection.flood("x", pause: 50)
        }.with {
            $0.timeout = 500; $0.longest = 1500
        },
        HostileCase("a body that trickles", "timeout(line_timeout)") { connection, _ in
            connection.write(head + "Content-Length: 1000\r\n\r\n")
            connection.flood("x", pause: 50)
        }.with {
            $0.timeout = 500; $0.longest = 1500
        },
        HostileCase("a head and silence", "timeout(line_timeout)") { connection, _ in
            connection.write(head + "Content-Length: 1000\r\n\r\n")
            connection.readToEnd()
        }.with {
            $0.timeout = 500; $0.longest = 1500
        },
        HostileCase("interim answers for ever", "timeout(line_timeout)") { connection, _ in
            connection.flood("HTTP/1.1 102 Processing\r\n\r\n", pause: 50)
        }.with {
            $0.timeout = 500; $0.longest = 1500
        },
    ]

    static let breaks = [
        HostileCase("a reset in place of an answer", "network_error(reset)") { connection, _ in connection.reset() },
        HostileCase("a reset in the body", "network_error(reset)") { connection, _ in
            connection.write(head + "Content-Length: 1000\r\n\r\n<VAST")
            connection.pause(50)
            connection.reset()
        },
        sends("an end in place of an answer", "network_error(reset)", ""),
        sends("a body shorter than it says", "network_error(reset)", head + "Content-Length: 5000\r\n\r\n<VAST/>"),
        sends("chunks without the last", "network_error(reset)", head + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"),
        sends(
            "a chunk size that is no number",
            "network_error(reset)",
            head + "Transfer-Encoding: chunked\r\n\r\nx\r\n"
        ),
        sends(
            "a chunk size beyond 64 bits",
            "network_error(reset)",
            head + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\nx\r\n"
        ),
        sends("a negative length", "network_error(reset)", head + "Content-Length: -5\r\n\r\n<VAST/>"),
        sends("a length that is no number", "network_error(reset)", head + "Content-Length: five\r\n\r\n<VAST/>"),
        sends(
            "a length beyond 64 bits",
            "bad_response(too_large)",
            head + "Content-Length: 99999999999999999999\r\n\r\n<VAST/>"
        ),
        sends("two lengths", "network_error(reset)", head + "Content-Length: 7\r\n" + fits),
        sends("the same length twice", "fill(fill)", head + "Content-Length: \(film.count)\r\n" + fits),
        sends("a body longer than it says", "fill(fill)", head + fits + "<VAST version=\"evil\">"),
        sends("another protocol", "network_error(reset)", "SSH-2.0-OpenSSH_9.2\r\n"),
        sends("HTTP/0.9", "network_error(reset)", film),
        sends("a status of four digits", "network_error(reset)", "HTTP/1.1 2000 OK\r\n" + fits),
        sends("a status beyond 599", "network_error(reset)", "HTTP/1.1 999 No\r\n" + fits),
        sends("NUL in a header", "network_error(reset)", head + "X: a\u{0}b\r\n" + fits),
        sends("a header without a colon", "network_error(reset)", head + "nonsense\r\n" + fits),
        sends("a switch of protocols", "network_error(reset)", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n" + piece),
    ]

    static let redirects = [
        redirect("a redirect to a private address", 302, to: "http://10.0.0.1/"),
        redirect("a redirect to the metadata service", 307, to: "http://169.254.169.254/latest/meta-data/"),
        redirect("a redirect to a file", 301, to: "file:///etc/passwd"),
        redirect("a redirect to another scheme", 308, to: "gopher://127.0.0.1:25/_EHLO"),
        redirect("a redirect to itself", 302, to: "http://{wire}/a-redirect-to-itself"),
        redirect("a redirect to nowhere", 302, to: ""),
    ]

    private static func redirect(_ name: String, _ status: Int, to url: String) -> HostileCase {
        HostileCase(name, "network_error(redirect_refused)") { connection, _ in
            connection.answer([], url.isEmpty ? "" : "Location: \(url)\r\n", status: status)
        }
    }

    static let transportSecurity = [
        HostileCase("a TLS handshake that never begins", "timeout(line_timeout)", tag: "https://{silent}/")
            .with {
                $0.timeout = 500; $0.longest = 1500
            },
        HostileCase("a TLS handshake that trickles", "timeout(line_timeout)", tag: "https://{drip}/")
            .with {
                $0.timeout = 500; $0.longest = 1500
            },
        HostileCase("plain text on a TLS port", "network_error(tls)", tag: "https://{plain}/"),
        HostileCase("a certificate that nobody vouches for", "network_error(tls)", tag: "https://{tls}/"),
        HostileCase("TLS on a plain port", "network_error(reset)", tag: "http://{tls}/"),
        HostileCase("nobody at home", "network_error(connection_refused)", tag: "http://{closed}/"),
        HostileCase("a name that does not exist", "network_error(dns)", tag: "http://nobody.invalid/"),
    ]
}
