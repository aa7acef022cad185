/// The id of a session: hard to guess, because who knows it may drive the session.
package struct SessionID: Hashable, Sendable, CustomStringConvertible {
    /// `ses_` and 32 hexadecimal digits.
    package let text: String

    /// Reads an id; `nil` when no gateway can have made it.
    package init?(_ text: String) {
        guard text.utf8.count == 36, text.hasPrefix("ses_"),
            text.utf8.dropFirst(4).allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.text = text
    }

    /// A new id.
    init() {
        func digits() -> String {
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        text = "ses_" + digits() + digits()
    }

    /// The text.
    package var description: String { text }
}
