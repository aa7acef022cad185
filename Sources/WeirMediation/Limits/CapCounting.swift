package import WeirModel
package import WeirTime

/// Whose turns are counted: one line item, for one person or for everybody.
package struct CapKey: Sendable, Hashable {
    /// The ad unit; line item ids are unique within it.
    package var adUnit: AdUnitID
    /// The line item.
    package var lineItem: LineItemID
    /// The person, or `nil` for everybody together.
    package var person: String?

    /// A key.
    package init(adUnit: AdUnitID, lineItem: LineItemID, person: String?) {
        self.adUnit = adUnit
        self.lineItem = lineItem
        self.person = person
    }

    /// How a person is told from others: by the publisher's user id, else the advertising id, else the address.
    ///
    /// The kinds are kept apart, so that an address can never be taken for a user id.
    package static func person(in request: AdRequest) -> String? {
        if let id = request.user.id, !id.isEmpty { return "u:" + id }
        if let id = request.device.advertisingID, !id.isEmpty { return "a:" + id }
        if let ip = request.device.ip, !ip.isEmpty { return "i:" + ip }
        return nil
    }
}

/// A turn that was taken before asking, to be kept by a fill or given back.
package struct CapReservation: Sendable, Hashable {
    /// What it counts for.
    package var key: CapKey
    /// The number of the window it counts in.
    package var window: Int64
}

/// Counts turns within windows; memory now, a store later.
package protocol CapCounting: Sendable {
    /// How many turns are left in the present window.
    func remaining(_ key: CapKey, _ cap: FrequencyCap, now: WallTime) -> Int

    /// Takes a turn before asking; `nil` when there is none left.
    ///
    /// Reserved turns count as taken, so that requests side by side can never pass the cap together.
    func reserve(_ key: CapKey, _ cap: FrequencyCap, now: WallTime) -> CapReservation?

    /// Keeps a reserved turn: the ad is handed to the caller.
    func commit(_ reservation: CapReservation)

    /// Gives a reserved turn back.
    func release(_ reservation: CapReservation)
}

extension FrequencyCap {
    /// The number of the window that holds `now`.
    ///
    /// Windows are aligned to 1970-01-01T00:00:00Z: a cap of a day begins anew at midnight UTC, for everybody at once.
    func window(at now: WallTime) -> Int64 {
        let length = max(1, window.milliseconds)
        let quotient = now.milliseconds / length
        return now.milliseconds % length < 0 ? quotient - 1 : quotient
    }
}
