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
        var rest = spelling.hasPrefix("settings") ? spelling.dropFirst(8) : "." + spelling
        var place = self
        while let (child, left) = place.step(along: rest) {
            place = child
            rest = left
        }
        // What does not exist is shown where it would stand.
        guard rest.hasPrefix("."), rest.count > 1 else { return (place.path, place.path) }
        return (place.path.key(String(rest.dropFirst())), place.path)
    }

    /// The member or element that `rest` begins with, and what is left of `rest` behind it.
    private func step(along rest: Substring) -> (child: ConfigurationNode, left: Substring)? {
        for (key, node) in members {
            for spelled in [".\(key)", "[\(JSONValue.string(key).encodedText)]"] where rest.hasPrefix(spelled) {
                let left = rest.dropFirst(spelled.count)
                if left.isEmpty || left.hasPrefix(".") || left.hasPrefix("[") { return (node, left) }
            }
        }
        for (index, node) in elements.enumerated() where rest.hasPrefix("[\(index)]") {
            return (node, rest.dropFirst("[\(index)]".count))
        }
        return nil
    }
}

extension ConfigurationNode {
    /// The settings that templates name as `{settings.NAME}`, each with the text that does.
    ///
    /// The recursion is as deep as the file, which the reader bounded.
    var settingUses: [(name: String, path: JSONPath)] {
        if let text = value.string { return Self.uses(in: text).map { ($0, path) } }
        return elements.flatMap(\.settingUses) + members.flatMap(\.node.settingUses)
    }

    private static func uses(in text: String) -> [String] {
        text.split(separator: "{settings.", omittingEmptySubsequences: false).dropFirst().compactMap { rest in
            rest.firstIndex(of: "}").map { close in
                let name = rest[..<close]
                return String(name.hasSuffix("!") ? name.dropLast() : name)
            }
        }
    }
}
