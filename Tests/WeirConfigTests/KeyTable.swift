import WeirJSON

@testable import WeirConfig

/// The tables of docs/configuration.md, made from the reader's own.
enum KeyTable {
    /// `document` with what stands between `<!-- keys: NAME -->` and `<!-- end -->` made anew.
    static func renewed(_ document: String) -> String {
        var lines: [Substring] = []
        var isInside = false
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "<!-- end -->" { isInside = false }
            if !isInside { lines.append(line) }
            if let name = name(in: line),
                let shape = (Shapes.all + Shapes.networkFiles).first(where: { $0.name == name })
            {
                isInside = true
                lines += rows(shape).map { Substring($0) }
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The names of the tables that `document` has.
    static func names(in document: String) -> [String] {
        document.split(separator: "\n").compactMap(name)
    }

    private static func name(in line: Substring) -> String? {
        guard line.hasPrefix("<!-- keys: "), line.hasSuffix(" -->") else { return nil }
        return String(line.dropFirst(11).dropLast(4))
    }

    private static func rows(_ shape: ObjectShape) -> [String] {
        ["| key | value | default | meaning |", "|---|---|---|---|"]
            + shape.keys.map { key in
                "| `\(key.name)` | \(kind(key.shape)) | \(fallback(key)) | \(key.summary) |"
            }
    }

    private static func fallback(_ key: KeyShape) -> String {
        if key.isRequired { return "**required**" }
        return switch key.fallback {
        case .nothing: "none"
        case .words(let words): words
        case .value(let value): "`\(value.encodedText)`"
        }
    }

    private static func kind(_ shape: ValueShape) -> String {
        switch shape {
        case .flag: "`true` or `false`"
        case .text: "text"
        case .name: "id"
        case .word(let words): words.map { "`\($0)`" }.joined(separator: ", ")
        case .adapterKind: "adapter kind"
        case .whole(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .milliseconds(let range): "ms, \(range.lowerBound) to \(range.upperBound)"
        case .bytes(let range): "bytes, \(range.lowerBound) to \(range.upperBound)"
        case .money: "decimal, not negative"
        case .decimal: "decimal, above zero"
        case .currency: "three letters"
        case .secret: "secret"
        case .listenAddress: "address"
        case .addressRange: "IP address or range"
        case .webURL: "http or https URL"
        case .storageURL: "storage URL"
        case .country, .language: "two letters"
        case .settings: "object"
        case .scalar: "text, number, `true` or `false`"
        case .anything: "any JSON"
        case .map(let element): "object: \(kind(element))"
        case .textOr(let object): "path, or [\(title(object))](#\(anchor(object.name)))"
        case .oneOrMany(let element, _): "one or a list: \(kind(element))"
        case .keyValues: "object of texts or lists of texts"
        case .list(let element, _): "list: \(kind(element))"
        case .object(let object): "[\(title(object))](#\(anchor(object.name)))"
        case .either(let first, _, let second): "\(second.name.replacing("_", with: " ")) or \(first.name)"
        }
    }

    private static func title(_ object: ObjectShape) -> String {
        object.name.replacing("declared_", with: "").replacing("_", with: " ")
    }

    private static func anchor(_ name: String) -> String {
        switch name {
        case "money": "prices"
        case "network": "networks"
        case "ad_unit": "ad_units"
        case "placement": "placements"
        case "line_item", "group": "waterfall"
        case "cap": "cap-and-pacing"
        case "section", "midroll": "sections"
        case "declared_setting": "settings"
        case "declared_request": "request"
        case "declared_reply": "reply"
        case "declared_condition", "declared_part": "conditions"
        case "declared_error": "errors"
        case "declared_ad": "the-ad"
        case "declared_source", "declared_document": "where-a-value-stands"
        case "declared_price": "price"
        case "declared_expiry": "expiry"
        case "declared_reward": "reward"
        case "declared_media": "media"
        case "house_ad", "house_media": "house-ads"
        default: name
        }
    }
}
