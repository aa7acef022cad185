/// The known name that a misspelt one most likely means: did-you-mean.
public enum NearestName {
    /// Longer names are never compared: the table grows with the product of both lengths.
    public static let longestName = 64

    /// The nearest of `known`; `nil` when none is near enough to be worth a hint.
    ///
    /// Near is one edit for every three characters, at least one; an edit adds, drops, changes or swaps a character.
    /// Case and the difference between `-` and `_` count for nothing. Of several equally near the first wins.
    public static func of(_ name: String, among known: some Sequence<String>) -> String? {
        guard name.utf8.count <= longestName else { return nil }
        let wanted = folded(name)
        let allowed = max(1, wanted.count / 3)
        var best: (name: String, distance: Int)?
        for candidate in known where candidate.utf8.count <= longestName {
            let distance = editDistance(wanted, folded(candidate))
            if distance <= allowed, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }
}

private func folded(_ name: String) -> [UInt8] {
    name.utf8.map { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        case UInt8(ascii: "-"): UInt8(ascii: "_")
        default: byte
        }
    }
}

/// Optimal string alignment distance, three rows at a time.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in 0..<left.count {
        var current = [row + 1]
        for column in 0..<right.count {
            let substituted = last[column] + (left[row] == right[column] ? 0 : 1)
            var cheapest = min(substituted, last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                cheapest = min(cheapest, beforeLast[column - 1] + 1)
            }
            current.append(cheapest)
        }
        beforeLast = last
        last = current
    }
    return last[right.count]
}
