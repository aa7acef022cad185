internal import WeirTime

/// One rung of a waterfall: a network's unit at a rate.
public struct LineItem: Sendable, Hashable {
    /// What is stored; the public properties say what it means.
    private struct Fields: Sendable, Hashable {
        var id: LineItemID
        var network: NetworkID
        var networkUnit: String
        var rate: Money?
        var isBidding: Bool = false
        var timeout: Duration?
        var isEnabled: Bool = true
        var targeting: Targeting?
        var cap: FrequencyCap?
        var pacing: FrequencyCap?
        var requiresConsent: Bool = false
    }

    private var shared: Shared<Fields>

    /// Its id, unique within the ad unit.
    public var id: LineItemID {
        _read { yield shared.fields.id }
        _modify { yield &shared.fields.id }
    }

    /// The network asked.
    public var network: NetworkID {
        _read { yield shared.fields.network }
        _modify { yield &shared.fields.network }
    }

    /// The id of the inventory inside that network, as the network spells it.
    public var networkUnit: String {
        _read { yield shared.fields.networkUnit }
        _modify { yield &shared.fields.networkUnit }
    }

    /// The price that places it, CPM; a bidding line item has none.
    public var rate: Money? {
        _read { yield shared.fields.rate }
        _modify { yield &shared.fields.rate }
    }

    /// Whether it names a price for each request: it is asked before the others and takes its place by what it bids.
    public var isBidding: Bool {
        _read { yield shared.fields.isBidding }
        _modify { yield &shared.fields.isBidding }
    }

    /// The most it may take; `nil` takes the network's.
    public var timeout: Duration? {
        _read { yield shared.fields.timeout }
        _modify { yield &shared.fields.timeout }
    }

    /// Whether it is asked at all.
    public var isEnabled: Bool {
        _read { yield shared.fields.isEnabled }
        _modify { yield &shared.fields.isEnabled }
    }

    /// Who it is for; `nil` is everybody.
    public var targeting: Targeting? {
        _read { yield shared.fields.targeting }
        _modify { yield &shared.fields.targeting }
    }

    /// How often one user may get it.
    public var cap: FrequencyCap? {
        _read { yield shared.fields.cap }
        _modify { yield &shared.fields.cap }
    }

    /// How often it may be asked in all.
    public var pacing: FrequencyCap? {
        _read { yield shared.fields.pacing }
        _modify { yield &shared.fields.pacing }
    }

    /// Whether it needs consent where the GDPR applies.
    public var requiresConsent: Bool {
        _read { yield shared.fields.requiresConsent }
        _modify { yield &shared.fields.requiresConsent }
    }

    /// A line item with the defaults of docs/configuration.md.
    public init(id: LineItemID, network: NetworkID, networkUnit: String) {
        shared = Shared(Fields(id: id, network: network, networkUnit: networkUnit))
    }
}
