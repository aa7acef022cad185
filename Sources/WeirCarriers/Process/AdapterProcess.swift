internal import Glibc
internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel
internal import WeirRuntime
internal import WeirTime

/// One run of an adapter's program: carries out what its ``ProcessMachine`` decides.
///
/// `@unchecked Sendable`: everything but the constants is touched on the loop's thread only, which every method that
/// can be called from elsewhere goes to.
final class AdapterProcess: @unchecked Sendable {
    /// What a run needs from outside.
    struct Surroundings: Sendable {
        var loop: EventLoop
        var clock: any GatewayClock
        var weir: String
        /// Told of each break-down.
        var crashed: @Sendable (SetUpFailure) -> Void
        /// Takes a line for the adapter's log.
        var log: @Sendable (String) -> Void
        /// Sends a request for the set-up.
        var send: @Sendable (OutboundRequest) async -> Result<InboundResponse, TransportError>
    }

    /// The most bytes that wait for a process that reads slowly.
    static let queueBytes = 8 << 20

    typealias Answer = Result<AdapterAnswer.Content, AdapterError>

    private let surroundings: Surroundings
    private let configuration: ProcessConfiguration
    private let progress: SetUpProgress
    private var machine: ProcessMachine
    private var child: ChildProcess?
    private var errors = ErrorLog()
    private var timers: [ProcessMachine.Timer: LoopTimer] = [:]
    private var askers = AnswerQueue()
    /// Loads that wait for the start, by ticket, each with the task that ends its wait.
    private var beginners: [Int: (waiter: UnsafeContinuation<Void, Never>, alarm: Task<Void, Never>)] = [:]
    private var lastTicket = 0
    private let made = ContinuousClock.now
    private var setUp: UnsafeContinuation<Result<ProcessMachine.Ready, SetUpFailure>, Never>?
    private var leavers: [UnsafeContinuation<Void, Never>] = []

    private var loop: EventLoop { surroundings.loop }

    /// A run that has not begun.
    init(machine: ProcessMachine, progress: SetUpProgress, surroundings: Surroundings) {
        self.machine = machine
        configuration = machine.configuration
        self.progress = progress
        self.surroundings = surroundings
    }

    /// Starts the program and sets it up, however long that takes; a cancelled task ends it.
    func begin() async -> Result<ProcessMachine.Ready, SetUpFailure> {
        await loop.perform { () async -> Result<ProcessMachine.Ready, SetUpFailure> in
            // A stopped loop runs no processes.
            if loop.hasFinished { return .failure(SetUpFailure(reason: "Weir is stopping", remedy: "Start Weir.")) }
            return await withTaskCancellationHandler {
                await withUnsafeContinuation { waiter in
                    setUp = waiter
                    handle(.start)
                    // It was told to go before it began.
                    if machine.phase == .over { perform(.setUpEnded(.failure(ProcessMachine.stopped))) }
                }
            } onCancel: {
                loop.submit { self.handle(.stop) }
            }
        }
    }

    /// Sends a message and waits for its answer until `deadline`.
    ///
    /// - Parameters:
    ///   - question: The message.
    ///   - deadline: When to give up.
    ///   - isUnderWay: Whether it belongs to a load that this process has begun.
    /// - Returns: What is answered.
    /// - Throws: `crash`, `timeout(line_timeout)`, `skipped` or `bad_response(too_large)`.
    func ask(
        _ question: AdapterQuestion,
        until deadline: Deadline,
        isUnderWay: Bool = false
    ) async throws(AdapterError) -> AdapterAnswer.Content {
        try await loop.perform { () async throws(AdapterError) -> AdapterAnswer.Content in
            await waitForStart(until: deadline)
            return try await send(question, deadline, isUnderWay).get()
        }
    }

    /// Ends it in good order and waits for that.
    func end() async {
        await loop.perform { () async -> Void in
            await withUnsafeContinuation { waiter in
                if machine.phase == .over { return waiter.resume() }
                leavers.append(waiter)
                handle(.stop)
            }
        }
    }

    // MARK: Asking

