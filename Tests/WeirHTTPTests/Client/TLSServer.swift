import Glibc

/// `openssl s_server` with a certificate of its own for 127.0.0.1, for one test.
struct TLSServer {
    static let program = "/usr/bin/openssl"
    static var isAvailable: Bool { access(program, X_OK) == 0 }

    let port: UInt16
    /// The certificate, which is its own authority.
    let certificate: String
    private let folder: String
    private let process: pid_t
    private let input: Int32

    /// A server that keeps connections, in Python.
    ///
    /// `GET /N` gets N bytes, a POST its own body, and `X-Connection` counts connections.
    private static let keeper = """
        import http.server, itertools, ssl, sys
        counter = itertools.count(1)
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            def setup(self):
                super().setup()
                self.number = next(counter)
            def answer(self, body):
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("X-Connection", str(self.number))
                self.end_headers()
                self.wfile.write(body)
            def do_GET(self):
                self.answer(b"x" * int(self.path[1:]))
            def do_POST(self):
                self.answer(self.rfile.read(int(self.headers["Content-Length"])))
            def log_message(self, *words):
                pass
        server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2], sys.argv[3])
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        server.serve_forever()
        """

    static let python = "/usr/bin/python3"
    static var canKeep: Bool { isAvailable && access(python, X_OK) == 0 }

    /// `nil` when the program does not do its part.
    init?(keepsAlive: Bool = false) {
        var template = Array("/tmp/weir-tls-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.folder = folder
        certificate = "\(folder)/cert.pem"
        let making = Self.spawn(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-keyout", "\(folder)/key.pem", "-out", certificate, "-subj", "/CN=weir test",
                "-addext", "subjectAltName=IP:127.0.0.1",
            ]
        )
        guard let making else { return nil }
        var status: Int32 = 0
        waitpid(making.process, &status, 0)
        close(making.input)
        let port = ScriptedServer.closedPort()
        let serving = Self.spawn(
            keepsAlive
                ? ["-c", Self.keeper, "\(port)", certificate, "\(folder)/key.pem"]
                : [
                    "s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate, "-key", "\(folder)/key.pem",
                    "-www",
                ],
            keepsAlive ? Self.python : Self.program
        )
        guard status == 0, let serving else { return nil }
        process = serving.process
        input = serving.input
        self.port = port
        var tries = 0
        while !Self.accepts(port) && tries < 3000 {
            tries += 1
            usleep(10_000)
        }
    }

    func stop() {
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        close(input)
        for name in ["key.pem", "cert.pem"] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }

    private static func accepts(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func spawn(
        _ arguments: [String],
        _ program: String = Self.program
    ) -> (process: pid_t, input: Int32)? {
        var toChild: [Int32] = [-1, -1]
        guard pipe(&toChild) == 0 else { return nil }
        for end in toChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        var process: pid_t = 0
        let code = posix_spawn(&process, program, &actions, nil, words, [nil])
        posix_spawn_file_actions_destroy(&actions)
        for word in words { free(word) }
        close(toChild[0])
        if code == 0 { return (process, toChild[1]) }
        close(toChild[1])
        return nil
    }
}
