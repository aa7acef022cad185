import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirRuntime
import WeirTime

@testable import WeirCarriers

@Suite("ProcessMachine")
struct ProcessMachineTests {
    private let hello = #"{"type":"hello","id":1,"api":1,"version":"2.1","formats":["video"]}"#

    private func machine(_ change: (inout ProcessConfiguration) -> Void = { _ in }) -> ProcessMachine {
        var configuration = ProcessConfiguration(command: ["x"], directory: ".")
        configuration.maxInFlight = 2
        change(&configuration)
        return ProcessMachine(network: "acme", settings: ["a": 1], configuration: configuration, weir: "0")
    }

    private func running() -> ProcessMachine {
        var machine = machine()
        _ = machine.handle(.start)
        _ = machine.say(hello)
        _ = machine.say(#"{"type":"ready","id":2}"#)
        return machine
    }

    @Test("a start launches, says hello and arms the handshake's timer")
    func start() {
        var machine = machine()
        #expect(machine.handle(.start).words == ["launch", "start hello 10000", "send hello 1"])
        #expect(machine.phase == .greeting)
        #expect(machine.handle(.start).words == [])
    }

    @Test("hello is followed by the settings, ready by being ready")
    func handshake() throws {
        var machine = machine()
        _ = machine.handle(.start)
        #expect(machine.say(hello).words == ["cancel hello", "send set_up 2"])
        #expect(machine.phase == .settingUp)
        let ready = machine.say(#"{"type":"ready","id":2,"done":"asked the price list"}"#)
        #expect(ready.words == ["set-up ended well: 2.1 asked the price list"])
        #expect(machine.phase == .running)
        #expect(machine.descriptor?.formats == [.video])
    }

    @Test("another version of the protocol is refused for good, and the process told to go")
    func otherVersion() {
        var machine = machine()
        _ = machine.handle(.start)
        let commands = machine.say(#"{"type":"hello","id":1,"api":2,"version":"9","formats":["video"]}"#).words
        #expect(
            commands == [
                "cancel hello",
                "set-up failed for good: it speaks version 2 of the adapter protocol, this Weir speaks 1",
                "cancel hello", "send tear_down 2", "close input", "start grace 1000",
            ]
        )
        #expect(machine.finish(.exited(0)) == ["over"])
    }

    @Test("who says no hello in time is ended, and it is no crash")
    func noHello() {
        var machine = machine { $0.handshake = .milliseconds(300) }
        _ = machine.handle(.start)
        #expect(
            machine.handle(.timer(.hello)).words
                == ["set-up failed: it did not say hello within 300 ms", "kill", "start rest 250"]
        )
        #expect(machine.finish(.signalled(9)) == ["over"])
    }

    @Test("a program that cannot be started is a failed set-up")
    func noProgram() {
        var machine = machine()
        _ = machine.handle(.start)
        let commands = machine.handle(.startFailed("no such file")).words
        #expect(
            commands == ["cancel hello", "set-up failed: its program cannot be started: no such file", "over"]
        )
        #expect(machine.phase == .over)
    }

    @Test(
        "an ending in the set-up is a crash and a failed set-up, told once",
        arguments: [
            (ChildProcess.Ending.exited(3), "its process exited with code 3"),
            (.signalled(6), "its process was ended by signal 6 (SIGABRT)"),
        ]
    )
    func endsInSetUp(_ ending: ChildProcess.Ending, _ sentence: String) {
        var machine = machine()
        _ = machine.handle(.start)
        _ = machine.say(hello)
        machine.lastWords = "no module named x"
        let told = sentence + "; its last words: no module named x"
        #expect(machine.finish(ending) == ["crashed: " + told, "set-up failed: " + told, "over"])
    }

