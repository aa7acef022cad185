import Glibc
import Synchronization
import WeirPlayback

/// An ad player that is heard: a program such as `mpg123 -q` gets the address of each ad.
final class CommandPlayer: InstreamAudioAdPlayer {
    private struct State {
        weak var delegate: (any InstreamAudioAdPlayerDelegate)?
        var volume = 1.0
        var process: pid_t?
        var began = ContinuousClock.now
    }

    private let command: [String]
    private let state = Mutex(State())

    /// Not known: such programs do not say.
    let adAudioDuration = 0.0
    var adAudioTimeElapsed: Double {
        let played = state.withLock { $0.process == nil ? .zero : $0.began.duration(to: .now) }
        return Double(played.components.seconds)
    }
    var adPlayerDelegate: (any InstreamAudioAdPlayerDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }
    var volume: Double {
        get { state.withLock { $0.volume } }
        set { state.withLock { $0.volume = newValue } }
    }

    init(command: [String]) { self.command = command }

    func playAdAudio(url: String) {
        guard let process = Child.start(command + [url]) else {
            adPlayerDelegate?.onAdAudioError(reason: "\(command.first ?? "the player") cannot be started.")
            return
        }
        state.withLock { state in
            state.process = process
            state.began = .now
        }
        adPlayerDelegate?.onAdAudioStart()
        Task.detached { [self] in
            let status = await Child.end(of: process)
            guard state.withLock({ $0.process }) == process else { return }
            state.withLock { $0.process = nil }
            if status == 0 {
                adPlayerDelegate?.onAdAudioComplete()
            } else {
                adPlayerDelegate?.onAdAudioError(reason: "The player ended with \(status).")
            }
        }
    }

    func pauseAdAudio() {
        signal(SIGSTOP)
        adPlayerDelegate?.onAdAudioPause()
    }

    func resumeAdAudio() {
        signal(SIGCONT)
        adPlayerDelegate?.onAdAudioResume()
    }

    func stopAdAudio() {
        signal(SIGTERM)
        state.withLock { $0.process = nil }
        adPlayerDelegate?.onAdAudioStop()
    }

    private func signal(_ number: Int32) {
        guard let process = state.withLock({ $0.process }) else { return }
        kill(process, number)
    }
}

/// A program that is started.
enum Child {
    /// Starts a program with its arguments, without a shell; `nil` when that fails.
    static func start(_ words: [String]) -> pid_t? {
        guard let program = words.first else { return nil }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        return posix_spawnp(&process, program, nil, nil, &arguments, environ) == 0 ? process : nil
    }

    /// Waits for its end.
    static func end(of process: pid_t) async -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, WNOHANG) == 0 { try? await Task.sleep(for: .milliseconds(50)) }
        return status
    }
}
