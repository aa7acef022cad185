/// A bidder's reason not to bid, in words (OpenRTB 3.0, list of no-bid reason codes, which 2.6 uses).
enum NoBidReason {
    /// One half-sentence for a code; codes of 500 and more are the network's own.
    static func words(_ code: Int) -> String {
        if words.indices.contains(code) { return words[code] }
        return code >= 500 ? "a reason of its own" : "a reason that the specification does not know"
    }

    private static let words = [
        "an unknown error",
        "a technical error",
        "the request is invalid",
        "the caller is a known web crawler",
        "the traffic may not be human",
        "the address belongs to a cloud, a data center or a proxy",
        "the device is not supported",
        "the publisher or site is blocked",
        "the user is unknown to it",
        "the user has seen enough for today",
        "the domain has had enough for today",
        "ads.txt could not be read",
        "ads.txt does not list this seller",
        "ads.cert could not be read",
        "ads.cert does not fit",
        "there was too little time",
        "the supply chain is incomplete",
        "somebody in the supply chain is blocked",
    ]
}
