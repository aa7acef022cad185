internal import WeirTime

/// Our own sellable inventory: one format, one waterfall.
public struct AdUnit: Sendable, Hashable {
    /// What is stored; the public properties say what it means.
    private struct Fields: Sendable, Hashable {
        var id: AdUnitID
        var format: AdFormat
        var floor: Money?
        var timeout: Duration = .milliseconds(1500)
        var vastVersion: String = "4.2"
        var maxAds: Int = 1
        var order: WaterfallOrder = WaterfallOrder.list
        var bidTimeout: Duration?
        var waterfall: [Rung] = []
        var reward: Reward?
        var overridesReward: Bool = false
        var rewardMode: RewardMode = RewardMode.client
        var expires: Duration = .milliseconds(3_600_000)
        var sections: SectionLimits?
        var separatesCategories: Bool = true
        var blockedCategories: Set<String> = []
        var requiresCategory: Bool = false
        var minDuration: Duration?
        var maxDuration: Duration?
    }

    private var shared: Shared<Fields>

    /// Its id.
    public var id: AdUnitID {
        _read { yield shared.fields.id }
        _modify { yield &shared.fields.id }
    }

    /// What it sells.
    public var format: AdFormat {
        _read { yield shared.fields.format }
        _modify { yield &shared.fields.format }
    }

    /// The least we accept, CPM.
    public var floor: Money? {
        _read { yield shared.fields.floor }
        _modify { yield &shared.fields.floor }
    }

    /// The hard limit of one request.
    public var timeout: Duration {
        _read { yield shared.fields.timeout }
        _modify { yield &shared.fields.timeout }
    }

    /// The VAST version it is served in, unless the caller asks for another.
    public var vastVersion: String {
        _read { yield shared.fields.vastVersion }
        _modify { yield &shared.fields.vastVersion }
    }

    /// The most ads of one answer.
    public var maxAds: Int {
        _read { yield shared.fields.maxAds }
        _modify { yield &shared.fields.maxAds }
    }

    /// How the waterfall is ordered.
    public var order: WaterfallOrder {
        _read { yield shared.fields.order }
        _modify { yield &shared.fields.order }
    }

    /// The most that collecting bids may take; `nil` is half of the request's time.
    public var bidTimeout: Duration? {
        _read { yield shared.fields.bidTimeout }
        _modify { yield &shared.fields.bidTimeout }
    }

    /// The rungs, in the order of the configuration.
    public var waterfall: [Rung] {
        _read { yield shared.fields.waterfall }
        _modify { yield &shared.fields.waterfall }
    }

    /// What a viewer is promised; rewarded only.
    public var reward: Reward? {
        _read { yield shared.fields.reward }
        _modify { yield &shared.fields.reward }
    }

    /// Whether ``reward`` wins over the network's.
    public var overridesReward: Bool {
        _read { yield shared.fields.overridesReward }
        _modify { yield &shared.fields.overridesReward }
    }

    /// Whose word grants the reward.
    public var rewardMode: RewardMode {
        _read { yield shared.fields.rewardMode }
        _modify { yield &shared.fields.rewardMode }
    }

    /// How long an ad may wait to be shown.
    public var expires: Duration {
        _read { yield shared.fields.expires }
        _modify { yield &shared.fields.expires }
    }

    /// Limits of an audio unit's sections; `nil` takes all sections without limits.
    public var sections: SectionLimits? {
        _read { yield shared.fields.sections }
        _modify { yield &shared.fields.sections }
    }

    /// Whether two networks' ads of one category may not stand in one break; audio only.
    public var separatesCategories: Bool {
        _read { yield shared.fields.separatesCategories }
        _modify { yield &shared.fields.separatesCategories }
    }

    /// IAB categories that are refused.
    public var blockedCategories: Set<String> {
        _read { yield shared.fields.blockedCategories }
        _modify { yield &shared.fields.blockedCategories }
    }

    /// Whether an ad without a category is refused.
    public var requiresCategory: Bool {
        _read { yield shared.fields.requiresCategory }
        _modify { yield &shared.fields.requiresCategory }
    }

    /// Shortest and longest ad accepted.
    public var minDuration: Duration? {
        _read { yield shared.fields.minDuration }
        _modify { yield &shared.fields.minDuration }
    }

    /// Longest ad accepted.
    public var maxDuration: Duration? {
        _read { yield shared.fields.maxDuration }
        _modify { yield &shared.fields.maxDuration }
    }

    /// An ad unit with the defaults of docs/configuration.md and no rungs.
    public init(id: AdUnitID, format: AdFormat) {
        shared = Shared(Fields(id: id, format: format))
    }

    /// Every line item, groups opened, in the order of the configuration.
    public var lineItems: [LineItem] { waterfall.flatMap(\.lineItems) }
}

/// How a waterfall is ordered.
public enum WaterfallOrder: String, CaseIterable, Sendable {
    /// As configured.
    case list
    /// Best rate first, ties as configured.
    case rate
}

/// One step of a waterfall.
public enum Rung: Sendable, Hashable {
    /// A line item asked on its own.
    case line(LineItem)
    /// Line items asked side by side; the best price wins, ties as configured.
    case group([LineItem], timeout: Duration?)

    /// Its line items in the order of the configuration.
    public var lineItems: [LineItem] {
        switch self {
        case .line(let line): [line]
        case .group(let lines, _): lines
        }
    }
}

/// Who a line item is for; every list that is not empty must hold the request's value.
public struct Targeting: Sendable, Hashable {
    /// Countries, ISO 3166-1 alpha-2.
    public var countries: [String] = []
    /// Operating systems.
    public var systems: [String] = []
    /// App bundles.
    public var bundles: [String] = []
    /// Device languages, ISO 639-1.
    public var languages: [String] = []
    /// The publisher's keys: one of the values must be there.
    public var keys: [String: [String]] = [:]

    /// Everybody.
    public init() {}
}

/// So many times in so long.
public struct FrequencyCap: Sendable, Hashable {
    /// How many times, at least 1.
    public var count: Int
    /// In how long.
    public var window: Duration

    /// `count` times in `window`.
    public init(count: Int, window: Duration) {
        self.count = count
        self.window = window
    }
}

/// A part of an audio programme where ads may stand (S4.2).
public enum AudioSection: String, CaseIterable, Sendable {
    case preroll
    case midroll
    case pauseroll
    case postroll
}

/// The limits of an audio unit's sections; a section that is not listed is not served.
public struct SectionLimits: Sendable, Hashable {
    /// The limit of each section that is served.
    public var limits: [AudioSection: SectionLimit]

    /// Limits by section.
    public init(_ limits: [AudioSection: SectionLimit]) {
        self.limits = limits
    }
}

/// The limit of one section.
public struct SectionLimit: Sendable, Hashable {
    /// The most ads; `nil` is no limit.
    public var maxAds: Int?
    /// The longest the section may be; `nil` is no limit.
    public var maxDuration: Duration?
    /// The least content between a mid-roll and the break before or after it, for mid-rolls only; `nil` is no limit.
    public var minGap: Duration?

    /// A limit.
    public init(maxAds: Int? = nil, maxDuration: Duration? = nil, minGap: Duration? = nil) {
        self.maxAds = maxAds
        self.maxDuration = maxDuration
        self.minGap = minGap
    }
}
