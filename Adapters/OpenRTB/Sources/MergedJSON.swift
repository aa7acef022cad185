public import WeirAdapterKit
public import WeirJSON
public import WeirTime

/// A part of a request that an operator writes in JSON, with template fields in its texts.
///
/// The extension point of every bidder that wants more than the specification: objects are merged member by member,
/// anything else replaces what was there, `null` removes it.
public struct MergedJSON: Sendable, Hashable {
    private indirect enum Node: Sendable, Hashable {
        case plain(JSONValue)
        case template(RequestTemplate)
        case list([Node])
        case object([Member])
    }

    private struct Member: Sendable, Hashable {
        var key: String
        var node: Node
    }

    private let members: [Member]
    private let values: [String: String]

    /// Changes nothing.
    public static let empty = MergedJSON(members: [], values: [:])

    private init(members: [Member], values: [String: String]) {
        self.members = members
        self.values = values
    }

    /// Reads a part; `null` is as good as nothing.
    ///
    /// - Parameters:
    ///   - value: An object.
    ///   - path: Where it stands in the settings.
    ///   - values: The values of `{settings.KEY}`.
    /// - Throws: ``SettingsError`` when it is no object or a text names a field that nobody knows.
    public init(_ value: JSONValue, path: String, values: [String: String]) throws(SettingsError) {
        guard !value.isNull else {
            self = .empty
            return
        }
        guard value.object != nil else {
            throw SettingsError(path: path, message: "must be an object, not \(value.kindName)")
        }
        guard case .object(let members) = try Self.node(value, path) else {
            self = .empty
            return
        }
        self.init(members: members, values: values)
    }

    private static func node(_ value: JSONValue, _ path: String) throws(SettingsError) -> Node {
        switch value {
        case .string(let text):
            do { return .template(try RequestTemplate(text)) } catch {
                throw SettingsError(path: path, message: error.message)
            }
        case .array(let elements):
            var nodes: [Node] = []
            for (place, element) in elements.enumerated() { nodes.append(try node(element, "\(path)[\(place)]")) }
            return .list(nodes)
        case .object(let object):
            var members: [Member] = []
            for member in object.members {
                members.append(Member(key: member.key, node: try node(member.value, "\(path).\(member.key)")))
            }
            return .object(members)
        default:
            return .plain(value)
        }
    }

    /// Merges this into an object.
    ///
    /// - Throws: `skipped(missing_field)` when a text requires a field that the ask lacks.
    public func merge(
        into object: JSONObject,
        for ask: AdAsk,
        clock: any GatewayClock
    ) throws(AdapterError) -> JSONObject {
        if members.isEmpty { return object }
        return try merge(members, into: object, ask, clock)
    }

    private func merge(
        _ members: [Member],
        into object: JSONObject,
        _ ask: AdAsk,
        _ clock: any GatewayClock
    ) throws(AdapterError) -> JSONObject {
        var object = object
        for member in members {
            if case .object(let inner) = member.node {
                let old = object[member.key]?.object ?? JSONObject()
                object[member.key] = .object(try merge(inner, into: old, ask, clock))
            } else {
                let value = try value(of: member.node, ask, clock)
                object[member.key] = value.isNull ? nil : value
            }
        }
        return object
    }

    private func value(of node: Node, _ ask: AdAsk, _ clock: any GatewayClock) throws(AdapterError) -> JSONValue {
        switch node {
        case .plain(let value): return value
        case .template(let template):
            return .string(try template.expand(ask, settings: values, as: .header, clock: clock))
        case .list(let nodes):
            var elements: [JSONValue] = []
            for node in nodes { elements.append(try value(of: node, ask, clock)) }
            return .array(elements)
        case .object(let members):
            return .object(try merge(members, into: JSONObject(), ask, clock))
        }
    }
}
