/// The members of an object in the order in which they were written, each key once.
///
/// Two objects are equal when they hold equal members, whatever their order.
public struct JSONObject: Sendable {
    /// A key and its value.
    public struct Member: Hashable, Sendable {
        /// The key, unescaped.
        public var key: String

        /// The value.
        public var value: JSONValue

        /// A member.
        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The members, in order.
    public private(set) var members: [Member]

    /// Where each key stands; only for objects large enough that looking along the list is slower.
    private var index: [String: Int]?

    /// Above so many members a dictionary finds a key faster than a walk does.
    private static let indexedFrom = 16

    /// An object without members.
    public init() {
        members = []
    }

    /// The object with these members; of a doubled key the last value stays, in the first one's place.
    public init(_ pairs: some Sequence<(String, JSONValue)>) {
        self.init()
        for (key, value) in pairs { self[key] = value }
    }

    /// The object with these members, whose keys are known to differ.
    init(unique members: [Member]) {
        self.members = members
        if members.count > Self.indexedFrom { index = Self.index(members) }
    }

    /// The value of `key`; setting a new key appends it, setting `nil` removes it.
    public subscript(key: String) -> JSONValue? {
        get { position(of: key).map { members[$0].value } }
        set {
            switch (position(of: key), newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil):
                members.remove(at: place)
                index = members.count > Self.indexedFrom ? Self.index(members) : nil
            case (nil, let value?): append(key, value)
            case (nil, nil): break
            }
        }
    }

    /// The keys, in order.
    public var keys: [String] { members.map(\.key) }

    /// How many members there are.
    public var count: Int { members.count }

    /// Whether there are none.
    public var isEmpty: Bool { members.isEmpty }

    private mutating func append(_ key: String, _ value: JSONValue) {
        members.append(Member(key: key, value: value))
        if index != nil {
            index?[key] = members.count - 1
        } else if members.count > Self.indexedFrom {
            index = Self.index(members)
        }
    }

    private func position(of key: String) -> Int? {
        if let index { return index[key] }
        return members.firstIndex { $0.key == key }
    }

    private static func index(_ members: [Member]) -> [String: Int] {
        Dictionary(zip(members.map(\.key), members.indices), uniquingKeysWith: { first, _ in first })
    }
}

extension JSONObject: Hashable {
    /// Whether both hold equal members.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
    }

    /// Feeds the members so that their order does not matter.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(members.reduce(into: 0) { sum, member in sum ^= member.hashValue })
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The object with these members.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements)
    }
}
