internal import WeirTime

/// A set-up by asking one address whether the network is there: any 2xx is a yes.
public struct HTTPProbe: Sendable, Hashable {
    /// The address asked.
    public var url: String
    /// The setting it came from, named in the remedy.
    public var setting: String

    /// A probe of `url`.
    public init(url: String, setting: String = "settings.probe_url") {
        self.url = url
        self.setting = setting
    }

    /// Asks, however long it takes; the core bounds initialization, not the set-up.
    ///
    /// - Throws: ``SetUpFailure`` when no answer comes, or one that is not 2xx. All are worth trying again.
    public func run(_ context: AdapterContext, progress: SetUpProgress) async throws(SetUpFailure) {
        let place = Self.withoutQuery(url)
        let remedy = "Check \(setting) or the network's status page."
        progress.waiting(for: place, remedy: remedy)
        let start = context.clock.now
        let reply: InboundResponse
        do {
            reply = try await context.transport.send(
                OutboundRequest(url: url),
                deadline: .after(Self.patience, clock: context.clock)
            )
        } catch {
            throw SetUpFailure(reason: "the probe of \(place) failed: \(error.message)", remedy: remedy)
        }
        let latency = start.duration(to: context.clock.now).milliseconds
        guard (200..<300).contains(reply.status) else {
            throw SetUpFailure(
                reason: "the probe of \(place) answered \(reply.status) in \(latency) ms",
                remedy: remedy
            )
        }
        progress.done("the probe of \(place) answered \(reply.status) in \(latency) ms")
    }

    /// The longest one probe waits: far beyond any initialization timeout, so that a late success still counts.
    public static let patience: Duration = .seconds(300)

    /// The URL without user information, query and fragment, where secrets live.
    static func withoutQuery(_ url: String) -> String {
        let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
        let plain = url[..<end]
        guard let scheme = plain.range(of: "://") else { return String(plain) }
        let authorityEnd = plain[scheme.upperBound...].firstIndex(of: "/") ?? plain.endIndex
        guard let at = plain[scheme.upperBound..<authorityEnd].lastIndex(of: "@") else { return String(plain) }
        return String(plain[..<scheme.upperBound] + plain[plain.index(after: at)...])
    }
}

extension Substring {
    /// The first place where `needle` stands.
    fileprivate func range(of needle: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(needle) { return start..<index(start, offsetBy: needle.count) }
            start = index(after: start)
        }
        return nil
    }
}
