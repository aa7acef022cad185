internal import WeirJSON

/// One file's text as a value, with doubled keys set aside.
struct ConfigurationDocument {
    let root: ConfigurationNode

    /// Reads `bytes`; what is wrong with them is noted in `findings`, which learns the positions too.
    ///
    /// `nil` when there is nothing to read further.
    init?(_ bytes: [UInt8], findings: inout Findings) {
        guard bytes.count <= ConfigurationLimits.fileBytes else {
            findings.error(
                .tooMany,
                line: 1,
                column: 1,
                "The file is \(bytes.count) bytes long; at most \(ConfigurationLimits.fileBytes) are allowed."
            )
            return nil
        }
        let limits = JSONLimits(bytes: ConfigurationLimits.fileBytes, values: ConfigurationLimits.values)
        do {
            let plain = try JSONComments.blank(bytes)
            let positions = try JSONPositions(scanning: plain, limits: limits)
            findings.positions = positions
            for doubled in positions.doubledKeys {
                findings.error(
                    .doubledKey,
                    path: doubled.path.description,
                    line: doubled.position.line,
                    column: doubled.position.column,
                    "The key stands here again; it stood on line \(doubled.first.line) first."
                )
            }
            let value = try Self.value(plain, doubled: positions.doubledKeys, limits: limits)
            root = ConfigurationNode(value: value, path: .root)
        } catch {
            findings.error(.badJSON, line: error.line, column: error.column, error.reason)
            return nil
        }
    }

    /// The value of a text in which the second and later of equal keys have been given names of their own, and then
    /// taken out: so that everything else can still be checked.
    private static func value(
        _ bytes: [UInt8],
        doubled: [DoubledKey],
        limits: JSONLimits
    ) throws(JSONError) -> JSONValue {
        if doubled.isEmpty { return try JSONReader.read(bytes, limits: limits) }
        var text: [UInt8] = []
        var next = 0
        for (number, key) in doubled.enumerated() {
            let start = key.position.offset
            text += bytes[next..<start]
            text += Array("\"\(mark)\(number)\"".utf8)
            next = stringEnd(bytes, from: start)
        }
        text += bytes[next...]
        var limits = limits
        limits.bytes = max(limits.bytes, text.count)
        return withoutMarked(try JSONReader.read(text, limits: limits))
    }

    /// A private use character, which no key of ours has, begins the name of what is set aside.
    private static let mark = "\u{F8FF}doubled-"

    private static func stringEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }

    /// The recursion is as deep as the text, which the reader bounded.
    private static func withoutMarked(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(withoutMarked))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.filter { !$0.key.hasPrefix(mark) }.map { ($0.key, withoutMarked($0.value)) }
                )
            )
        default: value
        }
    }
}
