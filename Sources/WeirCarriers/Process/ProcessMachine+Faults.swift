internal import WeirAdapterKit
internal import WeirModel
internal import WeirRuntime
internal import WeirTime

// MARK: What should not happen

extension ProcessMachine {
    /// A verdict on one attempt whose answer broke the protocol.
    func broken(_ message: String) -> AdapterError { AdapterError(.crash, .protocol, message) }

    /// An answer that nobody waits for: late, given twice, or to a message that was never sent.
    mutating func stray(_ id: Int) -> [Command] {
        strays += 1
        if strays >= Self.strayLimit { return breakOff("wrote \(strays) answers that nobody waits for") }
        guard strays <= Self.strayLines else { return [] }
        let why = id > lastID || id < 1 ? "which was never sent" : "which is over: it came too late, or twice"
        return [.log("answered message \(id), \(why)")]
    }

    /// A line that is no message costs the attempt it belongs to; one that belongs to none costs the process.
    mutating func misread(_ fault: AdapterAnswer.Fault, _ line: [UInt8]) -> [Command] {
        if let id = fault.id, waiting.contains(id) {
            waiting.remove(id)
            let stop = fault.reason.last.map { ".?".contains($0) } ?? false ? "" : "."
            return [.answer(id: id, .failure(broken("A line of the adapter of \(network) \(fault.reason)\(stop)")))]
        }
        if let id = fault.id, id != stepID || phase == .running { return stray(id) }
        return breakOff("wrote a line that \(fault.reason): \(Self.glimpse(line))")
    }

    mutating func readCut(_ beginning: [UInt8]) -> [Command] {
        if phase == .ending || phase == .over || phase == .idle { return [] }
        let reason = "is longer than \(configuration.maxFrameBytes) bytes"
        return misread(AdapterAnswer.Fault(id: AdapterAnswer.looseID(beginning), reason: reason), beginning)
    }

    /// The beginning of a line, for a person who wonders what it was.
    private static func glimpse(_ line: [UInt8]) -> String {
        let text = String(decoding: line.prefix(80), as: UTF8.self).unicodeScalars.map { scalar -> Character in
            scalar.properties.generalCategory == .control ? " " : Character(scalar)
        }
        return "“\(String(text))”" + (line.count > 80 ? "…" : "")
    }

    /// Ends a process whose word cannot be relied on any more; whoever waits for it waits no longer.
    mutating func breakOff(_ what: String) -> [Command] {
        guard phase != .ending, phase != .over else { return [] }
        if phase == .leaving { return [.signal(.kill)] }
        fault = what
        phase = .ending
        let error = broken("The process of \(network) \(what).")
        return release(error) + [.cancel(.hello), .signal(.kill), .start(.rest, after: Self.rest)]
    }

    /// Answers everybody who waits.
    private mutating func release(_ error: AdapterError) -> [Command] {
        defer { waiting = [] }
        return waiting.sorted().map { .answer(id: $0, .failure(error)) }
    }

    mutating func inputBroken() -> [Command] {
        // A process that ends breaks its pipe as well; the ending tells more.
        guard phase == .greeting || phase == .settingUp || phase == .running else { return [] }
        return [.start(.rest, after: Self.rest)]
    }
}

// MARK: The end

extension ProcessMachine {
    mutating func outputEnded() -> [Command] {
        guard phase != .over, phase != .idle, !hasOutputEnded else { return [] }
        hasOutputEnded = true
        return finishOrWait()
    }

    mutating func errorsEnded() -> [Command] {
        haveErrorsEnded = true
        return ending != nil && phase != .over ? finishOrWait() : []
    }

    mutating func ended(_ ending: ChildProcess.Ending) -> [Command] {
        guard phase != .over, self.ending == nil else { return [] }
        self.ending = ending
        return finishOrWait()
    }

    /// What it wrote before its end is still read, but not for ever: somebody else may hold its pipes.
    private mutating func finishOrWait() -> [Command] {
        guard ending != nil, hasOutputEnded, haveErrorsEnded else { return [.start(.rest, after: Self.rest)] }
        return finish()
    }

