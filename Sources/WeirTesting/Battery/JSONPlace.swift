internal import WeirJSON

/// A way from the root of a JSON value to one inside of it.
struct JSONPlace: Sendable, Hashable {
    /// One step of the way.
    enum Step: Sendable, Hashable {
        case key(String)
        case index(Int)
    }

    var steps: [Step]

    /// The name of the member that leads here, of the nearest object above.
    var name: String {
        for step in steps.reversed() { if case .key(let key) = step { return key.lowercased() } }
        return ""
    }

    /// The nearest array above, and the element of it that leads here.
    var element: (array: JSONPlace, index: Int)? {
        for (place, step) in steps.enumerated().reversed() {
            if case .index(let index) = step { return (JSONPlace(steps: Array(steps[..<place])), index) }
        }
        return nil
    }
}

extension JSONValue {
    /// Every text, number and truth value inside, with its place, in document order.
    ///
    /// The recursion is as deep as the text was, which the reader bounded.
    func scalars(at place: JSONPlace = JSONPlace(steps: [])) -> [(place: JSONPlace, value: JSONValue)] {
        switch self {
        case .object(let object):
            object.members.flatMap { $0.value.scalars(at: JSONPlace(steps: place.steps + [.key($0.key)])) }
        case .array(let elements):
            elements.enumerated().flatMap { $1.scalars(at: JSONPlace(steps: place.steps + [.index($0)])) }
        default: [(place, self)]
        }
    }

    /// The places of all lists inside, outer ones before those within them.
    func lists(at place: JSONPlace = JSONPlace(steps: [])) -> [JSONPlace] {
        switch self {
        case .object(let object):
            object.members.flatMap { $0.value.lists(at: JSONPlace(steps: place.steps + [.key($0.key)])) }
        case .array(let elements):
            [place]
                + elements.enumerated().flatMap { $1.lists(at: JSONPlace(steps: place.steps + [.index($0)])) }
        default: []
        }
    }

    /// The value at a place.
    subscript(place: JSONPlace) -> JSONValue? {
        place.steps.reduce(self as JSONValue?) { value, step in
            switch step {
            case .key(let key): value?[key]
            case .index(let index): value?[index]
            }
        }
    }

    /// The same with another value at a place; `nil` takes the member or element away.
    func replacing(_ steps: ArraySlice<JSONPlace.Step>, with new: JSONValue?) -> JSONValue? {
        guard let step = steps.first else { return new }
        switch (self, step) {
        case (.object(var object), .key(let key)):
            guard let member = object[key] else { return self }
            object[key] = member.replacing(steps.dropFirst(), with: new)
            return .object(object)
        case (.array(var elements), .index(let index)) where elements.indices.contains(index):
            if let element = elements[index].replacing(steps.dropFirst(), with: new) {
                elements[index] = element
            } else {
                elements.remove(at: index)
            }
            return .array(elements)
        default: return self
        }
    }

    /// The same with another value at each of some places.
    func replacing(_ places: [JSONPlace], with new: JSONValue) -> JSONValue {
        places.reduce(self) { $0.replacing($1.steps[...], with: new) ?? $0 }
    }
}
