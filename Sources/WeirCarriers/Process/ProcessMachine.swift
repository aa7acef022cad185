package import WeirAdapterKit
package import WeirJSON
package import WeirModel
package import WeirRuntime
internal import WeirTime

/// One life of an adapter's process, from its start to its end: events in, commands out.
///
/// `idle → greeting → settingUp → running → leaving → over`, and from everywhere through `ending` to `over`. A process
/// that ended is started anew by a new machine; when, the adapter's life decides (`AdapterLife`).
package struct ProcessMachine: Sendable {
    /// Where a process stands.
    package enum Phase: Sendable, Hashable {
        case idle
        /// Started; it has not said hello.
        case greeting
        /// It has its settings.
        case settingUp
        case running
        /// It was told to go.
        case leaving
        /// It was ended because it broke its word, or it has half ended by itself.
        case ending
        case over
    }

    /// What happens.
    package enum Event: Sendable {
        case start
        case startFailed(String)
        case line([UInt8])
        /// The beginning of a line beyond the limit.
        case cutLine([UInt8])
        case outputEnded
        case errorsEnded
        case inputBroken
        case ended(ChildProcess.Ending)
        case timer(Timer)
        /// What came of the requests of a set-up.
        case replies([AdapterReply])
        case giveUp(id: Int)
        case stop
    }

    /// What the owner has to do.
    package enum Command: Sendable {
        case launch
        case send(AdapterQuestion, id: Int)
        /// Wakes whoever asked.
        case answer(id: Int, Result<AdapterAnswer.Content, AdapterError>)
        case progress(SetUpProgress.Note)
        /// Sends these for the set-up and hands in the replies.
        case perform([AdapterRequest])
        case setUpEnded(Result<Ready, SetUpFailure>)
        /// The process broke down; told before ``setUpEnded(_:)`` when it did so in its set-up.
        case crashed(SetUpFailure)
        case log(String)
        case closeInput
        case signal(Signal)
        case start(Timer, after: Duration)
        case cancel(Timer)
        /// Nothing more will come.
        case over
    }

    /// The signals that are sent.
    package enum Signal: Sendable, Hashable {
        case terminate
        case kill
    }

    /// The timers of a life.
    package enum Timer: Sendable, Hashable, CaseIterable {
        /// The end of the time for saying hello.
        case hello
        /// The end of a grace after `tear_down`, or after `SIGTERM`.
        case grace
        /// How long the second half of an ending may take after the first.
        case rest
    }

    /// A set-up that succeeded.
    package struct Ready: Sendable, Hashable {
        /// What the process says it is.
        package var descriptor: AdapterDescriptor
        /// How it became ready, in its own words.
        package var done: String?
    }

    /// How long the second half of an ending (code after closed output, or the other way round) may take.
    package static let rest: Duration = .milliseconds(250)

    /// So many answers that nobody waits for are told to the log in one life.
    package static let strayLines = 20

    /// So many words on the progress of one set-up end the process.
    package static let progressLimit = 10_000

    /// So many lines that belong to no message end the process.
    package static let strayLimit = 1000

    /// Where it stands.
    package internal(set) var phase = Phase.idle
    /// What it says it is, once it has said hello.
    package internal(set) var descriptor: AdapterDescriptor?

    let network: NetworkID
    let settings: JSONValue
    let configuration: ProcessConfiguration
    let weir: String

    var lastID = 0
    /// Messages that wait for an answer; the set-up's own are not among them.
    var waiting: Set<Int> = []
    /// The message whose answer moves the life on: hello, then set_up.
    var stepID = 0
    /// Whether requests of the set-up are under way.
    var isPerforming = false
    var strays = 0
    var progressCount = 0
    var ending: ChildProcess.Ending?
    /// The last line of its standard error that said something.
    var lastWords: String?
    var hasOutputEnded = false
    var haveErrorsEnded = false
    /// What it did that cannot be borne.
    var fault: String?
    /// Whether ``setUpEnded`` has been said.
    var hasReported = false
    var hasAskedToTerminate = false

    /// A life that has not begun.
    ///
    /// - Parameters:
    ///   - network: Whose adapter it is.
    ///   - settings: What it is set up with, secrets resolved.
    ///   - configuration: Its limits.
    ///   - weir: This program's version.
    package init(network: NetworkID, settings: JSONValue, configuration: ProcessConfiguration, weir: String) {
        self.network = network
        self.settings = settings
        self.configuration = configuration
        self.weir = weir
    }

    /// Takes an event; one that does not fit the phase changes nothing.
    ///
    /// - Returns: What the owner has to do, in order.
    package mutating func handle(_ event: Event) -> [Command] {
        switch event {
        case .start: start()
        case .startFailed(let reason): startFailed(reason)
        case .line(let line): read(line)
        case .cutLine(let beginning): readCut(beginning)
        case .outputEnded: outputEnded()
        case .errorsEnded: errorsEnded()
        case .inputBroken: inputBroken()
        case .ended(let ending): ended(ending)
        case .timer(let timer): timeOut(timer)
        case .replies(let replies): perform(replies)
        case .giveUp(let id): giveUp(id)
        case .stop: stop()
        }
    }

    /// Asks for leave to send a message.
    ///
    /// - Parameter isUnderWay: Whether it belongs to a load that this process has begun: when it has ended since, that
    ///   load is lost by the ending.
    /// - Returns: Its number, to be answered by ``Command/answer(id:_:)`` once; or why it cannot be sent.
    package mutating func admit(isUnderWay: Bool = false) -> Result<Int, AdapterError> {
        guard phase == .running else {
            if isUnderWay, fault != nil || ending != nil { return .failure(attemptError) }
            return .failure(AdapterError(.skipped, .notReady, "The process of \(network) is not running."))
        }
        guard waiting.count < configuration.maxInFlight else {
            return .failure(saturated("\(waiting.count) messages wait for the process of \(network) already."))
        }
        let id = nextID()
        waiting.insert(id)
        return .success(id)
    }

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    func saturated(_ message: String) -> AdapterError { AdapterError(.skipped, .saturated, message) }
}

