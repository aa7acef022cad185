internal import WeirAdapterKit
internal import WeirJSON

/// A JSON body whose texts are templates.
///
/// A text that is one field takes the field's own type; a member or element with a field that has no value is left
/// out.
indirect enum DeclaredJSON: Sendable, Hashable {
    /// JSON as it is sent.
    case constant([UInt8])
    /// A text with fields in it.
    case text(DeclaredTemplate)
    /// One field.
    case field(DeclaredFieldUse)
    case array([DeclaredJSON])
    case object([Member])

    struct Member: Sendable, Hashable {
        var key: String
        var value: DeclaredJSON
    }

    /// The fields that it names.
    var uses: [DeclaredFieldUse] {
        switch self {
        case .constant: []
        case .text(let template): template.uses
        case .field(let use): [use]
        case .array(let elements): elements.flatMap(\.uses)
        case .object(let members): members.flatMap(\.value.uses)
        }
    }

    /// The body for an ask.
    ///
    /// The recursion is as deep as the file, which its reader bounded.
    func write(to json: inout JSONWriter, key: String? = nil, _ scope: DeclaredScope) throws(AdapterError) {
        switch self {
        case .field(let use):
            guard let value = try scope.value(of: use), let typed = use.typed(value, scope.settings) else {
                // The root of a body cannot be left out.
                if key == nil, json.bytes.isEmpty { json.null() }
                return
            }
            if let key { json.key(key) }
            json.value(typed)
        case .constant(let bytes):
            if let key { json.key(key) }
            json.raw(bytes)
        case .text(let template):
            guard let text = try template.text(scope, as: .plain) else {
                if key == nil, json.bytes.isEmpty { json.null() }
                return
            }
            if let key { json.key(key) }
            json.string(text)
        case .array(let elements):
            if let key { json.key(key) }
            json.beginArray()
            for element in elements { try element.write(to: &json, scope) }
            json.endArray()
        case .object(let members):
            if let key { json.key(key) }
            json.beginObject()
            for member in members { try member.value.write(to: &json, key: member.key, scope) }
            json.endObject()
        }
    }
}

extension DeclaredFieldUse {
    /// The value as JSON; `nil` when a filter asks for a type that it cannot have.
    fileprivate func typed(_ value: String, _ settings: DeclaredSettingValues) -> JSONValue? {
        let wanted = filters.lazy.compactMap(\.type).last
        // What is not of the field's own type is a text; what is not of the type asked for is nothing. (`.none`, because
        // a plain nil would be JSON's.)
        let asText: JSONValue? = wanted == nil ? .some(.string(value)) : .none
        switch wanted ?? field.type(settings) {
        case .text:
            return .string(value)
        case .int:
            return JSONNumber(value)?.int64.map { .int($0) }
        case .number:
            return JSONNumber(value).map(JSONValue.number) ?? asText
        case .flag:
            switch value {
            case "1", "true": return true
            case "0", "false": return false
            default: return asText
            }
        case .list:
            return .array(value.split(separator: ",").map { .string(String($0)) })
        case .numbers:
            return .array(value.split(separator: ",").compactMap { JSONNumber(String($0)).map(JSONValue.number) })
        }
    }
}
