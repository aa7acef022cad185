package import WeirAdapterKit
package import WeirJSON
internal import WeirModel
package import WeirRuntime
internal import WeirTime

/// An adapter that is a process of its own: any executable that speaks docs/adapter-protocol.md.
///
/// It decides what is sent and what answers mean; the gateway sends it, under all its limits. One set-up is one run of
/// the program. When it breaks down, attempts under way are `crash`, and whoever asked to hear of it (``observe(_:)``)
/// has it set up again.
package final class ProcessAdapter: SupervisedAdapter {
    /// How long the gateway waits for what a set-up wants sent, at the most.
    package static let setUpPatience = HTTPProbe.patience

    /// What is known of a process that has not said hello.
    package static let unknown = AdapterDescriptor(kind: "process", version: "", formats: Set(AdFormat.allCases))

    private struct State {
        var process: AdapterProcess?
        var descriptor = ProcessAdapter.unknown
        var crashed: @Sendable (SetUpFailure) -> Void = { _ in }
    }

    private let configuration: ProcessConfiguration
    private let settings: JSONValue
    private let context: AdapterContext
    private let loop: EventLoop
    private let weir: String
    private let scrub: @Sendable (String) -> String
    private let state = Lock(State())

    /// An adapter whose process does not run yet.
    ///
    /// - Parameters:
    ///   - configuration: What is run, and its limits.
    ///   - settings: What it is set up with, secrets resolved.
    ///   - context: The gateway's doors.
    ///   - loop: Where its pipes are read.
    ///   - weir: This program's version, which the process is told.
    ///   - scrub: Blacks out secrets in what the process says.
    package init(
        _ configuration: ProcessConfiguration,
        settings: JSONValue,
        context: AdapterContext,
        loop: EventLoop,
        weir: String = "",
        scrub: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.configuration = configuration
        self.settings = settings
        self.context = context
        self.loop = loop
        self.weir = weir
        self.scrub = scrub
    }

    /// What the process says it is; until it has said so, that it loads everything.
    package var descriptor: AdapterDescriptor { state.withLock { $0.descriptor } }

    /// Says who hears of break-downs.
    package func observe(_ crashed: @escaping @Sendable (SetUpFailure) -> Void) {
        state.withLock { $0.crashed = crashed }
    }

    /// Starts the program and sets it up; a cancelled task ends it.
    ///
    /// - Throws: ``SetUpFailure`` in the adapter's own words, or with how its program ended.
    package func setUp(_ progress: SetUpProgress) async throws(SetUpFailure) {
        let process = AdapterProcess(
            machine: ProcessMachine(
                network: context.network,
                settings: settings,
                configuration: configuration,
                weir: weir
            ),
            progress: progress,
            surroundings: surroundings
        )
        state.withLock { $0.process = process }
        progress.waiting(
            for: "its process to say hello",
            remedy: "Check that it reads its standard input and flushes each line that it writes."
        )
        switch await process.begin() {
        case .success(let ready):
            state.withLock { $0.descriptor = ready.descriptor }
            let what = "its process is there (version \(ready.descriptor.version))"
            progress.done(ready.done.map { "\(what): \(scrub($0))" } ?? what)
        case .failure(let failure):
            throw scrubbed(failure)
        }
    }

    /// Ends the process: `tear_down`, then `SIGTERM`, then `SIGKILL`, each after its grace.
    package func tearDown() async {
        let process = state.withLock { state in
            defer { state.process = nil }
            return state.process
        }
        await process?.end()
    }

    /// Asks the process what to send, has it sent, and asks what came of it.
    ///
    /// - Throws: `crash` when the process ends or breaks the protocol, `timeout` at the ask's deadline,
    ///   `skipped(not_ready)` when it does not run, `skipped(saturated)` when too much waits for it, or what it says.
    package func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        guard let process = state.withLock({ $0.process }) else {
            throw AdapterError(.skipped, .notReady, "The process of \(context.network) is not running.")
        }
        do throws(AdapterError) {
            return try await ProcessLoad(process: process, ask: ask, context: context).run()
        } catch {
            throw scrubbed(error)
        }
    }

    private var surroundings: AdapterProcess.Surroundings {
        let (context, scrub) = (context, scrub)
        return AdapterProcess.Surroundings(
            loop: loop,
            clock: context.clock,
            weir: weir,
            crashed: { [weak self] failure in
                guard let self else { return }
                let report = state.withLock { $0.crashed }
                report(scrubbed(failure))
            },
            log: { context.log(scrub($0)) },
            send: { request in
                do throws(TransportError) {
                    let deadline = Deadline.after(Self.setUpPatience, clock: context.clock)
                    return .success(try await context.transport.send(request, deadline: deadline))
                } catch {
                    return .failure(error)
                }
            }
        )
    }

    // MARK: Secrets

    private func scrubbed(_ failure: SetUpFailure) -> SetUpFailure {
        SetUpFailure(reason: scrub(failure.reason), remedy: scrub(failure.remedy), isRetryable: failure.isRetryable)
    }

    private func scrubbed(_ error: AdapterError) -> AdapterError {
        var error = error
        error.outcome.message = scrub(error.outcome.message)
        error.outcome.networkMessage = error.outcome.networkMessage.map(scrub)
        return error
    }
}
