package import WeirAdapterKit
package import WeirMediation
package import WeirModel

/// What requests are decided by: one immutable value, replaced whole by a reload.
package struct ServingState: Sendable {
    /// Placements, ad units, line items.
    package var catalog: Catalog
    /// The running adapters.
    package var networks: [NetworkID: NetworkHandle]
    /// The ways to the networks, for wrappers and beacons; each keeps to its network's addresses.
    package var transports: [NetworkID: any HTTPTransport]
    /// The most wrappers before an inline ad (VAST 4.3 §2.3.4 recommends five).
    package var wrapperDepth: Int

    /// A state.
    package init(
        catalog: Catalog,
        networks: [NetworkID: NetworkHandle],
        transports: [NetworkID: any HTTPTransport],
        wrapperDepth: Int = 5
    ) {
        self.catalog = catalog
        self.networks = networks
        self.transports = transports
        self.wrapperDepth = wrapperDepth
    }
}
