public import WeirVAST

/// How the library reaches the outside: the host's own HTTP client, wrapped in two closures.
public struct AdsTransport: Sendable {
    /// Fetches a document, within its deadline.
    public var fetch: @Sendable (FetchRequest) async -> FetchResult
    /// Calls a URL and forgets the answer; must return at once.
    public var call: @Sendable (String) -> Void
    /// Where a Weir gateway is, such as `https://ads.example.com`; needed for placements only.
    public var gateway: String?

    /// A way to the outside.
    public init(
        gateway: String? = nil,
        fetch: @escaping @Sendable (FetchRequest) async -> FetchResult,
        call: @escaping @Sendable (String) -> Void
    ) {
        self.gateway = gateway
        self.fetch = fetch
        self.call = call
    }
}
