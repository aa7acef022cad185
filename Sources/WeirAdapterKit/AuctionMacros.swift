/// The values of OpenRTB's substitution macros, and their places in a text (OpenRTB 2.6 §4.4).
///
/// `${AUCTION_PRICE}` becomes the value, percent-encoded, because notices are URLs and markup holds such macros in URLs;
/// `${AUCTION_PRICE:B64}` becomes its Base64. A macro without a value becomes nothing, and so does one that wants an
/// encoding other than `B64`: the specification leaves their choice to the two parties. `%24%7B…%7D` is a macro as well,
/// for a notice that travels inside another URL.
public struct AuctionMacros: Sendable, Hashable {
    /// A macro's name.
    public enum Name: String, CaseIterable, Sendable {
        /// The bid request's id.
        case id = "AUCTION_ID"
        /// The bid response's `bidid`.
        case bidID = "AUCTION_BID_ID"
        /// The impression's id.
        case impressionID = "AUCTION_IMP_ID"
        /// The bidder's seat.
        case seat = "AUCTION_SEAT_ID"
        /// The bid's `adid`.
        case adID = "AUCTION_AD_ID"
        /// The clearing price; in a first-price auction the bid's own.
        case price = "AUCTION_PRICE"
        /// Its currency.
        case currency = "AUCTION_CURRENCY"
        /// Clearing price by bid price.
        case marketBidRatio = "AUCTION_MBR"
        /// How many impressions were won.
        case multiplier = "AUCTION_MULTIPLIER"
        /// Why a bid lost, as a number of the list of loss reasons.
        case loss = "AUCTION_LOSS"
        /// The least that would have won.
        case minimumToWin = "AUCTION_MIN_TO_WIN"
        /// When the impression was, in milliseconds since 1970.
        case impressionTime = "AUCTION_IMP_TS"

        /// What is known only once the auction, or the impression, has been: kept for a second expansion.
        public static let late: Set<Name> = [.loss, .minimumToWin, .impressionTime]
    }

    /// The values; what is absent becomes nothing.
    public var values: [Name: String]

    /// Values for the macros.
    public init(_ values: [Name: String] = [:]) {
        self.values = values
    }

    /// The text with its macros filled in.
    ///
    /// - Parameters:
    ///   - text: A URL or markup; other text in `${…}` stays as it is.
    ///   - kept: Macros that stay for a later expansion.
    /// - Returns: The text; markup and URLs stay what they are but for the macros.
    public func expand(_ text: String, keeping kept: Set<Name> = []) -> String {
        // Nearly no markup holds a macro: one look at the bytes tells.
        guard text.utf8.contains(UInt8(ascii: "$")) || text.contains("%24%7") else { return text }
        var expanded = ""
        expanded.reserveCapacity(text.utf8.count)
        var rest = Substring(text)
        while let mark = rest.firstIndex(where: { $0 == "$" || $0 == "%" }) {
            expanded += rest[..<mark]
            rest = rest[mark...]
            guard let macro = Spelling(rest) else {
                expanded.append(rest.removeFirst())
                continue
            }
            expanded += kept.contains(macro.name) ? String(macro.spelling) : value(of: macro)
            rest = rest[macro.spelling.endIndex...]
        }
        return expanded + rest
    }

    private func value(of macro: Spelling) -> String {
        guard let value = values[macro.name] else { return "" }
        switch macro.encoding {
        case nil: return percentEncoded(value)
        case "B64": return percentEncoded(base64(value))
        default: return ""
        }
    }
}

/// One macro at the front of a text.
private struct Spelling {
    var name: AuctionMacros.Name
    /// What stands behind the colon.
    var encoding: String?
    /// The macro from `$` to the closing brace.
    var spelling: Substring

    init?(_ rest: Substring) {
        for (open, close) in [("${", "}"), ("%24%7B", "%7D"), ("%24%7b", "%7d")] where rest.hasPrefix(open) {
            let inside = rest.dropFirst(open.count)
            let word = inside.prefix {
                $0.isASCII && ($0.isUppercase || $0.isNumber || $0 == "_" || $0 == ":")
            }
            guard inside[word.endIndex...].hasPrefix(close) else { return nil }
            let halves = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = halves.first, let name = AuctionMacros.Name(rawValue: String(first)) else { return nil }
            self.name = name
            encoding = halves.count > 1 ? String(halves[1]) : nil
            spelling = rest[..<rest.index(word.endIndex, offsetBy: close.count)]
            return
        }
        return nil
    }
}

/// RFC 4648 §4, with padding.
private func base64(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    let bytes = Array(text.utf8)
    var encoded: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let count = min(3, bytes.count - start)
        let group = (0..<3).reduce(0) { $0 << 8 | ($1 < count ? Int(bytes[start + $1]) : 0) }
        for place in 0..<4 {
            encoded.append(place <= count ? alphabet[group >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
        }
    }
    return String(decoding: encoded, as: UTF8.self)
}
