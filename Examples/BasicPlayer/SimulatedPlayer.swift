import Synchronization
import WeirPlayback
import WeirVAST

/// An ad player in the terminal: plays an ad in no time and has the same to report as a real one.
final class SimulatedPlayer: AdPlayer {
    private let reports = Mutex<[VideoInput]>([])

    /// What the player has to report next; `nil` when it has nothing to do.
    func nextReport() -> VideoInput? {
        reports.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }

    func load(_ ad: AdInfo, _ file: MediaFile) {
        print("    ad player: loads \(file.url)")
        report(.adLoaded(ad.key, duration: ad.duration))
    }

    func play(_ ad: AdKey) {
        print("    ad player: plays ad \(ad.index)")
        report(.adStarted(ad))
        for second in 1...4 {
            report(.adProgress(ad, position: .seconds(second), duration: .seconds(5)))
        }
        report(.adCompleted(ad))
    }

    func pause(_ ad: AdKey) { print("    ad player: pauses") }
    func resume(_ ad: AdKey) { print("    ad player: goes on") }
    func stop(_ ad: AdKey) { print("    ad player: stops") }
    func setVolume(_ volume: Double) {}
    func open(_ url: String) { print("    opens \(url)") }

    private func report(_ input: VideoInput) { reports.withLock { $0.append(input) } }
}
