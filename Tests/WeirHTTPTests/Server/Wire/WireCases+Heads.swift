/// Heads: request lines, targets, versions, header lines, hosts.
extension WireCase {
    static let requestLines = [
        WireCase("a GET", "GET /a HTTP/1.1\r\nHost: x\r\n\r\n", [200], .open),
        WireCase("empty lines before the request line", "\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n", [200], .open),
        WireCase("HTTP/1.0", "GET /a HTTP/1.0\r\n\r\n", [200], .closed),
        WireCase("HTTP/1.0 that wants to stay", "GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", [200], .open),
        WireCase("HTTP/1.2 is served as 1.1", "GET /a HTTP/1.2\r\nHost: x\r\n\r\n", [200], .open),
        WireCase("HTTP/1.2 needs a Host, too", "GET /a HTTP/1.2\r\n\r\n", [400], .closed),
        WireCase("the HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [505], .closed),
        WireCase("HTTP/2.0 by name", "GET /a HTTP/2.0\r\nHost: x\r\n\r\n", [505], .closed),
        WireCase("HTTP/0.9 without a version", "GET /a\r\n", [400], .closed),
        WireCase("a version in small letters", "GET /a http/1.1\r\nHost: x\r\n\r\n", [400], .closed),
        WireCase("a version of three digits", "GET /a HTTP/1.10\r\nHost: x\r\n\r\n", [400], .closed),
        WireCase("two spaces before the target", "GET  /a HTTP/1.1\r\nHost: x\r\n\r\n", [400], .closed),
        WireCase("a space behind the version", "GET /a HTTP/1.1 \r\nHost: x\r\n\r\n", [400], .closed),
        WireCase("tabs for spaces", "GET\t/a\tHTTP/1.1\r\nHost: x\r\n\r\n", [400], .closed),
        WireCase("a space before the method", " GET /a HTTP/1.1\r\nHost: x\r\n\r\n", [400], .closed),
        WireCase("a method that is no token", "G(T /a HTTP/1.1\r\nHost: x\r\n\r\n", [400], .closed),
        WireCase("a method that nobody knows", "BREW /a HTTP/1.1\r\nHost: x\r\n\r\n", [501], .closed),
        WireCase("a method in small letters", "get /a HTTP/1.1\r\nHost: x\r\n\r\n", [501], .closed),
        WireCase("a proxy's method", "CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", [501], .closed),
        WireCase("LF only", "GET /a HTTP/1.1\nHost: x\n\n", [400], .closed),
        WireCase("CR only", "GET /a HTTP/1.1\rHost: x\r\r", [400], .closed),
        WireCase("NUL in the target", "GET /a\u{0} HTTP/1.1\r\nHost: x\r\n\r\n", [400], .closed),
        WireCase("a TLS greeting", [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3], [400], .closed),
        WireCase("another protocol", "EHLO mail.example\r\n", [400], .closed),
        WireCase("high bytes", [0xFF, 0xFE, 0x80, 0x81, 13, 10, 13, 10], [400], .closed),
        WireCase("pieces of a request line", "GET /a HT", [200], .open).with {
            $0.then = Array("TP/1.1\r\nHost: x\r\n\r\n".utf8)
        },
    ]

    static let targets = [
        WireCase("absolute form", "GET http://x.example/a?b HTTP/1.1\r\nHost: x.example\r\n\r\n", [200], .open).with {
            $0.holds = "\r\n\r\n/a"
        },
        WireCase("absolute form with another Host", "GET http://y/b HTTP/1.1\r\nHost: x\r\n\r\n", [200], .open).with {
            $0.holds = "\r\n\r\n/b"
        },
        WireCase("absolute form without a Host", "GET http://x/a HTTP/1.1\r\n\r\n", [400], .closed),
        WireCase("absolute form with a user", "GET http://u:p@x/a HTTP/1.1\r\nHost: x\r\n\r\n", [400], .closed),
        WireCase("absolute form of another scheme", "GET ftp://x/a HTTP/1.1\r\nHost: x\r\n\r\n", [400], .closed),
        WireCase("OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", [200], .open),
        WireCase("GET *", "GET * HTTP/1.1\r\nHost: x\r\n\r\n", [400], .closed),
        WireCase("authority form", "GET x:80 HTTP/1.1\r\nHost: x\r\n\r\n", [400], .closed),
        WireCase("a fragment", "GET /a#b HTTP/1.1\r\nHost: x\r\n\r\n", [400], .closed),
        WireCase("a space in the target", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n", [400], .closed),
        WireCase("letters beyond ASCII in the target", "GET /ä HTTP/1.1\r\nHost: x\r\n\r\n", [400], .closed),
    ]

    static let hosts = [
        get("no Host", "A: b", [400], .closed),
        get("two Hosts", "Host: x\r\nHost: x", [400], .closed),
        get("two Hosts that differ", "Host: x\r\nHost: y", [400], .closed),
        get("an empty Host", "Host:", [400], .closed),
        get("a list of Hosts", "Host: x, y", [400], .closed),
        get("a Host with a user", "Host: u@x", [400], .closed),
        get("a Host with a path", "Host: x/a", [400], .closed),
        get("a Host with a port beyond 65535", "Host: x:65536", [400], .closed),
        get("a Host in brackets", "Host: [::1]:80", [200], .open),
        WireCase("HTTP/1.0 with two Hosts", "GET /a HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n", [400], .closed),
    ]

    static let headerLines = [
        get("a folded line", "Host: x\r\nA: b\r\n c", [400], .closed),
        get("a folded line of a tabulator", "Host: x\r\nA: b\r\n\tc", [400], .closed),
        get("a folded first line", " Host: x", [400], .closed),
        get("a space before the colon", "Host : x", [400], .closed),
        get("a tabulator before the colon", "Host: x\r\nA\t: b", [400], .closed),
        get("an empty name", "Host: x\r\n: b", [400], .closed),
        get("a line without a colon", "Host: x\r\nabc", [400], .closed),
        get("a name with a space", "Host: x\r\nA b: c", [400], .closed),
        get("a name with parentheses", "Host: x\r\nA(b): c", [400], .closed),
        get("a name beyond ASCII", "Host: x\r\nÄ: b", [400], .closed),
        get("a value beyond ASCII", "Host: x\r\nA: ä", [200], .open),
        get("NUL in a name", "Host: x\r\nA\u{0}: b", [400], .closed),
        get("NUL in a value", "Host: x\r\nA: b\u{0}c", [400], .closed),
        get("an escape sequence in a value", "Host: x\r\nA: \u{1B}[31m", [400], .closed),
        get("DEL in a value", "Host: x\r\nA: \u{7F}", [400], .closed),
        get("a bare CR in a value", "Host: x\r\nA: b\rContent-Length: 3", [400], .closed),
        get("a bare LF behind a line", "Host: x\nA: b", [400], .closed),
        WireCase("a bare LF at the end", "GET /a HTTP/1.1\r\nHost: x\r\n\n", [400], .closed),
        get("an upgrade to HTTP/2", "Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c", [200], .open),
        get(
            "an upgrade to WebSocket",
            "Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13",
            [200],
            .open
        ),
        get("the client wants to close", "Host: x\r\nConnection: close", [200], .closed),
        get("the client wants to close, in a list", "Host: x\r\nConnection: keep-alive, close", [200], .closed),
    ]

    static let sizes = [
        WireCase("a target without end", "GET /" + String(repeating: "a", count: 20_000), [414], .closed),
        WireCase(
            "a target of 17,000 bytes",
            "GET /" + String(repeating: "a", count: 17_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
            [414],
            .closed
        ),
        get("a header line of 17,000 bytes", "Host: x\r\nA: " + String(repeating: "a", count: 17_000), [431], .closed),
        WireCase(
            "a header line without end",
            "GET / HTTP/1.1\r\nHost: x\r\nA: " + String(repeating: "a", count: 20_000),
            [431],
            .closed
        ),
        get("101 header lines", "Host: x" + String(repeating: "\r\nA: b", count: 100), [431], .closed),
        get("100 header lines", "Host: x" + String(repeating: "\r\nA: b", count: 99), [200], .open),
    ]
}
