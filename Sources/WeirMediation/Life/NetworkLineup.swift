internal import Synchronization
package import WeirModel

/// The networks that one request may ask, together with the catalogue they belong to.
///
/// A request takes the line-up of the moment and keeps it to its end: a reload in between changes nothing for it, and
/// no adapter is torn down as long as a request holds a line-up that lists it.
package final class NetworkLineup: Sendable {
    /// The catalogue that the networks were configured with.
    package let catalog: Catalog
    /// A handle for every configured network.
    package let handles: [NetworkID: NetworkHandle]
    private let initialization: InitializationFlag

    init(catalog: Catalog, handles: [NetworkID: NetworkHandle], initialization: InitializationFlag) {
        self.catalog = catalog
        self.handles = handles
        self.initialization = initialization
        for handle in handles.values { handle.joinLineup() }
    }

    deinit {
        for handle in handles.values { handle.leaveLineup() }
    }

    /// The network's handle.
    package subscript(network: NetworkID) -> NetworkHandle? { handles[network] }

    /// Whether the initialization of the process is over.
    package var isInitialized: Bool { initialization.isComplete }
}

/// Whether the initialization is over, readable without a lock.
final class InitializationFlag: Sendable {
    private let flag = Atomic(false)

    var isComplete: Bool { flag.load(ordering: .acquiring) }

    func complete() { flag.store(true, ordering: .releasing) }
}
