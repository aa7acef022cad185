package import WeirJSON

/// The JSON Schemas of the configuration file and of declared networks' files, for editors: made from the same tables that the reader checks by.
package enum ConfigurationSchema {
    /// The schema as text, ready to be kept as `config/weir.schema.json`.
    package static var text: String {
        String(decoding: value.encoded(pretty: true), as: UTF8.self) + "\n"
    }

    /// The schema (JSON Schema, draft 2020-12).
    package static var value: JSONValue { schema(of: Shapes.all, title: "Weir configuration") }

    /// The schema of a declared network's file, ready to be kept as `config/network.schema.json`.
    package static var networkFileText: String {
        String(decoding: networkFile.encoded(pretty: true), as: UTF8.self) + "\n"
    }

    /// The schema of a declared network's file.
    package static var networkFile: JSONValue { schema(of: Shapes.networkFiles, title: "Weir declared network") }

    /// The schema whose root is the first of `shapes`.
    private static func schema(of shapes: [ObjectShape], title: String) -> JSONValue {
        var schema: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": .string(title),
        ]
        for member in object(shapes[0]).members where member.key != "title" { schema[member.key] = member.value }
        let definitions = shapes.dropFirst()
        schema["$defs"] = .object(JSONObject(definitions.map { ($0.name, .object(object($0))) }))
        return .object(schema)
    }

    private static func object(_ shape: ObjectShape) -> JSONObject {
        var schema: JSONObject = [
            "title": .string(shape.name.replacing("_", with: " ")),
            "description": .string(shape.summary),
            "type": "object",
            "properties": .object(JSONObject(shape.keys.map { ($0.name, property($0, of: shape)) })),
        ]
        let required = shape.keys.filter(\.isRequired).map { JSONValue.string($0.name) }
        if !required.isEmpty { schema["required"] = .array(required) }
        schema["additionalProperties"] = false
        return schema
    }

    private static func property(_ key: KeyShape, of shape: ObjectShape) -> JSONValue {
        var description = key.summary
        if case .words(let words) = key.fallback { description += " Default: \(words)." }
        let isRoot = [Shapes.root.name, Shapes.networkFile.name].contains(shape.name)
        let owner = isRoot ? "" : shape.name + "."
        var schema: JSONObject = ["title": .string(owner + key.name), "description": .string(description)]
        for member in constraints(key.shape).members { schema[member.key] = member.value }
        if case .value(let fallback) = key.fallback { schema["default"] = fallback }
        return .object(schema)
    }

    private static func constraints(_ shape: ValueShape) -> JSONObject {
        switch shape {
        case .flag: ["type": "boolean"]
        case .word(let words): choice(words)
        case .adapterKind: choice(Shapes.adapterKinds)
        case .whole(let range), .milliseconds(let range), .bytes(let range):
            ["type": "integer", "minimum": .int(range.lowerBound), "maximum": .int(range.upperBound)]
        case .money: decimal(["minimum": 0])
        case .decimal: decimal(["exclusiveMinimum": 0])
        case .secret: ["anyOf": [reference("env"), reference("file"), ["type": "string", "minLength": 1]]]
        case .settings: ["type": "object", "maxProperties": .int(ConfigurationLimits.settings)]
        case .keyValues:
            [
                "type": "object",
                "additionalProperties": ["anyOf": [filledText, ["type": "array", "items": filledText]]],
            ]
        case .list(let element, let count):
            [
                "type": "array", "items": .object(constraints(element)), "minItems": .int(count.lowerBound),
                "maxItems": .int(count.upperBound),
            ]
        case .scalar: ["type": ["string", "number", "boolean", "null"]]
        case .anything: [:]
        case .map(let element):
            [
                "type": "object", "additionalProperties": .object(constraints(element)),
                "maxProperties": .int(ConfigurationLimits.settings),
            ]
        case .textOr(let object): ["anyOf": [filledText, .object(link(object))]]
        case .oneOrMany(let element, let count):
            ["anyOf": [.object(constraints(element)), .object(constraints(.list(of: element, count: count)))]]
        case .object(let object): link(object)
        case .either(let first, let key, let second):
            [
                "if": ["required": [.string(key)]], "then": .object(link(first)),
                "else": .object(link(second)),
            ]
        default: text(shape)
        }
    }

    private static func text(_ shape: ValueShape) -> JSONObject {
        switch shape {
        // Lengths here are characters, the reader's are bytes: the schema may be the more generous of the two.
        case .text(let maxBytes): ["type": "string", "minLength": 1, "maxLength": .int(maxBytes)]
        case .name: ["type": "string", "minLength": 1, "maxLength": 128]
        case .currency: pattern("^[A-Za-z]{3}$")
        case .country: pattern("^[A-Za-z]{2}$")
        case .language: pattern("^[A-Za-z]{2,3}$")
        case .listenAddress: pattern("^(unix:/.+|[^/]+:[0-9]{1,5})$")
        case .addressRange: pattern("^[0-9A-Fa-f:.]+(/[0-9]{1,3})?$")
        case .webURL: pattern("^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]")
        case .storageURL: pattern("^sqlite:.")
        default: ["type": "string"]
        }
    }

    private static let filledText: JSONValue = ["type": "string", "minLength": 1]

    private static func pattern(_ pattern: String) -> JSONObject {
        ["type": "string", "pattern": .string(pattern)]
    }

    private static func choice(_ words: [String]) -> JSONObject {
        ["type": "string", "enum": .array(words.map { .string($0) })]
    }

    private static func decimal(_ bound: JSONObject) -> JSONObject {
        var schema: JSONObject = [
            "type": ["string", "number"], "pattern": "^[0-9]+([.][0-9]*)?([eE][+-]?[0-9]{1,4})?$",
        ]
        for member in bound.members { schema[member.key] = member.value }
        return schema
    }

    private static func reference(_ key: String) -> JSONValue {
        [
            "type": "object", "properties": .object([key: filledText]), "required": [.string(key)],
            "additionalProperties": false,
        ]
    }

    private static func link(_ shape: ObjectShape) -> JSONObject {
        ["$ref": .string("#/$defs/\(shape.name)")]
    }
}
