public import WeirAdapterKit
public import WeirJSON
public import WeirModel

/// How one bidder wants to be talked to, beyond what every ask says.
public struct OpenRTBProfile: Sendable, Hashable {
    /// How the ads of one interruption are offered (OpenRTB 2.6 §7.6).
    public enum PodKind: String, CaseIterable, Sendable {
        /// One impression with a length and a most of ads; the bidder fills it as it likes.
        case dynamic
        /// One impression for each ad, each with its place.
        case structured
        /// One impression for one ad, whatever the ad unit allows: for servers that know no pods.
        case none
    }

    /// A private deal that this bidder may bid on (OpenRTB 2.6 §3.2.12).
    public struct Deal: Sendable, Hashable {
        /// The deal's id.
        public var id: String
        /// The least it may pay, CPM.
        public var floor: Money?
        /// Its auction type; `nil` takes the request's.
        public var auctionType: Int?
        /// The seats that may use it; empty is every seat.
        public var seats: [String]

        /// A deal.
        public init(id: String, floor: Money? = nil, auctionType: Int? = nil, seats: [String] = []) {
            self.id = id
            self.floor = floor
            self.auctionType = auctionType
            self.seats = seats
        }
    }

    /// The most deals of one network.
    public static let dealLimit = 100

    /// The publisher's id inside the network.
    public var publisherID: String?
    /// The site's id inside the network.
    public var siteID: String?
    /// The site's domain.
    public var siteDomain: String?
    /// The app's id inside the network.
    public var appID: String?
    /// The app's name.
    public var appName: String?
    /// The app's page in its store.
    public var appStoreURL: String?
    /// The currencies that bids may come in; empty takes the floor's, else USD.
    public var currencies: [Currency] = []
    /// How interruptions of several ads are offered.
    public var pods = PodKind.dynamic
    /// Private deals.
    public var deals: [Deal] = []
    /// Whether only bids on one of the deals are wanted.
    public var isPrivateAuction = false
    /// The seats that may bid; empty is every seat.
    public var seats: [String] = []
    /// Advertisers' domains that are refused.
    public var blockedAdvertisers: [String] = []
    /// Merged into every bid request.
    public var request: MergedJSON = .empty
    /// Merged into every impression.
    public var impression: MergedJSON = .empty

    /// A bidder that wants nothing in particular.
    public init() {}

    /// The names that ``init(_:)`` reads.
    public static let settings = [
        "publisher_id", "site_id", "site_domain", "app_id", "app_name", "app_store_url", "currencies", "pods", "deals",
        "private_auction", "seats", "blocked_advertisers", "request", "imp",
    ]

    /// Reads a profile from a network's settings; names that are none of ``settings`` are left alone.
    ///
    /// - Throws: ``SettingsError`` with the path of the first that is wrong.
    public init(_ settings: JSONValue) throws(SettingsError) {
        let plain = try AdapterSettings(settings)
        publisherID = try plain.text("publisher_id")
        siteID = try plain.text("site_id")
        siteDomain = try plain.text("site_domain")
        appID = try plain.text("app_id")
        appName = try plain.text("app_name")
        appStoreURL = try plain.text("app_store_url")
        currencies = try Self.texts(settings, "currencies").currencies
        if let kind = try plain.text("pods") {
            guard let known = PodKind(rawValue: kind) else {
                throw SettingsError(path: "settings.pods", message: "must be dynamic, structured or none")
            }
            pods = known
        }
        if let flag = settings["private_auction"], !flag.isNull {
            guard let value = flag.bool else {
                throw SettingsError(path: "settings.private_auction", message: "must be true or false")
            }
            isPrivateAuction = value
        }
        seats = try Self.texts(settings, "seats").texts
        blockedAdvertisers = try Self.texts(settings, "blocked_advertisers").texts.map { $0.lowercased() }
        deals = try Self.deals(settings)
        guard !isPrivateAuction || !deals.isEmpty else {
            throw SettingsError(path: "settings.private_auction", message: "needs deals: without any, nobody could bid")
        }
        request = try MergedJSON(settings["request"] ?? .null, path: "settings.request", values: plain.values)
        impression = try MergedJSON(settings["imp"] ?? .null, path: "settings.imp", values: plain.values)
    }

    private struct Texts {
        var path: String
        var texts: [String]

        var currencies: [Currency] {
            get throws(SettingsError) {
                var known: [Currency] = []
                for (place, text) in texts.enumerated() {
                    guard let currency = Currency(text) else {
                        throw SettingsError(path: "\(path)[\(place)]", message: "must be three letters, such as USD")
                    }
                    known.append(currency)
                }
                return known
            }
        }
    }

    private static func texts(_ settings: JSONValue, _ name: String) throws(SettingsError) -> Texts {
        let path = "settings.\(name)"
        guard let value = settings[name], !value.isNull else { return Texts(path: path, texts: []) }
        guard let elements = value.array, elements.count <= 1000 else {
            throw SettingsError(path: path, message: "must be a list of at most 1000 texts")
        }
        var texts: [String] = []
        for (place, element) in elements.enumerated() {
            guard let text = element.string, !text.isEmpty, text.utf8.count <= AdapterSettings.textBytes else {
                throw SettingsError(path: "\(path)[\(place)]", message: "must be a text, not \(element.kindName)")
            }
            texts.append(text)
        }
        return Texts(path: path, texts: texts)
    }

    private static func deals(_ settings: JSONValue) throws(SettingsError) -> [Deal] {
        let path = "settings.deals"
        guard let value = settings["deals"], !value.isNull else { return [] }
        guard let elements = value.array, elements.count <= dealLimit else {
            throw SettingsError(path: path, message: "must be a list of at most \(dealLimit) deals")
        }
        var deals: [Deal] = []
        for (place, element) in elements.enumerated() { deals.append(try deal(element, "\(path)[\(place)]")) }
        return deals
    }

    private static func deal(_ value: JSONValue, _ path: String) throws(SettingsError) -> Deal {
        let known = ["id", "floor", "at", "seats"]
        for key in value.object?.keys ?? [] where !known.contains(key) {
            throw SettingsError(path: "\(path).\(key)", message: "is not known; a deal has id, floor, at and seats")
        }
        guard let id = value["id"]?.string, !id.isEmpty, id.utf8.count <= 256 else {
            throw SettingsError(path: "\(path).id", message: "is required: the deal's id as text")
        }
        var deal = Deal(id: id)
        if let floor = value["floor"], !floor.isNull {
            guard let currency = floor["currency"]?.string.flatMap(Currency.init),
                let money = Money(amount: floor["amount"]?.string ?? "", currency: currency), money.micros >= 0
            else {
                throw SettingsError(
                    path: "\(path).floor",
                    message: "must be {\"amount\": \"1.50\", \"currency\": \"USD\"}"
                )
            }
            deal.floor = money
        }
        if let type = value["at"], !type.isNull {
            guard let number = type.int, (1...3).contains(number) else {
                throw SettingsError(path: "\(path).at", message: "must be 1, 2 or 3")
            }
            deal.auctionType = number
        }
        deal.seats = try texts(["seats": value["seats"] ?? .null], "seats").texts
        return deal
    }

    /// The currencies that are asked for, the first the one that is preferred.
    func accepted(for ask: AdAsk) -> [Currency] {
        if !currencies.isEmpty { return currencies }
        return [ask.adUnit.floor?.currency ?? .usDollar]
    }
}
