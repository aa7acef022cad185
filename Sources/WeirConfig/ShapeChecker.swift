internal import WeirJSON
internal import WeirModel

/// Compares a file with the tables of shapes and notes every difference.
struct ShapeChecker {
    var findings: Findings

    /// Checks a value that should look like `shape`.
    ///
    /// The recursion follows the tables, which are finite.
    mutating func check(_ node: ConfigurationNode, _ shape: ValueShape) {
        if node.value.isNull, !shape.takesNull {
            findings.error(.wrongType, at: node.path, "must not be null.", hint: "Leave the key out.")
            return
        }
        switch shape {
        case .object(let object): check(node, object)
        case .either(let first, let key, let second): check(node, node.value[key] == nil ? second : first)
        case .list(let element, let count): checkList(node, of: element, count)
        case .settings: checkSettings(node)
        case .anything: break
        case .scalar:
            if node.value.array != nil || node.value.object != nil {
                mismatch(node, "a text, a number, true or false")
            }
        case .map(let element): checkMap(node, of: element)
        case .textOr(let object): node.value.object == nil ? checkText(node, .text()) : check(node, object)
        case .oneOrMany(let element, let count):
            node.value.array == nil ? check(node, element) : checkList(node, of: element, count)
        case .keyValues: checkKeyValues(node)
        case .secret: checkSecret(node)
        case .flag: if node.value.bool == nil { mismatch(node, "true or false") }
        case .whole(let range), .milliseconds(let range), .bytes(let range): checkWhole(node, shape, range)
        case .money, .decimal: checkDecimal(node, shape)
        default: checkText(node, shape)
        }
    }

    /// Checks an object: its keys, what is missing, what is unknown.
    private mutating func check(_ node: ConfigurationNode, _ shape: ObjectShape) {
        guard let object = node.value.object else { return mismatch(node, "an object") }
        for key in shape.keys where key.isRequired && object[key.name] == nil {
            findings.error(.missingKey, at: node.path.key(key.name), standing: node.path, "is required.")
        }
        let known = shape.keys.map(\.name)
        for (name, member) in node.members {
            if let key = shape.key(name) {
                check(member, key.shape)
            } else {
                findings.error(
                    .unknownKey,
                    at: member.path,
                    atKey: true,
                    "There is no such key.",
                    hint: didYouMean(name, among: known) ?? "Known here: \(listed(known))."
                )
            }
        }
    }

    private mutating func checkList(_ node: ConfigurationNode, of shape: ValueShape, _ count: ClosedRange<Int>) {
        guard let array = node.value.array else { return mismatch(node, "a list") }
        if array.count < count.lowerBound {
            findings.error(.badValue, at: node.path, "must not be empty.")
        } else if array.count > count.upperBound {
            let most = count.upperBound
            findings.error(.tooMany, at: node.path, "has \(array.count) elements; at most \(most) are allowed.")
        } else {
            for element in node.elements { check(element, shape) }
        }
    }

    private mutating func checkWhole(_ node: ConfigurationNode, _ shape: ValueShape, _ range: ClosedRange<Int>) {
        guard let number = node.value.number else { return mismatch(node, shape.noun) }
        guard let value = node.value.int else {
            findings.error(.badValue, at: node.path, "must be \(shape.noun), not \(number.text.prefix(40)).")
            return
        }
        if !range.contains(value) {
            let bounds = "from \(range.lowerBound) to \(range.upperBound)"
            findings.error(.outOfRange, at: node.path, "must be \(shape.noun) \(bounds), not \(value).")
        }
    }

    private mutating func checkDecimal(_ node: ConfigurationNode, _ shape: ValueShape) {
        guard let text = node.decimalText else { return mismatch(node, "a decimal number in quotation marks") }
        guard let value = ExactDecimal(text), value.micros != nil else {
            findings.error(
                .badMoney,
                at: node.path,
                "\(quoted(text)) is no decimal number that can be kept exactly.",
                hint: "Write it like \"1.50\"."
            )
            return
        }
        if case .decimal = shape, value.digits <= 0 {
            findings.error(.outOfRange, at: node.path, "must be above zero, not \(value).")
        } else if value.digits < 0 {
            findings.error(.badMoney, at: node.path, "must not be negative, but is \(value).")
        }
    }

    private mutating func checkMap(_ node: ConfigurationNode, of shape: ValueShape) {
        guard let object = node.value.object else { return mismatch(node, "an object") }
        if object.count > ConfigurationLimits.settings {
            let most = ConfigurationLimits.settings
            findings.error(.tooMany, at: node.path, "has \(object.count) members; at most \(most) are allowed.")
        }
        for (_, member) in node.members.prefix(ConfigurationLimits.settings) { check(member, shape) }
    }

    private mutating func checkSettings(_ node: ConfigurationNode) {
        guard let settings = node.value.object else { return mismatch(node, "an object") }
        if settings.count > ConfigurationLimits.settings {
            let most = ConfigurationLimits.settings
            findings.error(.tooMany, at: node.path, "has \(settings.count) members; at most \(most) are allowed.")
        }
    }

    private mutating func checkKeyValues(_ node: ConfigurationNode) {
        guard node.value.object != nil else { return mismatch(node, "an object") }
        for (key, member) in node.members {
            if key.isEmpty || key.utf8.count > 128 {
                findings.error(.badValue, at: member.path, atKey: true, "A key must have 1 to 128 bytes.")
            }
            if member.value.array == nil {
                check(member, .text())
            } else {
                check(member, .list(of: .text(), count: 1...ConfigurationLimits.listElements))
            }
        }
    }

    private mutating func checkSecret(_ node: ConfigurationNode) {
        if let text = node.value.string {
            if text.isEmpty { findings.error(.badValue, at: node.path, "must not be empty.") }
        } else if SecretReference(node.value) == nil {
            wrongSecret(node)
        }
    }

    /// Says what is wrong with an object that should lead to a secret.
    private mutating func wrongSecret(_ node: ConfigurationNode) {
        let wanted = "{\"env\": \"NAME\"} or {\"file\": \"path\"}"
        guard let object = node.value.object else { return mismatch(node, wanted) }
        let known = ["env", "file"]
        if let (key, member) = node.members.first(where: { !known.contains($0.key) }) {
            let hint = didYouMean(key, among: known) ?? "Known here: \(listed(known))."
            findings.error(.unknownKey, at: member.path, atKey: true, "A secret is \(wanted).", hint: hint)
        } else if object.count > 1 {
            findings.error(.badValue, at: node.path, "must be \(wanted), not both.")
        } else {
            findings.error(.badValue, at: node.path, "must be \(wanted), and name one.")
        }
    }

    mutating func mismatch(_ node: ConfigurationNode, _ wanted: String) {
        findings.error(.wrongType, at: node.path, "must be \(wanted), not \(node.value.kindName).")
    }
}
