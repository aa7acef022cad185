internal import WeirTime

/// What kind of ad an ad unit sells.
public enum AdFormat: String, CaseIterable, Sendable {
    case video
    case rewarded
    case audio
}

/// One client call for one placement, as `POST /v1/ads` spells it.
public struct AdRequest: Sendable, Hashable {
    /// What is stored; the public properties say what it means.
    private struct Fields: Sendable, Hashable {
        var placement: PlacementID
        var app: App = App()
        var device: Device = Device()
        var user: User = User()
        var consent: Consent?
        var content: Content = Content()
        var player: Player = Player()
        var midpoints: Midpoints?
        var targeting: [String: [String]] = [:]
        var isTest: Bool = false
        var timeout: Duration?
    }

    private var shared: Shared<Fields>

    /// The placement asked for.
    public var placement: PlacementID {
        _read { yield shared.fields.placement }
        _modify { yield &shared.fields.placement }
    }

    /// The app that asks.
    public var app: App {
        _read { yield shared.fields.app }
        _modify { yield &shared.fields.app }
    }

    /// The device that will show the ad.
    public var device: Device {
        _read { yield shared.fields.device }
        _modify { yield &shared.fields.device }
    }

    /// The person in front of it.
    public var user: User {
        _read { yield shared.fields.user }
        _modify { yield &shared.fields.user }
    }

    /// What that person allowed; `nil` when the caller said nothing about consent.
    public var consent: Consent? {
        _read { yield shared.fields.consent }
        _modify { yield &shared.fields.consent }
    }

    /// What is being watched or heard.
    public var content: Content {
        _read { yield shared.fields.content }
        _modify { yield &shared.fields.content }
    }

    /// What the player can do.
    public var player: Player {
        _read { yield shared.fields.player }
        _modify { yield &shared.fields.player }
    }

    /// Where mid-rolls may go; `nil` leaves it to the network.
    public var midpoints: Midpoints? {
        _read { yield shared.fields.midpoints }
        _modify { yield &shared.fields.midpoints }
    }

    /// The publisher's own keys and values.
    public var targeting: [String: [String]] {
        _read { yield shared.fields.targeting }
        _modify { yield &shared.fields.targeting }
    }

    /// Asks networks for test ads.
    public var isTest: Bool {
        _read { yield shared.fields.isTest }
        _modify { yield &shared.fields.isTest }
    }

    /// The caller's own hard limit; `nil` takes the ad unit's.
    public var timeout: Duration? {
        _read { yield shared.fields.timeout }
        _modify { yield &shared.fields.timeout }
    }

    /// A request for `placement` that says nothing else.
    public init(placement: PlacementID) {
        shared = Shared(Fields(placement: placement))
    }

    /// The app that asks.
    public struct App: Sendable, Hashable {
        /// Bundle id, such as `com.example.player`.
        public var bundle: String?
        /// Version as the app spells it.
        public var version: String?

        /// Says nothing.
        public init() {}
    }

    /// The device that will show the ad.
    public struct Device: Sendable, Hashable {
        /// User agent.
        public var userAgent: String?
        /// IPv4 or IPv6 address.
        public var ip: String?
        /// Operating system, such as `ios`.
        public var os: String?
        /// Its version.
        public var osVersion: String?
        /// Language, ISO 639-1.
        public var language: String?
        /// Advertising id, only with the user's consent (S0.45).
        public var advertisingID: String?
        /// "Limit ad tracking" is on.
        public var limitsTracking: Bool?
        /// Country, ISO 3166-1 alpha-2.
        public var country: String?

        /// Says nothing.
        public init() {}
    }

    /// The person in front of the device.
    public struct User: Sendable, Hashable {
        /// The publisher's own id of the person.
        public var id: String?
        /// Age in years, 0 to 130.
        public var age: Int?
        /// `male`, `female` or another word.
        public var gender: String?
        /// Text that travels to the reward callback unchanged (S2.9).
        public var customData: String?

        /// Says nothing.
        public init() {}
    }

    /// What the person allowed.
    public struct Consent: Sendable, Hashable {
        /// Whether the GDPR applies.
        public var gdpr: Bool?
        /// IAB TCF string.
        public var tcf: String?
        /// IAB GPP string.
        public var gpp: String?
        /// Section ids of the GPP string in force.
        public var gppSections: [Int] = []
        /// IAB US privacy string.
        public var usPrivacy: String?
        /// Child-directed treatment.
        public var coppa: Bool?

        /// Says nothing.
        public init() {}
    }

    /// What is being watched or heard.
    public struct Content: Sendable, Hashable {
        /// Its address.
        public var url: String?
        /// Its length.
        public var duration: Duration?
        /// Its language, ISO 639-1.
        public var language: String?

        /// Says nothing.
        public init() {}
    }

    /// What the player can do.
    public struct Player: Sendable, Hashable {
        /// Width in CSS pixels.
        public var width: Int?
        /// Height in CSS pixels.
        public var height: Int?
        /// Whether it starts muted.
        public var isMuted: Bool?
        /// MIME types it plays; empty means the format's usual ones.
        public var mimes: [String] = []
        /// Highest bitrate in kbit/s.
        public var maxBitrate: Int?
        /// Where companions can be shown; `nil` says nothing, empty: nowhere, as on a device without a screen.
        public var companions: [CompanionPlace]?

        /// Says nothing.
        public init() {}
    }

    /// A place for a companion.
    public struct CompanionPlace: Sendable, Hashable {
        /// The id that a companion may name.
        public var id: String?
        /// Pixels.
        public var width: Int
        /// Pixels.
        public var height: Int

        /// A place.
        public init(id: String? = nil, width: Int, height: Int) {
            self.id = id
            self.width = width
            self.height = height
        }
    }

    /// Where mid-rolls may go.
    public enum Midpoints: Sendable, Hashable {
        /// Positions from the start of the content.
        case positions([Duration])
        /// Percent of the content's duration, 0 to 100.
        case percent([ExactDecimal])
    }
}
