internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel
internal import WeirTime

extension AdapterContext {
    /// What an adapter gets that is made only to see whether it accepts its settings: nothing can be reached.
    static func forChecking(_ network: NetworkID) -> AdapterContext {
        AdapterContext(network: network, transport: NoTransport(), clock: SystemClock())
    }
}

/// Reaches nothing: while a file is checked no network is called.
private struct NoTransport: HTTPTransport {
    func send(_ request: OutboundRequest, deadline: Deadline) async throws(TransportError) -> InboundResponse {
        throw TransportError(.connectionRefused, "No network is called while a configuration is checked.")
    }
}

extension ConfigurationNode {
    /// The value that an adapter complains about, by its spelling such as `settings.headers["X-Key"]`.
    ///
    /// - Returns: The path to show, and the nearest value around it that exists.
    func locate(_ spelling: String) -> (path: JSONPath, place: JSONPath) {
        // The adapter's paths begin with `settings`, this node's with `networks[0].settings`.
        let inner = spelling.hasPrefix("settings") ? String(spelling.dropFirst(8)) : "." + spelling
        let wanted = path.description + inner
        var place = self
        while let next = place.children.first(where: { $0.holds(wanted) }) { place = next }
        if place.path.description == wanted { return (place.path, place.path) }
        // The setting does not exist: show it where it would stand.
        let missing = inner.dropFirst(place.path.description.utf8.count - path.description.utf8.count)
        guard missing.hasPrefix("."), missing.utf8.count <= 100 else { return (place.path, place.path) }
        return (place.path.key(String(missing.dropFirst())), place.path)
    }

    private var children: [ConfigurationNode] { value.array == nil ? members.map(\.node) : elements }

    private func holds(_ wanted: String) -> Bool {
        let own = path.description
        guard wanted.hasPrefix(own) else { return false }
        let next = wanted.utf8.dropFirst(own.utf8.count).first
        return next == nil || next == UInt8(ascii: ".") || next == UInt8(ascii: "[")
    }
}
