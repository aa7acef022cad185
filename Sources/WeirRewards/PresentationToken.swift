internal import COpenSSL
internal import WeirJSON
package import WeirModel
package import WeirTime

/// What a rewarded ad's single-use token says: which ad was handed to whom, what it promises, and until when it may be
/// shown.
///
/// The text is `base64url(payload).base64url(HMAC-SHA256)`; the payload is readable, not secret, and cannot be changed.
/// It holds the whole record of the view, so that a reward can be granted even where that record was lost. Whether a
/// token was used already is the ledger's to know.
package struct PresentationToken: Sendable, Hashable {
    /// The longest text that is looked at, in bytes.
    package static let limit = 32_768

    /// The ad request that the ad answered.
    package var request: RequestID
    /// The ad unit.
    package var adUnit: AdUnitID
    /// The user, as the publisher names it; empty when unknown.
    package var user: String
    /// When the ad expires.
    package var expires: WallTime
    /// The placement; empty when unknown.
    package var placement = ""
    /// The network that filled; empty when unknown.
    package var network = ""
    /// The line item that filled; empty when unknown.
    package var lineItem = ""
    /// The publisher's own custom data; `nil` when there is none.
    package var customData: String?
    /// What is promised.
    package var reward: Reward?
    /// What tells the device apart from others.
    package var device: String?

    /// A token's content; the rest is set afterwards.
    package init(request: RequestID, adUnit: AdUnitID, user: String, expires: WallTime) {
        self.request = request
        self.adUnit = adUnit
        self.user = user
        self.expires = expires
    }

    /// The signed text.
    package func signed(by key: TokenKey) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("r", request.text)
            json.member("a", adUnit.text)
            json.member("u", user)
            json.member("x", expires.milliseconds)
            if !placement.isEmpty { json.member("p", placement) }
            if !network.isEmpty { json.member("n", network) }
            if !lineItem.isEmpty { json.member("l", lineItem) }
            if let customData { json.member("c", customData) }
            if let reward {
                json.member("i", reward.item)
                json.member("m", reward.amount.description)
            }
            if let device { json.member("d", device) }
        }
        let payload = Base64URL.encode(json.bytes)
        return payload + "." + Base64URL.encode(key.authenticate(Array(payload.utf8)))
    }

    /// Reads a signed text; `nil` when it was not signed by `key` or was changed.
    package init?(_ text: String, key: TokenKey) {
        let halves = text.split(separator: ".", omittingEmptySubsequences: false)
        guard text.utf8.count <= Self.limit, halves.count == 2,
            let signature = Base64URL.decode(halves[1]),
            key.authenticate(Array(halves[0].utf8)).equalsInConstantTime(signature),
            let payload = Base64URL.decode(halves[0]), let json = try? JSONReader.read(payload),
            let request = json["r"]?.string, let adUnit = json["a"]?.string, let user = json["u"]?.string,
            let expires = json["x"]?.number?.int64
        else { return nil }
        self.init(
            request: RequestID(request),
            adUnit: AdUnitID(adUnit),
            user: user,
            expires: WallTime(milliseconds: expires)
        )
        placement = json["p"]?.string ?? ""
        network = json["n"]?.string ?? ""
        lineItem = json["l"]?.string ?? ""
        customData = json["c"]?.string
        if let item = json["i"]?.string, let amount = json["m"]?.string.flatMap(ExactDecimal.init) {
            reward = Reward(item: item, amount: amount)
        }
        device = json["d"]?.string
    }
}

/// The short text that travels to networks in place of the publisher's custom data and comes back in their callbacks.
///
/// `w1.<request id>.<16 characters of an HMAC>`, 46 bytes: fits where networks cut user ids at 64, and nobody can make
/// one for a view that was never handed out.
package enum ViewNonce {
    private static let prefix = "w1."

    /// The nonce of a view.
    package static func text(_ request: RequestID, key: TokenKey) -> String {
        let body = prefix + request.text
        return body + "." + Base64URL.encode(Array(key.authenticate(Array(body.utf8)).prefix(12)))
    }

    /// The view of a nonce; `nil` for any other text.
    package static func request(_ text: String, key: TokenKey) -> RequestID? {
        guard text.hasPrefix(prefix), text.utf8.count <= 160, let dot = text.lastIndex(of: "."),
            text.distance(from: text.startIndex, to: dot) > prefix.count
        else { return nil }
        let request = RequestID(String(text[text.index(text.startIndex, offsetBy: prefix.count)..<dot]))
        guard Array(self.text(request, key: key).utf8).equalsInConstantTime(Array(text.utf8)) else { return nil }
        return request
    }
}

/// The key that signs presentation tokens: 32 bytes.
package struct TokenKey: Sendable {
    /// The key itself, to be kept where nobody else can read it.
    package let bytes: [UInt8]

    /// A key from the operating system's randomness, good for this process.
    package init() {
        bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    }

    /// A key of `bytes`, at least 16.
    package init(_ bytes: [UInt8]) {
        precondition(bytes.count >= 16, "A token key has at least 16 bytes.")
        self.bytes = bytes
    }

    /// HMAC-SHA256 of `message` (RFC 2104).
    func authenticate(_ message: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 32
        let made = HMAC(EVP_sha256(), bytes, Int32(bytes.count), message, message.count, &digest, &length)
        precondition(made != nil && length == 32, "libcrypto has no HMAC-SHA256.")
        return digest
    }
}
