package import WeirAdapterKit
package import WeirModel

/// One network as the configuration hands it to the registry.
package struct RegistryEntry: Sendable {
    /// Where the network's adapter comes from.
    package enum Source: Sendable {
        /// Made by a factory, without I/O; a restart makes it anew.
        case adapter(
            AdapterDescriptor,
            make: @Sendable () throws(SettingsError) -> any NetworkAdapter
        )
        /// There is none, and this is why: listed as `disabled`, its lines are skipped with the reason.
        case unavailable(Unavailability)
    }

    /// The network.
    package var network: Network
    /// How the adapter's code gets here.
    package var carrier: AdapterCarrier
    /// Stands for everything that the adapter was made from; as long as it stays the same, a reload changes nothing.
    package var fingerprint: String
    /// Where the adapter comes from.
    package var source: Source

    /// An entry.
    package init(network: Network, carrier: AdapterCarrier = .builtIn, fingerprint: String, source: Source) {
        self.network = network
        self.carrier = carrier
        self.fingerprint = fingerprint
        self.source = source
    }
}

/// Why a network has no adapter that could be asked.
package struct Unavailability: Sendable, Hashable {
    /// ``WeirModel/Reason/disabled`` or ``WeirModel/Reason/unknownAdapter``.
    package var reason: Reason
    /// One sentence without the network's id, such as `no adapter is called vsat; did you mean vast?`.
    package var message: String
    /// What an operator can do.
    package var remedy: String?

    /// A reason why.
    ///
    /// - Precondition: `reason` explains `skipped`.
    package init(_ reason: Reason, _ message: String, remedy: String? = nil) {
        precondition(AttemptResult.skipped.reasons.contains(reason), "\(reason.rawValue) does not explain skipped")
        self.reason = reason
        self.message = message
        self.remedy = remedy
    }

    /// The message as a sentence about `network`.
    func sentence(about network: NetworkID) -> String {
        let isEnded = message.last.map { ".?!".contains($0) } ?? false
        return "\(network): \(message)" + (isEnded ? "" : ".")
    }

    /// `enabled: false` in the configuration.
    static let byConfiguration = Unavailability(
        .disabled,
        "disabled in the configuration (enabled: false)",
        remedy: "Set enabled to true, or enable it for now with POST /v1/adapters/{network}/enable."
    )

    /// `POST /v1/adapters/{network}/disable`.
    static let byOperator = Unavailability(
        .disabled,
        "disabled by an operator",
        remedy: "Enable it with POST /v1/adapters/{network}/enable."
    )

    /// Settings that the factory refused.
    static func badSettings(_ error: SettingsError) -> Unavailability {
        Unavailability(
            .disabled,
            "its settings are wrong: \(error.path): \(error.message)",
            remedy: "Correct \(error.path) and reload the configuration."
        )
    }
}

/// What the registry tells its owner, for the log and the metrics.
package enum AdapterEvent: Sendable, Hashable {
    /// A network's adapter went from one state to another.
    case stateChanged(from: AdapterState, to: AdapterStatus)
    /// The initialization of the process is over; comes exactly once (S2.31).
    case initialized(InitializationStatus)
    /// A set-up was cancelled and does not end.
    case setUpLeftBehind(NetworkID)
    /// A tear-down did not end in time.
    case tearDownLeftBehind(NetworkID)
}
