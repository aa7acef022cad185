import WeirJSON

/// As much of JSON Schema as docs/adapter-protocol.schema.json uses; what it does not know, it complains about.
struct SchemaChecker {
    let root: JSONValue
    /// Whether a member that the schema does not name is a complaint: for what Weir itself writes.
    var isStrict = false

    /// What is wrong with a value, one sentence each.
    func problems(_ value: JSONValue, _ schema: JSONValue, at path: String = "$") -> [String] {
        if let target = schema["$ref"]?.string {
            guard let name = target.split(separator: "/").last, let found = root["$defs"]?[String(name)] else {
                return ["\(path): no \(target)"]
            }
            return problems(value, found, at: path)
        }
        var problems: [String] = []
        for member in schema.object?.members ?? [] {
            switch member.key {
            case "description", "title", "$schema", "$defs", "required", "properties", "additionalProperties": break
            case "const": if member.value != value { problems.append("\(path): not \(member.value.encodedText)") }
            case "enum":
                if !(member.value.array ?? []).contains(value) { problems.append("\(path): none of the words") }
            case "type":
                let types = member.value.array?.compactMap(\.string) ?? [member.value.string ?? ""]
                if !types.contains(where: { value.isOf(type: $0) }) { problems.append("\(path): not \(types)") }
            case "minimum":
                if let int = value.int, int < member.value.int ?? 0 { problems.append("\(path): too small") }
            case "maximum":
                if let int = value.int, int > member.value.int ?? 0 { problems.append("\(path): too great") }
            case "minLength", "maxLength", "pattern": break
            case "minItems":
                if let array = value.array, array.count < member.value.int ?? 0 { problems.append("\(path): too few") }
            case "maxItems":
                if let array = value.array, array.count > member.value.int ?? 0 { problems.append("\(path): too many") }
            case "maxProperties": break
            case "items":
                for (place, element) in (value.array ?? []).enumerated() {
                    problems += self.problems(element, member.value, at: "\(path)[\(place)]")
                }
            case "oneOf", "anyOf":
                let tried = (member.value.array ?? []).map { self.problems(value, $0, at: path) }
                let fitting = tried.count(where: \.isEmpty)
                if fitting == 0 || (member.key == "oneOf" && fitting > 1) {
                    let nearest = tried.min { $0.count < $1.count } ?? []
                    problems += fitting > 1 ? ["\(path): fits \(fitting) of oneOf"] : nearest
                }
            default: problems.append("the checker does not know \(member.key)")
            }
        }
        return problems + members(value, schema, path)
    }

    private func members(_ value: JSONValue, _ schema: JSONValue, _ path: String) -> [String] {
        guard let object = value.object else { return [] }
        var problems = (schema["required"]?.array ?? []).compactMap(\.string)
            .filter { object[$0] == nil }.map { "\(path).\($0): missing" }
        guard let properties = schema["properties"] else {
            guard let rest = schema["additionalProperties"] else { return problems }
            return problems + object.members.flatMap { self.problems($0.value, rest, at: "\(path).\($0.key)") }
        }
        for member in object.members {
            if let property = properties[member.key] {
                problems += self.problems(member.value, property, at: "\(path).\(member.key)")
            } else if isStrict {
                problems.append("\(path).\(member.key): not named in the schema")
            }
        }
        return problems
    }
}

extension JSONValue {
    fileprivate func isOf(type: String) -> Bool {
        switch type {
        case "object": object != nil
        case "array": array != nil
        case "string": string != nil
        case "integer": int != nil
        case "number": number != nil
        case "boolean": bool != nil
        case "null": isNull
        default: false
        }
    }
}
