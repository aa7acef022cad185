/// Everything a request is decided by: placements, ad units, line items, networks.
///
/// Immutable; a reload makes a new one.
public struct Catalog: Sendable {
    /// Networks in the order of the configuration.
    public let networks: [Network]
    /// Ad units in the order of the configuration.
    public let adUnits: [AdUnit]
    /// Placements in the order of the configuration.
    public let placements: [Placement]
    /// A stable short hash of the configuration it came from.
    public let version: String
    /// Test unit ids that fill always and that production refuses (S2.3, S2.4).
    public let testUnits: Set<String>
    /// Whether networks are asked for test ads by default (S2.2).
    public let environment: Environment
    /// The most wrappers before a complete ad (VAST 4.3 §2.3.5.1 recommends five).
    public let wrapperDepth: Int
    /// The most documents that one answer may make the gateway fetch: pods of wrappers multiply.
    public let fetches: Int
    /// What currencies are worth in one another.
    public let rates: CurrencyRates

    private let networkByID: [NetworkID: Int]
    private let adUnitByID: [AdUnitID: Int]
    private let placementByID: [PlacementID: Int]

    /// A catalogue of checked parts: ids are unique and every reference resolves (the configuration reader sees to it).
    public init(
        networks: [Network],
        adUnits: [AdUnit],
        placements: [Placement],
        version: String,
        testUnits: Set<String> = [],
        environment: Environment = .development,
        wrapperDepth: Int = 5,
        fetches: Int = 100,
        rates: CurrencyRates = CurrencyRates(base: .usDollar)
    ) {
        self.networks = networks
        self.adUnits = adUnits
        self.placements = placements
        self.version = version
        self.testUnits = testUnits
        self.environment = environment
        self.wrapperDepth = wrapperDepth
        self.fetches = fetches
        self.rates = rates
        networkByID = Dictionary(networks.indices.map { (networks[$0].id, $0) }) { first, _ in first }
        adUnitByID = Dictionary(adUnits.indices.map { (adUnits[$0].id, $0) }) { first, _ in first }
        placementByID = Dictionary(placements.indices.map { (placements[$0].id, $0) }) { first, _ in first }
    }

    /// The network called `id`.
    public func network(_ id: NetworkID) -> Network? { networkByID[id].map { networks[$0] } }

    /// The ad unit called `id`.
    public func adUnit(_ id: AdUnitID) -> AdUnit? { adUnitByID[id].map { adUnits[$0] } }

    /// The placement called `id`.
    public func placement(_ id: PlacementID) -> Placement? { placementByID[id].map { placements[$0] } }
}

/// Whether this gateway earns money yet.
public enum Environment: String, CaseIterable, Sendable {
    /// Asks networks for test ads and warns of live units.
    case development
    /// Refuses test units.
    case production
}

/// The publisher's named spot; points to exactly one ad unit.
public struct Placement: Sendable, Hashable {
    /// Its id.
    public var id: PlacementID
    /// The ad unit that serves it.
    public var adUnit: AdUnitID
    /// What it may do beyond the ordinary, such as ``Entitlement/customUI``.
    public var entitlements: Set<Entitlement>
    /// Refuses ads that insist on their own user interface (S1.35).
    public var requiresHideableUI: Bool

    /// A placement served by `adUnit`.
    public init(
        id: PlacementID,
        adUnit: AdUnitID,
        entitlements: Set<Entitlement> = [],
        requiresHideableUI: Bool = false
    ) {
        self.id = id
        self.adUnit = adUnit
        self.entitlements = entitlements
        self.requiresHideableUI = requiresHideableUI
    }
}

/// What a placement may do beyond the ordinary.
public enum Entitlement: String, CaseIterable, Sendable {
    /// Draw the controls itself (S1.2).
    case customUI = "custom_ui"
}

/// A company that sells ads, as configured.
public struct Network: Sendable, Hashable {
    /// Its id.
    public var id: NetworkID
    /// The adapter's kind, such as `vast`.
    public var adapter: String
    /// Whether it is asked at all.
    public var isEnabled = true
    /// Whether it is asked once initialization is complete though it is not ready (S2.33).
    public var asksBeforeReady = true
    /// The default of its lines' timeouts.
    public var timeout: Duration = .milliseconds(1000)
    /// When to stop asking a failing network.
    public var breaker = BreakerPolicy()
    /// Addresses or CIDR ranges inside private ranges that it, its wrappers and its beacons may reach.
    public var allowPrivate: [String] = []
    /// The most loads under way at once; `nil` is no limit.
    public var maxInFlight: Int? = 1000

    /// A network with the defaults of docs/configuration.md.
    public init(id: NetworkID, adapter: String) {
        self.id = id
        self.adapter = adapter
    }
}

/// When a failing network is left alone for a while.
public struct BreakerPolicy: Sendable, Hashable {
    /// Whether there is a breaker.
    public var isEnabled = true
    /// Failures in a row that open it; no-fills are not failures.
    public var failures = 20
    /// How long it stays open before one request may try again.
    public var openDuration: Duration = .milliseconds(30_000)

    /// Enabled; 20 failures in a row; 30 s.
    public init() {}
}

/// What a viewer is promised for watching.
public struct Reward: Sendable, Hashable {
    /// What it is, such as `coins`.
    public var item: String
    /// How much, exactly.
    public var amount: ExactDecimal

    /// A reward of `amount` `item`.
    public init(item: String, amount: ExactDecimal) {
        self.item = item
        self.amount = amount
    }
}

/// Whose word grants a reward (S2.40).
public enum RewardMode: String, CaseIterable, Sendable {
    case client
    case ssv
    case both
}
