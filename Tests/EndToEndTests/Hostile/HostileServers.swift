import Glibc
import WeirTesting
import WeirTime

/// All servers that the table needs.
struct HostileServers: Sendable {
    /// Speaks, or breaks, HTTP as a row says.
    let wire: HostileServer
    /// Accepts and says nothing.
    let silent: HostileServer
    /// Sends the beginning of a TLS record, a byte at a time.
    let drip: HostileServer
    /// Answers whatever comes in plain text.
    let plain: HostileServer
    /// Speaks TLS with a certificate of its own; `nil` without `openssl`.
    let tls: TLSProcess?
    private let closed: Int

    init(_ rows: [HostileCase]) async throws {
        let behaviours = Dictionary(
            rows.compactMap { row in row.behaviour.map { (row.path, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
        wire = try HostileServer { connection, path in
            guard let behaviour = behaviours[path] else { return connection.answer([], status: 404) }
            behaviour(connection, path)
        }
        silent = try HostileServer(reads: false) { connection, _ in connection.readToEnd() }
        drip = try HostileServer(reads: false) { connection, _ in
            // A handshake record of TLS 1.2, 16,000 bytes of it to come.
            connection.write([0x16, 3, 3, 0x3E, 0x80])
            connection.flood("\u{2}", pause: 50)
        }
        plain = try HostileServer(reads: false) { connection, _ in
            connection.write("HTTP/1.1 400 Plain text here\r\nContent-Length: 0\r\n\r\n")
            connection.readToEnd()
        }
        closed = try HostileServer.closedPort()
        tls = try await TLSProcess()
    }

    func stop() {
        for server in [wire, silent, drip, plain] { server.stop() }
        tls?.stop()
    }

    /// The tag with the servers' authorities in it.
    func url(_ tag: String) -> String {
        let ports = [
            ("{wire}", wire.port), ("{silent}", silent.port), ("{drip}", drip.port), ("{plain}", plain.port),
            ("{tls}", tls?.port ?? closed), ("{closed}", closed),
        ]
        let filled = ports.reduce(tag) { $0.replacing($1.0, with: "127.0.0.1:\($1.1)") }
        return filled.replacing("{port}", with: "\(wire.port)")
    }
}

/// `openssl s_server` with a certificate that nobody vouches for.
struct TLSProcess: Sendable {
    private static let program = "/usr/bin/openssl"

    let port: Int
    private let process: WeirProcess
    private let key: TemporaryFile
    private let certificate: TemporaryFile

    /// `nil` where there is no `openssl`.
    init?() async throws {
        guard access(Self.program, X_OK) == 0 else { return nil }
        key = try TemporaryFile("")
        certificate = try TemporaryFile("")
        let making = try WeirProcess(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-keyout", key.path, "-out", certificate.path, "-subj", "/CN=weir test", "-addext",
                "subjectAltName=IP:127.0.0.1",
            ],
            program: Self.program
        )
        guard try await making.waitForExit() == 0 else { return nil }
        port = try HostileServer.closedPort()
        process = try WeirProcess(
            ["s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate.path, "-key", key.path, "-www"],
            program: Self.program
        )
        _ = try await process.waitForLine { $0.contains("ACCEPT") }
    }

    func stop() {
        process.signal(SIGKILL)
        key.remove()
        certificate.remove()
    }
}
