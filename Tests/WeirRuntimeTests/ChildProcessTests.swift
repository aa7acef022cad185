import Glibc
import Testing
import WeirTime

@testable import WeirRuntime

@Suite("ChildProcess")
struct ChildProcessTests {
    private func withChild<Value: Sendable>(
        _ command: ChildProcess.Command,
        _ body: @Sendable (ChildProcess) async throws -> Value
    ) async throws -> Value {
        try await withLoop { loop in
            try await loop.perform { () async throws -> Value in
                try await body(try ChildProcess(loop: loop, command: command))
            }
        }
    }

    private func shell(_ script: String) -> ChildProcess.Command { ChildProcess.Command("sh", ["-c", script]) }

    private func line(_ reader: PipeReader) async throws -> String? {
        try await reader.nextLine().map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("what is written comes back line by line, and the end of input ends it")
    func echo() async throws {
        try await withChild(ChildProcess.Command("cat")) { (child) async throws -> Void in
            for number in 0..<100 {
                try await child.input.write(Array("line \(number)\n".utf8))
                #expect(try await line(child.output) == "line \(number)")
            }
            try await child.input.write(Array("rest".utf8))
            child.input.finish()
            #expect(try await line(child.output) == "rest")
            #expect(try await child.output.nextLine() == nil)
            #expect(try await child.waitForEnding() == .exited(0))
        }
    }

    @Test("its code, or the signal that ended it, is told")
    func endings() async throws {
        try await withChild(shell("exit 7")) { (child) async throws -> Void in
            #expect(try await child.waitForEnding() == .exited(7))
            #expect(try await child.waitForEnding() == .exited(7))
        }
        try await withChild(shell("kill -9 $$")) { (child) async throws -> Void in
            #expect(try await child.waitForEnding() == .signalled(9))
        }
    }

    @Test("standard error is a stream of its own")
    func errors() async throws {
        try await withChild(shell("echo out; echo err >&2")) { (child) async throws -> Void in
            #expect(try await line(child.errors) == "err")
            #expect(try await line(child.output) == "out")
        }
    }

    @Test("environment and directory are the command's")
    func surroundings() async throws {
        let command = ChildProcess.Command(
            "/bin/sh",
            ["-c", "echo $A; pwd; echo ${HOME-none}"],
            environment: ["A=b c"],
            directory: "/tmp"
        )
        try await withChild(command) { (child) async throws -> Void in
            #expect(try await line(child.output) == "b c")
            #expect(try await line(child.output) == "/tmp")
            #expect(try await line(child.output) == "none")
        }
    }

    @Test("a program that is not there, or may not run, is refused in a sentence")
    func missing() async throws {
        try await withLoop { loop in
            await loop.perform { () async -> Void in
                let absent = #expect(throws: RuntimeFailure.self) {
                    _ = try ChildProcess(loop: loop, command: ChildProcess.Command("/nowhere/at-all"))
                }
                #expect(absent?.reason == "starting /nowhere/at-all failed: no such file or directory.")
                #expect(throws: RuntimeFailure.self) {
                    _ = try ChildProcess(loop: loop, command: ChildProcess.Command("/etc/passwd"))
                }
            }
        }
    }

    @Test("output that nobody reads holds the child back")
    func backPressure() async throws {
        var command = shell("head -c 50000000 /dev/zero; echo done >&2")
        command.bufferBytes = 10000
        try await withChild(command) { (child) async throws -> Void in
            let early = await race(until: .after(.milliseconds(100), clock: RuntimeClock()), clock: RuntimeClock()) {
                (try? await child.errors.nextLine()) ?? nil
            }
            #expect(early == .none)
            var count = 0
            while let bytes = try await child.output.next() {
                #expect(bytes.count <= 10000 + EventLoop.receiveBytes)
                count += bytes.count
            }
            #expect(count == 50_000_000)
            #expect(try await line(child.errors) == "done")
        }
    }

    @Test("a line without end is refused at the limit")
    func endlessLine() async throws {
        var command = shell("cat /dev/zero")
        command.bufferBytes = 100_000
        try await withChild(command) { (child) async throws -> Void in
            await #expect(throws: LineTooLong(limit: 100_000)) { try await child.output.nextLine() }
            await #expect(throws: LineTooLong(limit: 100_000)) { try await child.output.nextLine() }
        }
    }

    @Test("writing to a child that has gone fails instead of killing the gateway")
    func writeToDead() async throws {
        try await withChild(shell("exit 0")) { (child) async throws -> Void in
            _ = try await child.waitForEnding()
            await #expect(throws: RuntimeFailure.self) {
                for _ in 0..<100 { try await child.input.write([UInt8](repeating: 1, count: 65536)) }
            }
        }
    }

    @Test("a child that does not read makes the writer wait, and its end wakes him")
    func writerWaits() async throws {
        try await withChild(shell("sleep 600")) { (child) async throws -> Void in
            let killer = Task {
                try await RuntimeClock().sleep(for: .milliseconds(50))
                child.send(signal: SIGKILL)
            }
            await #expect(throws: RuntimeFailure.self) {
                for _ in 0..<100 { try await child.input.write([UInt8](repeating: 1, count: 65536)) }
            }
            try await killer.value
        }
    }

    @Test("a cancelled reader, writer or waiter wakes with CancellationError")
    func cancellation() async throws {
        try await withChild(shell("sleep 600")) { (child) async throws -> Void in
            let reader = Task { try await child.output.nextLine() }
            let waiter = Task { try await child.waitForEnding() }
            await Task.yield()
            reader.cancel()
            waiter.cancel()
            await #expect(throws: CancellationError.self) { try await reader.value }
            await #expect(throws: CancellationError.self) { try await waiter.value }
        }
    }

    @Test("terminate is polite first and firm afterwards")
    func terminate() async throws {
        try await withChild(shell("trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.01; done")) {
            (child) async throws -> Void in
            #expect(try await line(child.output) == "ready")
            #expect(try await child.terminate(grace: .seconds(20), clock: RuntimeClock()) == .exited(3))
            #expect(try await line(child.output) == "bye")
        }
        try await withChild(shell("trap '' TERM; echo ready; while :; do sleep 0.01; done")) {
            (child) async throws -> Void in
            #expect(try await line(child.output) == "ready")
            #expect(try await child.terminate(grace: .milliseconds(50), clock: RuntimeClock()) == .signalled(9))
        }
    }

    @Test("a child that is let go is killed, with its own children")
    func letGo() async throws {
        try await withLoop { loop in
            let numbers = try await loop.perform { () async throws -> [Int32] in
                let child = try ChildProcess(loop: loop, command: shell("sleep 600 & echo $!; wait"))
                let grandchild = Int32(try await line(child.output) ?? "") ?? 0
                return [child.processID, grandchild]
            }
            #expect(!numbers.contains(0))
            for number in numbers { #expect(await isGone(number)) }
        }
    }

    @Test("stopping the loop kills what is left, and leaves no zombie")
    func stop() async throws {
        let kept = Kept()
        let number = try await withLoop { loop in
            try await loop.perform { () async throws -> Int32 in
                let child = try ChildProcess(loop: loop, command: shell("sleep 600"))
                kept.children.withLock { $0.append(child) }
                return child.processID
            }
        }
        #expect(kill(number, 0) != 0 && errno == ESRCH)
        let child = kept.children.withLock { $0[0] }
        #expect(try await child.waitForEnding() == .abandoned)
        #expect(try await child.output.nextLine() == nil)
    }

    /// Whether the process ends soon; one that was killed and not reaped counts as gone.
    private func isGone(_ number: Int32) async -> Bool {
        for _ in 0..<400 {
            if kill(number, 0) != 0 || state(number) == "Z" { return true }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return false
    }

    private func state(_ number: Int32) -> String {
        guard let file = fopen("/proc/\(number)/stat", "r") else { return "" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return "" }
        let text = String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.split(separator: ")").last.flatMap { $0.split(separator: " ").first }.map(String.init) ?? ""
    }
}

private final class Kept: Sendable {
    let children = Lock<[ChildProcess]>([])
}
