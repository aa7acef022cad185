public import WeirAdapterKit
public import WeirJSON
internal import WeirModel
public import WeirTime

/// Our words in OpenRTB's: the bid request for one ask (OpenRTB 2.6 §3.2).
///
/// Consent is said twice: where 2.6 has it, and in the extensions where servers of 2.5 still look (OpenRTB 2.x GDPR and
/// US privacy advisories).
public struct OpenRTBRequest: Sendable {
    /// The header fields of a bid request (OpenRTB 2.6 §2.2, §2.5).
    public static let headers = [
        HTTPHeader("Content-Type", "application/json"), HTTPHeader("Accept", "application/json"),
        HTTPHeader("X-Openrtb-Version", "2.6"),
    ]

    let profile: OpenRTBProfile

    /// Requests for a bidder.
    public init(_ profile: OpenRTBProfile) {
        self.profile = profile
    }

    /// The id of the request for an ask: of the ad request and the line item, because one network may be asked for
    /// several.
    public static func id(for ask: AdAsk) -> String { "\(ask.requestID.text)-\(ask.lineItem.id.text)" }

    /// The bid request.
    ///
    /// - Parameters:
    ///   - ask: What is asked.
    ///   - clock: For `tmax`, which is what is left of the ask's time.
    /// - Returns: The object that goes out as JSON.
    /// - Throws: `skipped(missing_field)` when what the operator merges in requires a field that the ask lacks.
    public func body(for ask: AdAsk, clock: any GatewayClock) throws(AdapterError) -> JSONObject {
        var body: JSONObject = ["id": .string(Self.id(for: ask))]
        var impressions: [JSONValue] = []
        for impression in OpenRTBImpression.all(for: ask, profile) {
            impressions.append(
                .object(try profile.impression.merge(into: self.impression(impression, ask), for: ask, clock: clock))
            )
        }
        body["imp"] = .array(impressions)
        if ask.request.app.bundle == nil {
            body["site"] = .object(site(ask.request))
        } else {
            body["app"] = .object(app(ask.request))
        }
        body["device"] = .object(device(ask.request.device))
        body["user"] = filled(user(ask.request, clock))
        body["regs"] = filled(regulations(ask.request.consent))
        body["test"] = ask.isTest ? 1 : 0
        // A first-price auction: what a bidder offers is what it pays.
        body["at"] = 1
        body["tmax"] = .int(max(1, ask.deadline.remaining(clock).milliseconds))
        body["cur"] = .array(profile.accepted(for: ask).map { .string($0.code) })
        if !profile.seats.isEmpty { body["wseat"] = texts(profile.seats) }
        if !ask.adUnit.blockedCategories.isEmpty { body["bcat"] = texts(ask.adUnit.blockedCategories.sorted()) }
        if !profile.blockedAdvertisers.isEmpty { body["badv"] = texts(profile.blockedAdvertisers) }
        // The publisher's own server decides finally, so the final decision is not upstream.
        body["source"] = ["fd": 0, "tid": .string(ask.requestID.text)]
        return try profile.request.merge(into: body, for: ask, clock: clock)
    }

    private func impression(_ impression: OpenRTBImpression, _ ask: AdAsk) -> JSONObject {
        let unit = ask.adUnit
        var object: JSONObject = ["id": .string(impression.id)]
        let media = OpenRTBMedia(impression, ask)
        object[unit.format == .audio ? "audio" : "video"] = .object(unit.format == .audio ? media.audio : media.video)
        if unit.format == .rewarded {
            object["rwdd"] = 1
            object["instl"] = 1
        }
        object["tagid"] = .string(ask.lineItem.networkUnit)
        if let floor = unit.floor, floor.micros > 0 {
            object["bidfloor"] = JSONNumber(floor.amount).map(JSONValue.number)
            object["bidfloorcur"] = .string(floor.currency.code)
        }
        object["secure"] = 1
        object["exp"] = .int(max(1, unit.expires.milliseconds / 1000))
        object["displaymanager"] = "Weir"
        if !profile.deals.isEmpty {
            object["pmp"] = [
                "private_auction": profile.isPrivateAuction ? 1 : 0,
                "deals": .array(profile.deals.map { .object(deal($0)) }),
            ]
        }
        return object
    }

    private func deal(_ deal: OpenRTBProfile.Deal) -> JSONObject {
        var object: JSONObject = ["id": .string(deal.id)]
        if let floor = deal.floor {
            object["bidfloor"] = JSONNumber(floor.amount).map(JSONValue.number)
            object["bidfloorcur"] = .string(floor.currency.code)
        }
        object["at"] = deal.auctionType.map { .int($0) }
        if !deal.seats.isEmpty { object["wseat"] = texts(deal.seats) }
        return object
    }
}

/// An object with members; `nil` for one without.
func filled(_ object: JSONObject) -> JSONValue? { object.isEmpty ? nil : .object(object) }

/// A list of texts.
func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