    @Test("a failed set-up in its own words is no crash; the process is told to go")
    func failed() {
        var machine = machine()
        _ = machine.handle(.start)
        _ = machine.say(hello)
        let commands = machine.say(#"{"type":"failed","id":2,"reason":"no key","retryable":false}"#).words
        #expect(commands.first == "set-up failed for good: no key")
        #expect(commands.contains("send tear_down 3"))
        #expect(machine.finish(.exited(0)) == ["over"])
    }

    @Test("what a set-up wants sent is performed, one batch at a time")
    func setUpRequests() {
        var machine = machine()
        _ = machine.handle(.start)
        _ = machine.say(hello)
        let wants = #"{"type":"requests","id":2,"requests":[{"url":"https://a.example/p"}]}"#
        #expect(machine.say(wants).words == ["perform https://a.example/p"])
        #expect(machine.handle(.replies([])).words == ["send replies 2"])
        #expect(machine.handle(.replies([])).words == [])
        #expect(machine.say(wants).words == ["perform https://a.example/p"])
        #expect(machine.say(wants).words.contains("kill"))
    }

    @Test("progress is passed on while it sets up")
    func progress() {
        var machine = machine()
        _ = machine.handle(.start)
        _ = machine.say(hello)
        let note = #"{"type":"progress","id":2,"waiting_for":"the moon"}"#
        #expect(machine.say(note).words == ["progress: the moon"])
        _ = machine.say(#"{"type":"ready","id":2}"#)
        #expect(machine.say(note).words.first?.hasPrefix("log: answered message 2") == true)
    }

    @Test("nothing is asked before it runs, nor beyond the limit")
    func admission() throws {
        var machine = machine()
        #expect(machine.admit().verdict == "skipped(not_ready)")
        machine = running()
        #expect(machine.admit().verdict == "3")
        #expect(machine.admit().verdict == "4")
        #expect(machine.admit().verdict == "skipped(saturated)")
        _ = machine.handle(.giveUp(id: 3))
        #expect(machine.admit().verdict == "5")
    }

    @Test("an answer wakes whoever asked, once; late, double and unknown ones wake nobody")
    func answers() {
        var machine = running()
        _ = machine.admit()
        _ = machine.admit()
        let outcome = #"{"type":"outcome","id":4,"result":"no_fill","reason":"no_ad"}"#
        #expect(machine.say(outcome).words == ["answer 4"])
        #expect(
            machine.say(outcome).words
                == ["log: answered message 4, which is over: it came too late, or twice"]
        )
        #expect(
            machine.say(#"{"type":"outcome","id":99,"result":"no_fill","reason":"no_ad"}"#).words
                == ["log: answered message 99, which was never sent"]
        )
        #expect(machine.phase == .running)
    }

    @Test("who tells its progress without end is ended")
    func manyWords() {
        var machine = machine()
        _ = machine.handle(.start)
        _ = machine.say(hello)
        let note = #"{"type":"progress","id":2,"waiting_for":"Godot"}"#
        for _ in 1..<ProcessMachine.progressLimit { #expect(machine.say(note).words == ["progress: Godot"]) }
        #expect(machine.say(note).words.contains("kill"))
        #expect(machine.phase == .ending)
    }

    @Test("stray answers fall silent in the log and end the process after a thousand")
    func manyStrays() {
        var machine = running()
        var lines = 0
        for _ in 1..<ProcessMachine.strayLimit {
            lines += machine.say(#"{"type":"ready","id":99}"#).count
        }
        #expect(lines == ProcessMachine.strayLines)
        #expect(machine.say(#"{"type":"ready","id":99}"#).words.contains("kill"))
    }

    @Test(
        "an answer that is wrong costs its attempt, not the process",
        arguments: [
            #"{"type":"outcome","id":3,"result":"perfect"}"#, #"{"type":"outcome","id":3,"result":"fill"}"#,
            #"{"type":"outcome","id":3,"result":"timeout","reason":"deadline"}"#, #"{"type":"requests","id":3}"#,
            #"{"type":"requests","id":3,"requests":[{"url":"file:///etc/passwd"}]}"#, #"{"type":"ready","id":3}"#,
            #"{"type":"error","id":3,"message":"KeyError"}"#, #"{"type":"dance","id":3}"#, #"{"id":3}"#,
            #"{"type":"outcome","id":3,"result":"fill","offers":[{"vast":"\u0000"}]}"#,
            #"{"type":"outcome","id":3,"result":"fill","offers":["#,
        ]
    )
    func wrongAnswer(_ line: String) {
        var machine = running()
        _ = machine.admit()
        #expect(machine.say(line).words == ["answer 3: crash(protocol)"])
        #expect(machine.phase == .running)
    }

    @Test("a line beyond the limit costs the attempt that it names, and the process when it names none")
    func longLine() {
        var machine = running()
        _ = machine.admit()
        let beginning = Array(#"{"type":"outcome","id":3,"result":"fill","offers":["#.utf8)
        #expect(machine.handle(.cutLine(beginning)).words == ["answer 3: crash(protocol)"])
        _ = machine.admit()
        #expect(
            machine.handle(.cutLine(Array("xxxx".utf8))).words
                == ["answer 4: crash(protocol)", "cancel hello", "kill", "start rest 250"]
        )
    }

    @Test("garbage ends the process: attempts are crash(protocol), the reason is told")
    func garbage() {
        var machine = running()
        _ = machine.admit()
        #expect(
            machine.say("Hello, world!").words
                == ["answer 3: crash(protocol)", "cancel hello", "kill", "start rest 250"]
        )
        #expect(machine.say(#"{"type":"ready","id":2}"#).words == [])
        let told = machine.finish(.signalled(9))
        #expect(told.first?.hasPrefix("crashed: its process wrote a line that is no JSON that Weir reads") == true)
        #expect(told.first?.contains("“Hello, world!”") == true)
        #expect(told.last == "over")
    }

    @Test(
        "its end wakes everybody with code or signal, once everything it wrote is read",
        arguments: [
            (ChildProcess.Ending.exited(7), "crash(exit) 7"), (.signalled(11), "crash(signal) 11"),
        ]
    )
    func ends(_ ending: ChildProcess.Ending, _ verdict: String) {
        var machine = running()
        _ = machine.admit()
        _ = machine.admit()
        #expect(machine.handle(.ended(ending)).words == ["start rest 250"])
        #expect(machine.say(#"{"type":"outcome","id":3,"result":"no_fill","reason":"no_ad"}"#).words == ["answer 3"])
        _ = machine.handle(.outputEnded)
        let commands = machine.handle(.errorsEnded).words
        #expect(commands.first == "answer 4: \(verdict)")
        #expect(commands.contains { $0.hasPrefix("crashed: its process") })
        #expect(commands.last == "over")
        #expect(machine.handle(.outputEnded).words == [])
        #expect(machine.admit().verdict == "skipped(not_ready)")
        #expect(machine.admit(isUnderWay: true).verdict == verdict, "a load that it had begun is lost with it")
    }

    @Test("somebody else who holds its pipes holds nobody up")
    func heldPipes() {
        var machine = running()
        _ = machine.handle(.ended(.exited(1)))
        #expect(machine.handle(.timer(.rest)).words.last == "over")
    }

    @Test("who closes his output, or reads no more, and lives on is ended")
    func halfClosed() {
        var machine = running()
        _ = machine.admit()
        #expect(machine.handle(.outputEnded).words == ["start rest 250"])
        #expect(machine.handle(.timer(.rest)).words.contains("kill"))
        machine = running()
        #expect(machine.handle(.inputBroken).words == ["start rest 250"])
        #expect(machine.handle(.timer(.rest)).words.contains("kill"))
        #expect(
            machine.finish(.signalled(9)).first == "crashed: its process reads its standard input no more and was ended"
        )
    }

    @Test("a stop says tear_down, then SIGTERM, then SIGKILL, each after the grace; its end is no crash")
    func stop() {
        var machine = running()
        _ = machine.admit()
        #expect(
            machine.handle(.stop).words == [
                "answer 3: skipped(not_ready)", "cancel hello", "send tear_down 4", "close input", "start grace 1000",
            ]
        )
        #expect(machine.handle(.stop).words == [])
        #expect(machine.handle(.timer(.grace)).words == ["terminate", "start grace 1000"])
        #expect(machine.handle(.timer(.grace)).words == ["kill", "start rest 250"])
        #expect(machine.finish(.signalled(9)) == ["over"])
    }