    mutating func timeOut(_ timer: Timer) -> [Command] {
        switch timer {
        case .hello:
            guard phase == .greeting else { return [] }
            hasReported = true
            let failure = SetUpFailure(
                reason: "it did not say hello within \(configuration.handshake.milliseconds) ms",
                remedy: "Check that it reads its standard input and flushes each line that it writes."
            )
            phase = .ending
            return [.setUpEnded(.failure(failure)), .signal(.kill), .start(.rest, after: Self.rest)]
        case .grace:
            guard phase == .leaving else { return [] }
            if hasAskedToTerminate { return [.signal(.kill), .start(.rest, after: Self.rest)] }
            hasAskedToTerminate = true
            return [.signal(.terminate), .start(.grace, after: configuration.grace)]
        case .rest:
            if phase == .over || phase == .idle { return [] }
            if ending != nil { return finish() }
            // Its output or input is closed, and it lives on.
            return phase == .leaving ? [] : breakOffOrWait()
        }
    }

    /// A killed process ends sooner or later; what it was killed for is told at once.
    private mutating func breakOffOrWait() -> [Command] {
        if phase == .ending { return [.start(.rest, after: Self.rest)] }
        return breakOff(hasOutputEnded ? "closed its standard output" : "reads its standard input no more")
    }

    mutating func stop() -> [Command] {
        switch phase {
        case .idle:
            phase = .over
            return [.over]
        case .greeting, .settingUp, .running:
            phase = .leaving
            let report: [Command] = hasReported ? [] : [.setUpEnded(.failure(Self.stopped))]
            hasReported = true
            let leave = AdapterError(.skipped, .notReady, "The process of \(network) is being stopped.")
            return report + release(leave) + [
                .cancel(.hello), .send(.tearDown, id: nextID()), .closeInput,
                .start(.grace, after: configuration.grace),
            ]
        case .leaving, .ending, .over:
            return []
        }
    }

    /// Tells everybody how it ended, once.
    private mutating func finish() -> [Command] {
        let before = phase
        phase = .over
        var commands = release(attemptError) + Timer.allCases.map { .cancel($0) }
        if before != .leaving, !isFarewell {
            let failure = crashFailure
            // A process that had said why it does not go on did not crash.
            if fault != nil || !hasReported || before == .running { commands.append(.crashed(failure)) }
            if !hasReported { commands.append(.setUpEnded(.failure(failure))) }
        } else if !hasReported {
            commands.append(.setUpEnded(.failure(Self.stopped)))
        }
        hasReported = true
        return commands + [.over]
    }

    /// The set-up of a process that was told to go.
    static let stopped = SetUpFailure(reason: "it was stopped", remedy: "Restart the network.")

    /// Whether the gateway itself is going.
    private var isFarewell: Bool { ending == .abandoned }

    /// The verdict on an attempt that the ending took with it.
    var attemptError: AdapterError {
        if let fault { return broken("The process of \(network) \(fault).") }
        let sentence = "The process of \(network) \(howItEnded)."
        return switch ending {
        case .exited(let code): AdapterError(.crash, .exit, sentence, networkCode: "\(code)")
        case .signalled(let signal): AdapterError(.crash, .signal, sentence, networkCode: "\(signal)")
        case .abandoned, nil: AdapterError(.skipped, .notReady, "The process of \(network) was stopped.")
        }
    }

    private var crashFailure: SetUpFailure {
        if let fault {
            return SetUpFailure(
                reason: "its process \(fault) and was ended",
                remedy: "Look at its log, and run weir adapter test; only messages belong on its standard output."
            )
        }
        let words = lastWords.map { "; its last words: \($0)" } ?? ""
        return SetUpFailure(reason: "its process \(howItEnded)\(words)", remedy: remedy)
    }

    private var howItEnded: String {
        switch ending {
        case .exited(let code): "exited with code \(code)"
        case .signalled(let signal): "was ended by signal \(signal)" + (SignalName.of(signal).map { " (\($0))" } ?? "")
        case .abandoned, nil: "was stopped"
        }
    }

    private var remedy: String {
        switch ending {
        case .exited(126), .exited(127):
            "Check command in the network's entry: the program must be there and executable."
        case .signalled(24): "It used up process.cpu_seconds; raise it, or find out what it computes."
        default: "Look at its log; a process that runs out of process.memory_bytes ends like this, too."
        }
    }
}

/// The usual names of signals.
enum SignalName {
    /// The name of a signal that ends processes; `nil` for the others.
    static func of(_ number: Int) -> String? {
        [
            1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
            9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM", 24: "SIGXCPU", 25: "SIGXFSZ",
            31: "SIGSYS",
        ][number]
    }
}
