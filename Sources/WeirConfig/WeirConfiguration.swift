package import WeirAdapterKit
package import WeirCarriers
package import WeirJSON
package import WeirModel

/// Everything one configuration file says, checked; a reload makes a new one.
package struct WeirConfiguration: Sendable {
    /// The doors.
    package var server = ServerSettings()
    /// How adapters are started.
    package var initialization = InitializationSettings()
    /// Where decisions are kept: `sqlite:PATH`, made relative to the configuration file, or `sqlite::memory:`.
    package var storageURL: String
    /// Placements, ad units, line items, networks.
    package var catalog: Catalog
    /// What each network's adapter is made from, in the order of the catalogue's networks.
    package var networks: [NetworkEntry]
    /// How rewards reach the publisher.
    package var rewards = RewardSettings()
    /// What currencies are worth in one another.
    package var currency = CurrencySettings()
    /// Files beside the configuration that it is made from; a change of one is as good as a change of the configuration.
    package var watchedFiles: [String] = []
    /// How much one request or session may cost.
    package var limits = LimitSettings()
    /// How beacons are kept and sent.
    package var beacons = BeaconSettings()
    /// The secrets' texts, for the log to black out: those of at least four bytes.
    package var secrets: [String]
    /// Twelve hexadecimal digits that change with the content, not with comments, blanks or the order of keys.
    package var version: String
    /// The file's content without secrets, for `GET /v1/config`.
    package var redacted: JSONValue
}

/// One network of the configuration, with what its adapter needs.
package struct NetworkEntry: Sendable {
    /// The network.
    package var network: Network
    /// Its settings, secrets replaced by their text: for the adapter only, never to be shown.
    package var settings: JSONValue
    /// Makes its adapter; `nil` for a kind that the program is built with, or when there is none.
    package var factory: AdapterFactory?
    /// Changes when the adapter must be made anew: with kind, settings, secrets, command or file.
    ///
    /// To be compared, not to be shown: it depends on secrets.
    package var fingerprint: String
    /// How its process is run; `nil` unless it is of the kind `process`.
    package var process: ProcessConfiguration?
    /// Why the network is left out, as one sentence; only a lenient reading leaves any out.
    package var problem: String?
    /// What to do about ``problem``.
    package var remedy: String?
    /// Whether ``problem`` is that no adapter of that kind is known.
    package var hasUnknownAdapter = false
}
