public import WeirModel
public import WeirTime

/// What rewarded ads stand on: where they come from, how they are shown, and the time.
public struct RewardedAdEnvironment: Sendable {
    /// Test units that fill always and that production refuses (S2.3, S2.20).
    public static let usualTestUnits: Set<String> = [
        "ca-app-pub-3940256099942544/1712485313", "ca-app-pub-3940256099942544/4806952744",
    ]

    /// Where ads come from.
    public var source: any RewardedAdSource
    /// What shows them.
    public var presenter: any RewardedAdPresenter
    /// The time.
    public var clock: any GatewayClock
    /// Whether this app earns money yet.
    public var stage: Environment
    /// Test units.
    public var testUnits: Set<String>
    /// How ads behave.
    public var settings: RewardedSettings
    /// Takes the URLs that are due; without it nobody calls them.
    public var beacons: @Sendable (DueBeacon) -> Void
    /// Takes pages to show.
    public var openURL: @Sendable (String) -> Void
    /// Takes remarks for whoever builds the app, and the record of who agreed to watch.
    public var log: @Sendable (String) -> Void

    /// An environment.
    public init(
        source: any RewardedAdSource,
        presenter: any RewardedAdPresenter,
        clock: any GatewayClock = SystemClock(),
        stage: Environment = .development,
        testUnits: Set<String> = Self.usualTestUnits,
        settings: RewardedSettings = RewardedSettings(),
        beacons: @escaping @Sendable (DueBeacon) -> Void = { _ in },
        openURL: @escaping @Sendable (String) -> Void = { _ in },
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.source = source
        self.presenter = presenter
        self.clock = clock
        self.stage = stage
        self.testUnits = testUnits
        self.settings = settings
        self.beacons = beacons
        self.openURL = openURL
        self.log = log
    }
}
