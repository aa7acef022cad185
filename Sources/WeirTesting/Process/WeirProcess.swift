internal import Glibc
internal import WeirTime

/// A program that a test starts, watches and ends; usually the built `weir`.
///
/// ```swift
/// let weir = try WeirProcess(["serve", "--config", path])
/// #expect(try await weir.waitForLine { $0.contains("listening") } != nil)
/// weir.signal(SIGTERM)
/// #expect(try await weir.waitForExit() == 0)
/// ```
public final class WeirProcess: Sendable {
    /// A program that could not be started.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// Which, and why.
        public var description: String
    }

    /// One line of output.
    public struct Line: Sendable, Hashable {
        /// Whether it came on the standard error.
        public var isError: Bool
        /// The text without the line break.
        public var text: String
    }

    private struct State {
        var lines: [Line] = []
        var openPipes = 2
        var status: Int32?
    }

    /// The most lines kept; a program that prints more is stuck in a loop.
    private static let lineCount = 100_000

    /// One child at a time: a pipe that another child inherits would never end.
    private static let spawning = Lock(())

    /// The process id.
    public let id: Int32
    private let state = Lock(State())

    /// The path of the running program.
    public static var own: String {
        var path = [CChar](repeating: 0, count: 4096)
        let count = max(0, readlink("/proc/self/exe", &path, path.count - 1))
        return String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The program beside the running test executable, or what the variable `WEIR_BINARY` names.
    public static var binary: String {
        if let named = getenv("WEIR_BINARY") { return String(cString: named) }
        let own = own
        return own[..<(own.lastIndex(of: "/") ?? own.startIndex)] + "/weir"
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: What follows the program's name.
    ///   - program: Its path.
    ///   - environment: Variables beside those of this process.
    ///   - directory: Where it runs; `nil` is here.
    /// - Throws: ``Failure``.
    public init(
        _ arguments: [String],
        program: String = WeirProcess.binary,
        environment: [String: String] = [:],
        directory: String? = nil
    ) throws {
        let arguments = [program] + arguments
        // The shell changes the folder and becomes the program; the id stays the same.
        let command = directory.map { ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", $0] + arguments } ?? arguments
        let child = try Self.spawning.withLock { _ in try Child(command, Self.variables(environment)) }
        id = child.id
        let (output, error) = (child.output, child.error)
        detachThread { [self] in collect(output, isError: false) }
        detachThread { [self] in collect(error, isError: true) }
        detachThread { [self] in reap() }
    }

    /// Everything printed so far.
    public var lines: [Line] { state.withLock { $0.lines } }

    /// What was printed on the standard output.
    public var output: String { text(isError: false) }

    /// What was printed on the standard error.
    public var errors: String { text(isError: true) }

    /// The exit code, once it has ended: 128 and the signal's number when a signal ended it.
    public var exitCode: Int32? {
        state.withLock { state in
            guard let status = state.status, state.openPipes == 0 else { return nil }
            let signal = status & 0x7F
            return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        }
    }

    /// Sends a signal, unless it has ended.
    public func signal(_ number: Int32) {
        state.withLock { state in
            // Not reaped yet: the id cannot be anybody else's.
            if state.status == nil { _ = kill(id, number) }
        }
    }

    /// Waits for a line, those already printed among them.
    ///
    /// - Returns: The first that fits; `nil` when none came within `limit` or before the end.
    public func waitForLine(
        within limit: Duration = .seconds(20),
        _ fits: @Sendable (String) -> Bool
    ) async throws -> String? {
        var seen = 0
        return try await poll(limit) { () -> String?? in
            let hasEnded = exitCode != nil
            let lines = lines
            defer { seen = lines.count }
            if let line = lines[seen...].first(where: { fits($0.text) }) { return .some(line.text) }
            return hasEnded ? .some(nil) : nil
        } ?? nil
    }

    /// Waits for the end.
    ///
    /// - Returns: The exit code; `nil` when it still runs after `limit`, and then it is killed.
    public func waitForExit(within limit: Duration = .seconds(20)) async throws -> Int32? {
        if let code = try await poll(limit, { exitCode }) { return code }
        signal(SIGKILL)
        return nil
    }

    private func poll<Value>(_ limit: Duration, _ look: () -> Value?) async throws -> Value? {
        let clock = SystemClock()
        let deadline = Deadline.after(limit, clock: clock)
        while true {
            if let value = look() { return value }
            if deadline.hasPassed(clock) { return nil }
            try await clock.sleep(for: .milliseconds(5))
        }
    }

    private func text(isError: Bool) -> String {
        lines.filter { $0.isError == isError }.map { $0.text + "\n" }.joined()
    }

    private func collect(_ descriptor: Int32, isError: Bool) {
        var rest: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count <= 0 { break }
            rest += piece[..<count]
            while let end = rest.firstIndex(of: 0x0A) {
                keep(rest[..<end], isError)
                rest.removeSubrange(...end)
            }
        }
        if !rest.isEmpty { keep(rest[...], isError) }
        close(descriptor)
        state.withLock { $0.openPipes -= 1 }
    }

    private func keep(_ line: ArraySlice<UInt8>, _ isError: Bool) {
        let text = String(decoding: line, as: UTF8.self)
        state.withLock { state in
            if state.lines.count < Self.lineCount { state.lines.append(Line(isError: isError, text: text)) }
        }
    }

    private func reap() {
        // Waits without reaping first, so that `signal` never meets a number that is somebody else's by now.
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        state.withLock { state in
            var status: Int32 = 0
            while waitpid(id, &status, 0) < 0, errno == EINTR {}
            state.status = status
        }
    }

    private static func variables(_ extra: [String: String]) -> [String] {
        var variables: [String] = []
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if extra[String(text.prefix { $0 != "=" })] == nil { variables.append(text) }
            next += 1
        }
        return variables + extra.map { "\($0.key)=\($0.value)" }
    }
}

/// A program that has just been started, and the ends of its output that are read.
private struct Child {
    let id: pid_t
    let output: Int32
    let error: Int32

    init(_ command: [String], _ variables: [String]) throws {
        let output = try Pipe()
        let error = try Pipe()
        defer {
            close(output.write)
            close(error.write)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output.write, 1)
        posix_spawn_file_actions_adddup2(&actions, error.write, 2)
        var pid = pid_t()
        let code = withStrings(command) { argv in
            withStrings(variables) { posix_spawn(&pid, command[0], &actions, nil, argv, $0) }
        }
        guard code == 0 else {
            close(output.read)
            close(error.read)
            throw WeirProcess.Failure(description: "\(command[0]): \(String(cString: strerror(code)))")
        }
        id = pid
        self.output = output.read
        self.error = error.read
    }
}

/// Both ends of a pipe, which no other program inherits.
private struct Pipe {
    let read: Int32
    let write: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw WeirProcess.Failure(description: "pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (read, write) = (ends[0], ends[1])
    }
}

/// Lends texts as a list of C strings that ends with a null.
private func withStrings<Result>(
    _ texts: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { buffer in
        // An array is never empty here: it ends with the null.
        buffer.baseAddress.map(body) ?? body(copies)
    }
}
