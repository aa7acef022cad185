internal import WeirJSON

/// Where a value stands in a network's JSON: `data.ads[0].vast`, `["odd key"].x`, `seatbid[*].bid[*]`.
struct ReplyPath: Sendable, Hashable {
    enum Step: Sendable, Hashable {
        case key(String)
        case index(Int)
        /// Every element of a list.
        case each
    }

    /// The most steps of one path.
    static let longest = 32

    let steps: [Step]
    /// As it is written in the file.
    let source: String

    /// Whether it leads to several values.
    var hasEach: Bool { steps.contains(.each) }

    /// Reads a path; the empty one is the whole reply.
    ///
    /// - Throws: what is wrong with it.
    init(_ source: String) throws(DeclaredFilter.Unreadable) {
        self.source = source
        var steps: [Step] = []
        var rest = Substring(source)
        while let next = rest.first {
            guard steps.count < Self.longest else {
                throw DeclaredFilter.Unreadable(message: "has more than \(Self.longest) steps.")
            }
            switch next {
            case "[":
                steps.append(try Self.bracket(&rest))
            case ".":
                rest.removeFirst()
                guard !steps.isEmpty, let first = rest.first, first != ".", first != "[" else {
                    throw Self.unreadable(source, rest, "a key must follow the dot")
                }
                steps.append(.key(try Self.key(&rest, source)))
            default:
                guard steps.isEmpty else { throw Self.unreadable(source, rest, "a dot is missing") }
                steps.append(.key(try Self.key(&rest, source)))
            }
        }
        self.steps = steps
    }

    private static func key(_ rest: inout Substring, _ source: String) throws(DeclaredFilter.Unreadable) -> String {
        let key = rest.prefix { $0 != "." && $0 != "[" }
        if let odd = key.first(where: { $0 == "]" || $0 == "*" || $0 == "\"" || $0 == "$" || $0.isWhitespace }) {
            let hint =
                odd == "$" ? "Paths begin with the first key, without $." : odd == "*" ? "Write [*]." : nil
            throw DeclaredFilter.Unreadable(
                message: "is no path: \"\(odd)\" cannot stand in a plain key.",
                hint: hint ?? "Write [\"…\"] around keys with other characters."
            )
        }
        rest = rest.dropFirst(key.count)
        return String(key)
    }

    private static func bracket(_ rest: inout Substring) throws(DeclaredFilter.Unreadable) -> Step {
        let source = String(rest)
        if rest.hasPrefix("[\"") {
            // The key is a JSON string.
            guard let end = stringEnd(rest), rest[end...].first == "]",
                let key = try? JSONReader.read(String(rest[rest.index(after: rest.startIndex)..<end])).string
            else { throw unreadable(source, rest, "[\" must be closed by \"]") }
            rest = rest[rest.index(after: end)...]
            return .key(key)
        }
        guard let close = rest.firstIndex(of: "]") else { throw unreadable(source, rest, "[ must be closed by ]") }
        let inside = rest[rest.index(after: rest.startIndex)..<close]
        rest = rest[rest.index(after: close)...]
        if inside == "*" { return .each }
        guard let index = Int(inside), index >= 0, inside.first != "+" else {
            throw DeclaredFilter.Unreadable(
                message: "is no path: [\(inside.prefix(40))] is no index.",
                hint: "Write a number from 0, [*] for all, or [\"…\"] for a key."
            )
        }
        return .index(index)
    }

    /// The place after the string that begins one character into `rest`.
    private static func stringEnd(_ rest: Substring) -> Substring.Index? {
        var index = rest.index(rest.startIndex, offsetBy: 2)
        while index < rest.endIndex {
            if rest[index] == "\"" { return rest.index(after: index) }
            index = rest.index(after: index)
            if rest[rest.index(before: index)] == "\\" {
                guard index < rest.endIndex else { return nil }
                index = rest.index(after: index)
            }
        }
        return nil
    }

    private static func unreadable(_ source: String, _ rest: Substring, _ why: String) -> DeclaredFilter.Unreadable {
        DeclaredFilter.Unreadable(message: "is no path: \(why).", hint: "Write it like data.ads[0].vast.")
    }

    /// The value in `root`, of several the first; `nil` when nothing stands there.
    func value(in root: JSONValue?) -> JSONValue? {
        var current = root
        for step in steps {
            guard let value = current else { return nil }
            current =
                switch step {
                case .key(let key): value[key]
                case .index(let index): value[index]
                case .each: value[0]
                }
        }
        return current
    }

    /// All values in `root`, at most `limit`; `null` counts as nothing.
    func values(in root: JSONValue, limit: Int) -> [JSONValue] {
        var current = [root]
        for step in steps {
            var next: [JSONValue] = []
            for value in current where next.count < limit {
                switch step {
                case .key(let key): if let child = value[key] { next.append(child) }
                case .index(let index): if let child = value[index] { next.append(child) }
                case .each: next += (value.array ?? []).prefix(limit - next.count)
                }
            }
            current = next
        }
        return current.filter { !$0.isNull }
    }
}
