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

    /// The parameters of the callback that these options make: percent-encoded, absent ones left out.
    public var query: String {
        [("custom_data", customData), ("user_id", userID)]
            .compactMap { name, value in value.map { "\(name)=\(Self.encoded($0))" } }
            .joined(separator: "&")
    }

    /// RFC 3986: all but the unreserved characters are encoded, so that `&`, `=`, `%` and `+` come through.
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
