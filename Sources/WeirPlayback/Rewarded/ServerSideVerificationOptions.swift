/// What travels to the server that verifies a reward (S2.9–S2.11).
///
/// A value that is not set is absent from the callback; an empty one is there and empty (S2.10).
public struct ServerSideVerificationOptions: Hashable, Sendable {
    /// Who will be rewarded, as the publisher knows that person; `nil` is not sent.
    public var userID: String?
    /// Any text of the publisher's, at most ``PlaybackMessage/textLimit`` bytes; sent unchanged as `custom_data`.
    public var customData: String?

    /// Options; without arguments nothing is sent.
    public init(userID: String? = nil, customData: String? = nil) {
        self.userID = userID
        self.customData = customData
    }

    /// Reads `user_id` and `custom_data`.
    ///
    /// - Throws: `bad_input` when one of them is no text or too long.
    init(_ message: PlaybackMessage) throws(PlaybackRefusal) {
        userID = try message.optionalText("user_id")
        customData = try message.optionalText("custom_data")
    }

    /// The parameters of the callback that these options make, absent ones left out.
    ///
    /// Percent-encoded after RFC 3986, so that `&`, `=`, `%` and `+` come through.
    public var query: String {
        [("custom_data", customData), ("user_id", userID)]
            .compactMap { name, value in value.map { "\(name)=\(AdsRequest.encoded($0))" } }
            .joined(separator: "&")
    }
}