    // A task may give way between a look at the machine and the closure in which its wait begins, though both are on the
    // loop. So whoever waits looks and begins to wait inside that closure, or what it waits for may be over already.

    private var isStarting: Bool {
        machine.phase == .idle || machine.phase == .greeting || machine.phase == .settingUp
    }

    /// A process that has only just been started is worth a short wait; one that hangs in its start is not.
    private func waitForStart(until deadline: Deadline) async {
        guard isStarting else { return }
        let end = min(made.advanced(by: configuration.startPatience), deadline.instant)
        await withUnsafeContinuation { waiter in
            guard isStarting, end > .now, beginners.count < configuration.maxInFlight else { return waiter.resume() }
            let ticket = nextTicket()
            // Its sleep ends with the loop, too, so that nobody waits for ever.
            let alarm = Task(executorPreference: loop) { [loop] in
                try? await loop.sleep(until: end)
                self.beginners.removeValue(forKey: ticket)?.waiter.resume()
            }
            beginners[ticket] = (waiter, alarm)
        }
    }

    private func wakeBeginners() {
        let woken = beginners
        beginners = [:]
        for beginner in woken.values {
            beginner.alarm.cancel()
            beginner.waiter.resume()
        }
    }

    private func nextTicket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    private func send(_ question: AdapterQuestion, _ deadline: Deadline, _ isUnderWay: Bool) async -> Answer {
        let ticket = nextTicket()
        return await withTaskCancellationHandler {
            await withUnsafeContinuation { waiter in
                switch admit(question, isUnderWay) {
                case .failure(let error): waiter.resume(returning: .failure(error))
                case .success(let message):
                    askers.add(waiter, id: message.id, ticket: ticket, until: deadline.instant)
                    armDeadline()
                    if !message.input.send(message.line) { handle(.inputBroken) }
                    if Task.isCancelled { giveUp([message.id]) }
                }
            }
        } onCancel: {
            loop.submit { if let id = self.askers.id(ofTicket: ticket) { self.giveUp([id]) } }
        }
    }

    /// A message that may be sent.
    private struct Message {
        var id: Int
        var line: [UInt8]
        var input: PipeWriter
    }

    private func admit(_ question: AdapterQuestion, _ isUnderWay: Bool) -> Result<Message, AdapterError> {
        machine.admit(isUnderWay: isUnderWay).flatMap { id in
            guard let child, child.input.queuedBytes < Self.queueBytes else {
                handle(.giveUp(id: id))
                return .failure(machine.saturated("The process of \(machine.network) reads too slowly."))
            }
            let line = question.line(id: id)
            guard line.count <= configuration.maxFrameBytes else {
                handle(.giveUp(id: id))
                let limit = configuration.maxFrameBytes
                return .failure(
                    AdapterError(.badResponse, .tooLarge, "The network's answer makes a message beyond \(limit) bytes.")
                )
            }
            return .success(Message(id: id, line: line, input: child.input))
        }
    }

    private func giveUp(_ ids: [Int]) {
        for id in ids {
            guard let waiter = askers.take(id) else { continue }
            handle(.giveUp(id: id))
            let sentence = "The process of \(machine.network) did not answer in time."
            waiter.resume(returning: .failure(AdapterError(.timeout, .lineTimeout, sentence)))
        }
    }

    private lazy var deadlines = LoopTimer(loop: loop) { [weak self] in
        guard let self else { return }
        giveUp(askers.due(now))
        armDeadline()
    }

    /// One timer serves all deadlines: the earliest.
    private func armDeadline() {
        guard let next = askers.earliestToArm() else { return }
        deadlines.schedule(after: max(.zero, now.duration(to: next)))
    }

    private var now: ContinuousClock.Instant { surroundings.clock.now }

    // MARK: Machine

    private func handle(_ event: ProcessMachine.Event) {
        for command in machine.handle(event) { perform(command) }
    }

