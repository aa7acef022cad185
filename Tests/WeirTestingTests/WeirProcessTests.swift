import Testing
import WeirTesting

@Suite("WeirProcess")
struct WeirProcessTests {
    @Test("output is kept by line and by stream, and the exit code is told")
    func output() async throws {
        let process = try shell("echo one; echo two >&2; printf three; exit 7")
        #expect(try await process.waitForExit() == 7)
        #expect(process.output == "one\nthree\n")
        #expect(process.errors == "two\n")
    }

    @Test("a line is waited for, and a signal ends it")
    func signals() async throws {
        let process = try shell("trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.05; done")
        #expect(try await process.waitForLine { $0 == "ready" } == "ready")
        #expect(process.exitCode == nil)
        process.signal(15)
        #expect(try await process.waitForExit() == 3)
        #expect(process.output == "ready\nbye\n")
    }

    @Test("a killed program's code is 128 and the signal")
    func killed() async throws {
        let process = try shell("kill -9 $$")
        #expect(try await process.waitForExit() == 137)
    }

    @Test("a line that never comes is not waited for after the end")
    func noLine() async throws {
        let process = try shell("echo one")
        #expect(try await process.waitForLine { $0 == "two" } == nil)
    }

    @Test("one that outlives the limit is killed")
    func limit() async throws {
        let process = try shell("exec sleep 600")
        #expect(try await process.waitForExit(within: .milliseconds(50)) == nil)
        #expect(try await process.waitForExit() == 137)
    }

    @Test("variables and the folder are passed on")
    func surroundings() async throws {
        let process = try WeirProcess(
            ["-c", "echo $WEIR_TEST; pwd"],
            program: "/bin/sh",
            environment: ["WEIR_TEST": "a b"],
            directory: "/tmp"
        )
        #expect(try await process.waitForExit() == 0)
        #expect(process.output == "a b\n/tmp\n")
    }

    @Test("a program that is not there is refused")
    func missing() {
        #expect(throws: WeirProcess.Failure.self) { try WeirProcess([], program: "/nowhere/weir") }
    }

    private func shell(_ script: String) throws -> WeirProcess {
        try WeirProcess(["-c", script], program: "/bin/sh")
    }
}