    @Test("a stop in the set-up ends that set-up, too")
    func stopInSetUp() {
        var machine = machine()
        _ = machine.handle(.start)
        #expect(machine.handle(.stop).words.first == "set-up failed: it was stopped", "nobody waits for its leaving")
        #expect(machine.finish(.exited(0)) == ["over"])
        machine = self.machine()
        #expect(machine.handle(.stop).words == ["over"])
    }

    @Test("the end of the loop is no crash")
    func loopStops() {
        var machine = running()
        _ = machine.admit()
        #expect(machine.finish(.abandoned) == ["answer 3: skipped(not_ready)", "over"])
    }
}

extension ProcessMachine {
    fileprivate mutating func say(_ line: String) -> [Command] { handle(.line(Array(line.utf8))) }

    /// Ends it, both streams included; what is done but timers.
    fileprivate mutating func finish(_ ending: ChildProcess.Ending) -> [String] {
        (handle(.outputEnded) + handle(.errorsEnded) + handle(.ended(ending))).words
            .filter { !$0.hasPrefix("start ") && !$0.hasPrefix("cancel ") }
    }
}

extension Result<Int, AdapterError> {
    fileprivate var verdict: String {
        switch self {
        case .success(let id): "\(id)"
        case .failure(let error): error.outcome.short
        }
    }
}

extension AttemptOutcome {
    fileprivate var short: String {
        "\(result.rawValue)(\(reason.rawValue))" + (networkCode.map { " \($0)" } ?? "")
    }
}

extension [ProcessMachine.Command] {
    /// The commands, each in a few words.
    fileprivate var words: [String] { map(\.words) }
}

extension ProcessMachine.Command {
    fileprivate var words: String {
        switch self {
        case .launch: "launch"
        case .send(let question, let id): "send \(question.type) \(id)"
        case .answer(let id, .success): "answer \(id)"
        case .answer(let id, .failure(let error)): "answer \(id): \(error.outcome.short)"
        case .progress(let note): "progress: \(note.waitingFor ?? note.done ?? "")"
        case .perform(let requests): "perform " + requests.map(\.request.url).joined(separator: " ")
        case .setUpEnded(.success(let ready)): "set-up ended well: \(ready.descriptor.version) \(ready.done ?? "")"
        case .setUpEnded(.failure(let failure)):
            "set-up failed\(failure.isRetryable ? "" : " for good"): \(failure.reason)"
        case .crashed(let failure): "crashed: \(failure.reason)"
        case .log(let line): "log: \(line)"
        case .closeInput: "close input"
        case .signal(let signal): "\(signal)"
        case .start(let timer, let delay): "start \(timer) \(delay.milliseconds)"
        case .cancel(let timer): "cancel \(timer)"
        case .over: "over"
        }
    }
}