// MARK: The ordinary life

extension ProcessMachine {
    private mutating func start() -> [Command] {
        guard phase == .idle else { return [] }
        phase = .greeting
        stepID = nextID()
        return [
            .launch, .start(.hello, after: configuration.handshake),
            .send(.hello(network: network, weir: weir), id: stepID),
        ]
    }

    private mutating func startFailed(_ reason: String) -> [Command] {
        guard phase == .greeting else { return [] }
        phase = .over
        hasReported = true
        let failure = SetUpFailure(
            reason: "its program cannot be started: \(reason)",
            remedy: "Check command in the network's entry: the program must be there and executable."
        )
        return [.cancel(.hello), .setUpEnded(.failure(failure)), .over]
    }

    private mutating func read(_ line: [UInt8]) -> [Command] {
        if phase == .ending || phase == .over || phase == .idle { return [] }
        do throws(AdapterAnswer.Fault) {
            return take(try AdapterAnswer(line: line))
        } catch {
            return misread(error, line)
        }
    }

    private mutating func take(_ answer: AdapterAnswer) -> [Command] {
        if waiting.contains(answer.id) { return settle(answer.id, answer.content) }
        guard answer.id == stepID else { return stray(answer.id) }
        switch (phase, answer.content) {
        case (.greeting, .hello(let api, let descriptor)): return greeted(api, descriptor)
        case (.greeting, .error(let message)), (.settingUp, .error(let message)):
            return breakOff("answered with an error: \(message)")
        case (.settingUp, .progress(let note)): return progressed(note)
        case (.settingUp, .requests(let requests)):
            guard !isPerforming else { return breakOff("wants requests sent while others are under way") }
            isPerforming = true
            return [.perform(requests)]
        case (.settingUp, .ready(let done)):
            guard let descriptor else { return [] }
            phase = .running
            hasReported = true
            return [.setUpEnded(.success(Ready(descriptor: descriptor, done: done)))]
        case (.settingUp, .failed(let failure)):
            // It has said its word; the next try is another process.
            hasReported = true
            return [.setUpEnded(.failure(failure))] + stop()
        case (.greeting, _): return breakOff("did not answer hello with hello")
        case (.settingUp, _): return breakOff("answered set_up with something else")
        default: return stray(answer.id)
        }
    }

    private mutating func greeted(_ api: Int, _ descriptor: AdapterDescriptor) -> [Command] {
        guard api == AdapterProtocol.version else {
            hasReported = true
            let failure = SetUpFailure(
                reason: "it speaks version \(api) of the adapter protocol, this Weir speaks \(AdapterProtocol.version)",
                remedy: "Use a version of the adapter that speaks api \(AdapterProtocol.version), or another Weir.",
                isRetryable: false
            )
            return [.cancel(.hello), .setUpEnded(.failure(failure))] + stop()
        }
        self.descriptor = descriptor
        phase = .settingUp
        stepID = nextID()
        return [.cancel(.hello), .send(.setUp(settings: settings), id: stepID)]
    }

    private mutating func progressed(_ note: SetUpProgress.Note) -> [Command] {
        progressCount += 1
        guard progressCount < Self.progressLimit else { return breakOff("told its progress \(progressCount) times") }
        return [.progress(note)]
    }

    private mutating func perform(_ replies: [AdapterReply]) -> [Command] {
        guard phase == .settingUp, isPerforming else { return [] }
        isPerforming = false
        return [.send(.replies(replies), id: stepID)]
    }

    /// Only requests, an outcome or an error can answer a load's message.
    private mutating func settle(_ id: Int, _ content: AdapterAnswer.Content) -> [Command] {
        waiting.remove(id)
        switch content {
        case .requests, .outcome: return [.answer(id: id, .success(content))]
        case .error(let message):
            return [.answer(id: id, .failure(broken("The adapter of \(network) says: \(message)")))]
        default:
            return [
                .answer(id: id, .failure(broken("The adapter of \(network) answered with a message out of place.")))
            ]
        }
    }

    private mutating func giveUp(_ id: Int) -> [Command] {
        waiting.remove(id)
        return []
    }
}
