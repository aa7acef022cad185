internal import Glibc
package import WeirTime

/// A program run as a child, with its three streams as pipes.
///
/// It runs in a session of its own: signals of the terminal do not reach it, and its own children end with it (those
/// that began a session of their own apart). Letting go of it, or stopping the loop, kills it.
package final class ChildProcess: Sendable {
    /// What to run.
    package struct Command: Sendable {
        /// The program's path, or a name that is looked for in `PATH`.
        package var program: String
        /// Its arguments, without the program's name.
        package var arguments: [String]
        /// `NAME=VALUE` lines; `nil` hands on this process's own.
        package var environment: [String]?
        /// Where it runs; `nil` is where this process runs.
        package var directory: String?
        /// Bytes kept of each output stream while nobody reads it, and the longest line.
        package var bufferBytes = 1 << 20

        /// A command.
        package init(
            _ program: String,
            _ arguments: [String] = [],
            environment: [String]? = nil,
            directory: String? = nil
        ) {
            self.program = program
            self.arguments = arguments
            self.environment = environment
            self.directory = directory
        }
    }

    /// How a child ended.
    package enum Ending: Hashable, Sendable {
        /// It returned this code.
        case exited(Int)
        /// This signal ended it.
        case signalled(Int)
        /// The loop stopped first and killed it.
        case abandoned
    }

    /// Its number.
    package let processID: Int32
    /// What it reads.
    package let input: PipeWriter
    /// What it writes to its standard output.
    package let output: PipeReader
    /// What it writes to its standard error.
    package let errors: PipeReader
    private let handle: ProcessHandle

    /// Starts `command`; call it on the loop.
    ///
    /// - Throws: `RuntimeFailure` when the program cannot be started: there is none, or it may not be run.
    package init(loop: EventLoop, command: Command) throws(RuntimeFailure) {
        let streams = (0..<3).map { _ in LoopStream(unconnected: .local, loop: loop) }
        handle = ProcessHandle(loop: loop)
        do throws(RuntimeFailure) {
            processID = try handle.spawn(command, streams)
        } catch {
            for stream in streams { stream.close() }
            handle.close()
            throw error
        }
        input = PipeWriter(stream: streams[0])
        output = PipeReader(stream: streams[1], limit: command.bufferBytes)
        errors = PipeReader(stream: streams[2], limit: command.bufferBytes)
    }

    deinit {
        close()
    }

    /// Kills it, if it still runs, and closes its streams: whoever reads or writes them is woken.
    package func close() {
        let (handle, input, output, errors) = (handle, input, output, errors)
        handle.loop.submit {
            handle.send(SIGKILL)
            input.close()
            output.close()
            errors.close()
        }
    }

    /// Sends `signal` to the child and its own children; nothing happens once it has ended.
    package func send(signal: Int32) {
        let handle = handle
        handle.loop.submit { handle.send(signal) }
    }

    /// How it ended, as soon as it has.
    ///
    /// Its output may still hold unread bytes then.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled; the child runs on.
    package func waitForEnding() async throws -> Ending {
        let handle = handle
        return try await handle.loop.perform { () async throws -> Ending in
            while true {
                if let ending = handle.ending { return ending }
                try await handle.news.wait()
            }
        }
    }

    /// Ends it in good order: closes its input, sends `SIGTERM`, and after `grace` kills it.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled; the child is killed then.
    @discardableResult
    package func terminate(grace: Duration, clock: any GatewayClock) async throws -> Ending {
        input.finish()
        send(signal: SIGTERM)
        let ending = await race(until: .after(grace, clock: clock), clock: clock) {
            try? await self.waitForEnding()
        }
        if let ending, let ending { return ending }
        send(signal: SIGKILL)
        return try await waitForEnding()
    }
}
