internal import WeirModel

extension AdapterError {
    /// The longest code of a network that is kept, in Unicode scalars.
    public static let networkCodeLength = 128

    /// The longest message of a network that is kept, in Unicode scalars.
    public static let networkMessageLength = 512

    /// `network_error(network_reported)`: the network itself said that something is wrong.
    ///
    /// Code and message are kept in the network's own spelling, cut to their limits and without control characters.
    public static func reported(code: String?, message: String?) -> AdapterError {
        AdapterError(
            .networkError,
            .networkReported,
            "The network reported an error.",
            networkCode: code.map { printable($0, networkCodeLength) },
            networkMessage: message.map { printable($0, networkMessageLength) }
        )
    }
}

private func printable(_ text: String, _ length: Int) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(length) {
        kept.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return String(kept)
}
