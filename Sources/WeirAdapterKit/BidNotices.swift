public import WeirModel

/// Whom a bidder wants told what became of its bid; the gateway calls each at most once.
///
/// Macros of ``AuctionMacros`` whose value only the gateway knows may still stand in the URLs.
public struct BidNotices: Sendable, Hashable {
    /// The most URLs of one kind that are kept of one bid.
    public static let limit = 4

    /// Called when the ad goes to the caller (OpenRTB `nurl`, unless that is where the markup comes from).
    public var win: [String]
    /// Called when the ad is shown (OpenRTB `burl`).
    public var billing: [String]
    /// Called when the bid is not used, with the reason in `${AUCTION_LOSS}` (OpenRTB `lurl`).
    public var loss: [String]

    /// Notices; each list is cut to ``limit``, and what is no http or https address is left out.
    public init(win: [String] = [], billing: [String] = [], loss: [String] = []) {
        self.win = Self.kept(win)
        self.billing = Self.kept(billing)
        self.loss = Self.kept(loss)
    }

    /// Whether nobody wants to be told anything.
    public var isEmpty: Bool { win.isEmpty && billing.isEmpty && loss.isEmpty }

    private static func kept(_ urls: [String]) -> [String] { Array(urls.filter(\.isWebAddress).prefix(limit)) }
}

/// Why a bid was not used, in the numbers that bidders know (OpenRTB 3.0, list of loss reason codes, which 2.6 uses).
public enum LossReason: Int, CaseIterable, Sendable {
    case internalError = 1
    case expired = 2
    case invalidResponse = 3
    case noMarkup = 7
    case noPrice = 9
    case belowFloor = 100
    case outbid = 102
    case filtered = 200
    case wrongFormat = 204
    case blockedCategory = 209

    /// What a verdict on a bid means to its bidder.
    public init(_ reason: Reason) {
        switch reason {
        case .belowFloor: self = .belowFloor
        case .outbid, .filledAbove, .duplicate: self = .outbid
        case .noMarkup, .emptyVAST: self = .noMarkup
        case .missingPrice: self = .noPrice
        case .mime, .format, .duration: self = .wrongFormat
        case .blockedCategory, .missingCategory: self = .blockedCategory
        case .badPrice, .currency, .noRate, .unknownImp, .badJSON, .badVAST: self = .invalidResponse
        case .deadline, .lineTimeout, .groupTimeout: self = .expired
        case .cap, .pacing, .saturated: self = .internalError
        default: self = .filtered
        }
    }
}

extension Offer {
    /// An offer that cannot be used and only wants to be told so; `nil` when it does not.
    package init?(refused refusal: AttemptOutcome, id: String?, loss: [String]) {
        let notices = BidNotices(loss: loss)
        guard !notices.isEmpty else { return nil }
        self.init(markup: .document([]))
        self.id = id
        self.notices = notices
        self.refusal = refusal
    }

    /// Its loss notices with its own refusal for a reason; none while it can be used.
    package var lossURLs: [String] {
        guard let refusal else { return [] }
        let macros = AuctionMacros([.loss: "\(LossReason(refusal.reason).rawValue)"])
        return notices.loss.map { macros.expand($0) }
    }
}
