import WeirPlayback
import WeirVAST

/// An ad player in the terminal: plays an ad in a second and reports it as a real one would.
final class SimulatedPlayer: AdPlayer {
    private let reports = AsyncStream<VideoInput>.makeStream()

    /// What the player has to report, in order.
    var stream: AsyncStream<VideoInput> { reports.stream }

    func load(_ ad: AdInfo, _ file: MediaFile) {
        print("    ad player: loads \(file.url)")
        reports.continuation.yield(.adLoaded(ad.key, duration: ad.duration))
    }

    func play(_ ad: AdKey) {
        print("    ad player: plays ad \(ad.index)")
        reports.continuation.yield(.adStarted(ad))
        for second in 1...4 {
            reports.continuation.yield(.adProgress(ad, position: .seconds(second), duration: .seconds(5)))
        }
        reports.continuation.yield(.adCompleted(ad))
    }

    func pause(_ ad: AdKey) { print("    ad player: pauses") }
    func resume(_ ad: AdKey) { print("    ad player: goes on") }
    func stop(_ ad: AdKey) { print("    ad player: stops") }
    func setVolume(_ volume: Double) {}
    func open(_ url: String) { print("    opens \(url)") }
    func finish() { reports.continuation.finish() }
}
