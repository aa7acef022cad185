import Glibc
import Testing

@testable import WeirHTTP

@Suite("ListeningSocket")
struct ListeningSocketTests {
    @Test(
        "addresses of the documented forms are read",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1:8080", true), ("localhost:80", "127.0.0.1:80", true),
            ("0.0.0.0:0", "0.0.0.0:0", false), ("[::1]:8080", "[::1]:8080", true), ("[::]:1", "[::]:1", false),
            ("unix:/tmp/a.sock", "unix:/tmp/a.sock", true), ("192.0.2.1:65535", "192.0.2.1:65535", false),
        ]
    )
    func forms(text: String, canonical: String, loopback: Bool) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.text == canonical)
        #expect(address.isLoopback == loopback)
    }

    @Test(
        "anything else is refused in one sentence",
        arguments: [
            "", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:8a", "::1:80",
            "[::1]", "[::g]:1", "example.test:80", "256.0.0.1:80", "unix:", "127.1:80",
            "unix:/" + String(repeating: "a", count: 107),
        ]
    )
    func badForms(text: String) {
        #expect(ListenAddress(text) == nil)
        let failure = #expect(throws: BindFailure.self) { try ListeningSocket.bind(text) }
        #expect(failure?.code == .badAddress)
        #expect(failure?.reason.hasPrefix("\"\(text)\" is not an address") == true)
    }

    @Test("port 0 becomes a real one, and a second program is told that it is taken")
    func inUse() throws {
        for host in ["127.0.0.1", "[::1]"] {
            guard let first = try? ListeningSocket.bind("\(host):0") else { continue }
            #expect(first.port > 0)
            let failure = #expect(throws: BindFailure.self) { try ListeningSocket.bind(first.address.text) }
            #expect(failure?.code == .portInUse)
            #expect(failure?.reason == "\(first.address.text) is already in use by another program.")
            first.close()
            try ListeningSocket.bind(first.address.text).close()
        }
    }

    @Test("several sockets share a port, but not with a stranger's shared one")
    func shared() throws {
        let sockets = try ListeningSocket.bind("127.0.0.1:0", count: 3)
        #expect(sockets.count == 3)
        #expect(Set(sockets.map(\.port)).count == 1)
        let failure = #expect(throws: BindFailure.self) {
            try ListeningSocket.bind(sockets[0].address.text, count: 2)
        }
        #expect(failure?.code == .portInUse)
        for socket in sockets { socket.close() }
    }

    @Test("an address of another machine is refused")
    func foreign() {
        let failure = #expect(throws: BindFailure.self) { try ListeningSocket.bind("192.0.2.1:8080") }
        #expect(failure?.code == .badAddress)
    }

    @Test("a local socket of a dead process is replaced, a living one and a plain file are not")
    func unixSockets() throws {
        let path = "/tmp/weir-test-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
        defer { unlink(path) }
        let first = try ListeningSocket.bind("unix:\(path)")
        let failure = #expect(throws: BindFailure.self) { try ListeningSocket.bind("unix:\(path)") }
        #expect(failure?.code == .portInUse)
        first.close()
        let second = try ListeningSocket.bind("unix:\(path)", count: 2)
        #expect(second.count == 2)
        for socket in second { socket.close() }
        unlink(path)
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: BindFailure.self) { try ListeningSocket.bind("unix:\(path)") }
        #expect(access(path, F_OK) == 0)
    }

    @Test("a directory that is not there is a bad address")
    func missingDirectory() {
        let failure = #expect(throws: BindFailure.self) { try ListeningSocket.bind("unix:/nowhere/at/all.sock") }
        #expect(failure?.code == .badAddress)
    }
}
