/// How one line item's try ended.
public enum AttemptResult: String, CaseIterable, Sendable {
    case fill
    case noFill = "no_fill"
    case timeout
    case networkError = "network_error"
    case badResponse = "bad_response"
    case rejected
    case skipped
    case crash
    case notAttempted = "not_attempted"

    /// The reasons that may stand beside this result; the list is closed (docs/errors.md explains each).
    public var reasons: [Reason] {
        switch self {
        case .fill: [.fill]
        case .noFill: [.http204, .emptyBody, .emptyVAST, .noAd, .noBid, .networkNoFill]
        case .timeout: [.lineTimeout, .groupTimeout, .deadline]
        case .networkError:
            [
                .connectionRefused, .dns, .tls, .reset, .http4xx, .http5xx, .redirectRefused, .addressRefused,
                .networkReported,
            ]
        case .badResponse:
            [.tooLarge, .badJSON, .badVAST, .badEncoding, .wrongContentType, .missingPrice, .badPrice]
        case .rejected:
            [
                .noMarkup, .mime, .belowFloor, .noRate, .currency, .unknownImp, .blockedCategory, .missingCategory,
                .uiNotHideable, .duration, .wrapperLimit, .wrapperFailed, .duplicate, .outbid,
            ]
        case .skipped:
            [
                .notReady, .disabled, .unknownAdapter, .missingField, .format, .consent, .targeting, .cap, .pacing,
                .belowFloor, .circuitOpen, .saturated,
            ]
        case .crash: [.exit, .signal, .protocol]
        case .notAttempted: [.filledAbove, .deadline]
        }
    }
}

/// Why a line item's try ended as it did: a stable word for scripts and metrics.
public enum Reason: String, CaseIterable, Sendable {
    case fill
    case http204 = "http_204"
    case emptyBody = "empty_body"
    case emptyVAST = "empty_vast"
    case noAd = "no_ad"
    case noBid = "no_bid"
    case networkNoFill = "network_no_fill"
    case lineTimeout = "line_timeout"
    case groupTimeout = "group_timeout"
    case deadline
    case connectionRefused = "connection_refused"
    case dns
    case tls
    case reset
    case http4xx = "http_4xx"
    case http5xx = "http_5xx"
    case redirectRefused = "redirect_refused"
    case addressRefused = "address_refused"
    case networkReported = "network_reported"
    case tooLarge = "too_large"
    case badJSON = "bad_json"
    case badVAST = "bad_vast"
    case badEncoding = "bad_encoding"
    case wrongContentType = "wrong_content_type"
    case missingPrice = "missing_price"
    case badPrice = "bad_price"
    case noMarkup = "no_markup"
    case mime
    case belowFloor = "below_floor"
    case noRate = "no_rate"
    case currency
    case unknownImp = "unknown_imp"
    case blockedCategory = "blocked_category"
    case missingCategory = "missing_category"
    case uiNotHideable = "ui_not_hideable"
    case duration
    case wrapperLimit = "wrapper_limit"
    case wrapperFailed = "wrapper_failed"
    case duplicate
    case outbid
    case notReady = "not_ready"
    case disabled
    case unknownAdapter = "unknown_adapter"
    case missingField = "missing_field"
    case format
    case consent
    case targeting
    case cap
    case pacing
    case circuitOpen = "circuit_open"
    case saturated
    case exit
    case signal
    case `protocol`
    case filledAbove = "filled_above"
}

/// A verdict on one try: result, reason, and one sentence for a person.
public struct AttemptOutcome: Sendable, Hashable {
    /// How it ended.
    public var result: AttemptResult
    /// Why, from the closed list of the result.
    public var reason: Reason
    /// One sentence, without secrets.
    public var message: String
    /// The network's own error code, as it sent it.
    public var networkCode: String?
    /// The network's own words, as it sent them.
    public var networkMessage: String?

    /// A verdict; `reason` must be one of `result.reasons`.
    public init(
        _ result: AttemptResult,
        _ reason: Reason,
        _ message: String,
        networkCode: String? = nil,
        networkMessage: String? = nil
    ) {
        precondition(result.reasons.contains(reason), "\(reason.rawValue) does not explain \(result.rawValue)")
        self.result = result
        self.reason = reason
        self.message = message
        self.networkCode = networkCode
        self.networkMessage = networkMessage
    }
}

/// One line item's part in one ad request: the unit of the decision log.
public struct Attempt: Sendable, Hashable {
    /// The line item.
    public var lineItem: LineItemID
    /// Its network.
    public var network: NetworkID
    /// The adapter's kind, such as `vast`.
    public var adapter: String
    /// The adapter's version; `nil` when the adapter is unknown.
    public var adapterVersion: String?
    /// The verdict.
    public var outcome: AttemptOutcome
    /// When it began, from the request's arrival; `nil` when no network was asked.
    public var start: Duration?
    /// How long it took; zero when no network was asked.
    public var latency: Duration
    /// When the network may be asked again, for an open breaker.
    public var retryAtMilliseconds: Int64?
    /// The line item's rate.
    public var rate: Money?
    /// What the network offered; `nil` when it named no price.
    public var price: Money?
    /// Ads that the network offered and that are not in the answer; audio only, at most ``leftOutLimit``.
    public var leftOut: [LeftOutAd] = []

    /// The most ads of one attempt that are listed as left out.
    public static let leftOutLimit = 50

    /// An attempt with all that is known of it.
    public init(
        lineItem: LineItemID,
        network: NetworkID,
        adapter: String,
        adapterVersion: String?,
        outcome: AttemptOutcome,
        start: Duration? = nil,
        latency: Duration = .zero,
        retryAtMilliseconds: Int64? = nil,
        rate: Money? = nil
    ) {
        self.lineItem = lineItem
        self.network = network
        self.adapter = adapter
        self.adapterVersion = adapterVersion
        self.outcome = outcome
        self.start = start
        self.latency = latency
        self.retryAtMilliseconds = retryAtMilliseconds
        self.rate = rate
    }
}
