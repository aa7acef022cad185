import Synchronization
import WeirPlayback
import WeirTime

/// An ad player without sound: an ad lasts four seconds, and time is all that is played.
final class TerminalPlayer: InstreamAudioAdPlayer {
    private struct State {
        weak var delegate: (any InstreamAudioAdPlayerDelegate)?
        var volume = 1.0
        var position = 0.0
        var isPlaying = false
        var isPaused = false
        var task: Task<Void, Never>?
    }

    private let clock: any GatewayClock
    private let speed: Double
    private let state = Mutex(State())

    let adAudioDuration = 4.0
    var adAudioTimeElapsed: Double { state.withLock { $0.position } }
    var adPlayerDelegate: (any InstreamAudioAdPlayerDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }
    var volume: Double {
        get { state.withLock { $0.volume } }
        set { state.withLock { $0.volume = newValue } }
    }

    init(clock: any GatewayClock, speed: Double) {
        self.clock = clock
        self.speed = speed
    }

    func playAdAudio(url: String) {
        print("  ♪ \(url)")
        state.withLock { state in
            state.position = 0
            state.isPlaying = true
            state.isPaused = false
            state.task?.cancel()
            state.task = Task { await play() }
        }
    }

    private func play() async {
        adPlayerDelegate?.onAdAudioStart()
        while adAudioTimeElapsed < adAudioDuration {
            do { try await clock.sleep(for: .milliseconds(Int(500 / speed))) } catch { return }
            state.withLock { if !$0.isPaused { $0.position += 0.5 } }
            // A real player is asked for its position; this one is so fast that it says it.
            (adPlayerDelegate as? InstreamAudioAd)?.tick()
        }
        guard state.withLock({ $0.isPlaying }) else { return }
        state.withLock { $0.isPlaying = false }
        adPlayerDelegate?.onAdAudioComplete()
    }

    func pauseAdAudio() {
        state.withLock { $0.isPaused = true }
        adPlayerDelegate?.onAdAudioPause()
    }

    func resumeAdAudio() {
        state.withLock { $0.isPaused = false }
        adPlayerDelegate?.onAdAudioResume()
    }

    func stopAdAudio() {
        let task = state.withLock { state in
            state.isPlaying = false
            return state.task.take()
        }
        task?.cancel()
        adPlayerDelegate?.onAdAudioStop()
    }
}