    private func perform(_ command: ProcessMachine.Command) {
        switch command {
        case .launch: launch()
        case .send(let question, let id):
            if let child, !child.input.send(question.line(id: id)) { handle(.inputBroken) }
        case .answer(let id, let answer): askers.take(id)?.resume(returning: answer)
        case .progress(let note): tell(note)
        case .perform(let requests): run(requests)
        case .setUpEnded(let result):
            setUp?.resume(returning: result)
            setUp = nil
            wakeBeginners()
        case .crashed(let failure): surroundings.crashed(failure)
        case .log(let line): surroundings.log(line)
        case .closeInput: child?.input.finish()
        case .signal(.terminate): child?.send(signal: SIGTERM)
        case .signal(.kill): child?.send(signal: SIGKILL)
        case .start(let timer, let delay): timerFor(timer).schedule(after: delay)
        case .cancel(let timer): timers[timer]?.cancel()
        case .over: leave()
        }
    }

    private func timerFor(_ timer: ProcessMachine.Timer) -> LoopTimer {
        if let known = timers[timer] { return known }
        let new = LoopTimer(loop: loop) { [weak self] in self?.handle(.timer(timer)) }
        timers[timer] = new
        return new
    }

    private func tell(_ note: SetUpProgress.Note) {
        if let place = note.waitingFor {
            progress.waiting(for: place, remedy: note.remedy ?? "Look at the network's status page.")
        }
        if let done = note.done { progress.done(done) }
    }

    private func leave() {
        timers = [:]
        deadlines.cancel()
        child?.close()
        child = nil
        wakeBeginners()
        for waiter in leavers { waiter.resume() }
        leavers = []
    }

    // MARK: Child

    private func launch() {
        do throws(RuntimeFailure) {
            let child = try ChildProcess(loop: loop, command: configuration.launch)
            self.child = child
            pump(child)
        } catch {
            handle(.startFailed(error.reason))
        }
    }

    /// Unstructured: the streams of a child are read as long as it writes, whoever started it; the tasks keep this run
    /// until all is over.
    private func pump(_ child: ChildProcess) {
        let (loop, frames) = (loop, configuration.maxFrameBytes)
        Task(executorPreference: loop) {
            var splitter = LineSplitter(limit: frames, kept: 512)
            while let bytes = try? await child.output.next() {
                for piece in splitter.feed(bytes) { self.take(piece) }
            }
            self.handle(.outputEnded)
        }
        Task(executorPreference: loop) {
            var splitter = LineSplitter(limit: ErrorLog.lineBytes, kept: ErrorLog.lineBytes)
            while let bytes = try? await child.errors.next() {
                let pieces = splitter.feed(bytes)
                self.takeErrors(pieces)
                guard let end = self.errors.pause(afterBytes: bytes.count, lines: pieces.count, now: self.now) else {
                    continue
                }
                // Nobody cancels it; the end of the loop ends the reading as well.
                try? await loop.sleep(until: end)
            }
            self.takeErrors(splitter.finish())
            for line in self.errors.finish() { self.surroundings.log(line) }
            self.handle(.errorsEnded)
        }
        Task(executorPreference: loop) {
            guard let ending = try? await child.waitForEnding() else { return }
            self.handle(.ended(ending))
        }
    }

    private func take(_ piece: LineSplitter.Piece) {
        switch piece {
        case .line(let line): handle(.line(line))
        case .cut(let beginning): handle(.cutLine(beginning))
        }
    }

    private func takeErrors(_ pieces: [LineSplitter.Piece]) {
        for piece in pieces {
            let lines =
                switch piece {
                case .line(let line): errors.take(line, isCut: false, now: now)
                case .cut(let line): errors.take(line, isCut: true, now: now)
                }
            for line in lines { surroundings.log(line) }
        }
        machine.lastWords = errors.lastWords
    }

    /// Unstructured: what a set-up wants sent is bounded by the transport's own deadline.
    private func run(_ requests: [AdapterRequest]) {
        let send = surroundings.send
        Task(executorPreference: loop) { [weak self] in
            var replies: [AdapterReply] = []
            for (place, request) in requests.enumerated() {
                replies.append(AdapterReply(request: place, result: await send(request.request)))
            }
            self?.handle(.replies(replies))
        }
    }
}
