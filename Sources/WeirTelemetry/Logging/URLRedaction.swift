/// URLs made fit for logs.
package enum URLRedaction {
    /// `url` with every query value, the user information and the fragment replaced.
    ///
    /// Ad tags carry addresses, advertising ids and keys in their queries; which parameter does is not ours to know. The
    /// names stay, so that a person still recognises the tag: `https://ads.example/tag?iu=…&ip=…`.
    package static func redact(_ url: String) -> String {
        let withoutFragment = url.prefix { $0 != "#" }
        let parts = withoutFragment.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var result = withoutUser(parts.first ?? "")
        if parts.count == 2 {
            let pairs = parts[1].split(separator: "&", omittingEmptySubsequences: false)
            result += "?" + pairs.map(withoutValue).joined(separator: "&")
        }
        return withoutFragment.count < url.count ? result + "#…" : result
    }

    private static func withoutUser(_ address: Substring) -> String {
        guard let start = address.firstRange(of: "//")?.upperBound else { return String(address) }
        let authority = address[start...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(address) }
        return address[..<start] + "…" + address[at...]
    }

    private static func withoutValue(_ pair: Substring) -> String {
        guard let equals = pair.firstIndex(of: "=") else {
            // A value without a name may be anything, a token included.
            return pair.isEmpty ? "" : "…"
        }
        return pair[...equals] + "…"
    }
}
