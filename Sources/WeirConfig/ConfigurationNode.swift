internal import WeirJSON
internal import WeirModel

/// A value of the file that knows where it stands; what it is not, it answers with `nil`.
///
/// The shapes have been checked and complained about before anything is built, so nothing here complains.
struct ConfigurationNode {
    let value: JSONValue
    let path: JSONPath

    subscript(_ key: String) -> ConfigurationNode? {
        value[key].map { ConfigurationNode(value: $0, path: path.key(key)) }
    }

    /// The elements of a list.
    var elements: [ConfigurationNode] {
        (value.array ?? []).enumerated().map { ConfigurationNode(value: $1, path: path.index($0)) }
    }

    /// The innermost value on the way to `path` that exists.
    func nearest(to path: JSONPath) -> JSONPath {
        var node = self
        while let child = (node.members.map(\.node) + node.elements).first(where: { $0.path.leads(to: path) }) {
            node = child
        }
        return node.path
    }

    /// The members of an object.
    var members: [(key: String, node: ConfigurationNode)] {
        (value.object?.members ?? []).map { ($0.key, ConfigurationNode(value: $0.value, path: path.key($0.key))) }
    }

    func text(_ key: String) -> String? { value[key]?.string }

    func flag(_ key: String) -> Bool? { value[key]?.bool }

    func whole(_ key: String) -> Int? { value[key]?.int }

    func texts(_ key: String) -> [String] { value[key]?.array?.compactMap(\.string) ?? [] }

    /// A length of time; negative ones have been complained about and count as absent.
    func time(_ key: String) -> Duration? {
        guard let milliseconds = whole(key), (0...ConfigurationLimits.spanMilliseconds).contains(milliseconds) else {
            return nil
        }
        return .milliseconds(milliseconds)
    }

    func word<Word: RawRepresentable<String>>(_ key: String, _: Word.Type) -> Word? {
        text(key).flatMap(Word.init(rawValue:))
    }

    func name<Name: Identifier>(_ key: String, _: Name.Type) -> Name? {
        text(key).flatMap { Name.isValid($0) ? Name($0) : nil }
    }

    func money(_ key: String) -> Money? {
        guard let node = self[key], let amount = node["amount"]?.decimalText,
            let currency = node.text("currency").flatMap(Currency.init)
        else { return nil }
        return Money(amount: amount, currency: currency)
    }

    /// The text of a decimal number, written as text or as a number.
    var decimalText: String? { value.string ?? value.number?.text }
}

extension JSONPath {
    /// Whether this is `path` or a step on the way to it.
    fileprivate func leads(to path: JSONPath) -> Bool {
        guard path.description.hasPrefix(description) else { return false }
        let rest = path.description.utf8.dropFirst(description.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: "[")
    }
}
