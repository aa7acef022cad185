internal import CJSONC

/// Reads JSON by RFC 8259, strictly.
///
/// Two walks over one text: ours checks the grammar, the limits, UTF-8 and doubled keys and notes where every number
/// stands; json-c then builds the tree. Numbers never pass through json-c's conversion (it rounds big integers and
/// drops the sign of `-0`): the tree's numbers are taken from the text, in document order.
public enum JSONReader {
    /// The value that `bytes` hold.
    ///
    /// Refused: anything after the value, doubled keys, `NaN`, comments, trailing commas, bad UTF-8, lone surrogates,
    /// `\u0000`, raw control characters, and whatever exceeds `limits`. A leading byte order mark is passed over.
    public static func read(_ bytes: [UInt8], limits: JSONLimits = .default) throws(JSONError) -> JSONValue {
        let tokens = try JSONScanner.scan(bytes, limits: limits)
        guard let root = tokens.first else {
            throw JSONError(position: JSONPosition(offset: 0, in: bytes), reason: "The text is empty.")
        }
        let tree = try parse(bytes, root: root.range, depth: min(limits.depth, JSONLimits.deepest))
        defer { json_object_put(tree) }
        var builder = TreeBuilder(bytes: bytes, tokens: tokens)
        return try builder.value(tree)
    }

    /// The value that `text` holds.
    ///
    /// - Throws: as ``read(_:limits:)-([UInt8],_)`` does.
    public static func read(_ text: String, limits: JSONLimits = .default) throws(JSONError) -> JSONValue {
        try read(Array(text.utf8), limits: limits)
    }

    /// json-c's tree of the root value; `nil` stands for `null`.
    private static func parse(_ bytes: [UInt8], root: Range<Int>, depth: Int) throws(JSONError) -> OpaquePointer? {
        // More than ours: json-c counts the scalars inside the innermost container, and the root's outside.
        guard let tokener = json_tokener_new_ex(Int32(max(0, depth) + 2)) else {
            throw failure("There is no memory to read it.", bytes, at: 0)
        }
        defer { json_tokener_free(tokener) }
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT)
        var tree = bytes.withUnsafeBytes { all in
            let text = all[root].withMemoryRebound(to: CChar.self) { $0.baseAddress }
            return json_tokener_parse_ex(tokener, text, Int32(root.count))
        }
        if json_tokener_get_error(tokener) == json_tokener_continue {
            // A number at the root has no end of its own; the terminator ends it.
            tree = json_tokener_parse_ex(tokener, "", 1)
        }
        guard json_tokener_get_error(tokener) == json_tokener_success else {
            let reason = String(cString: json_tokener_error_desc(json_tokener_get_error(tokener)))
            throw failure(
                "json-c refuses it: \(reason).",
                bytes,
                at: root.lowerBound + json_tokener_get_parse_end(tokener)
            )
        }
        return tree
    }

    static func failure(_ reason: String, _ bytes: [UInt8], at offset: Int) -> JSONError {
        JSONError(position: JSONPosition(offset: offset, in: bytes), reason: reason)
    }
}

/// Turns json-c's tree into values, beside the tokens of the same text.
private struct TreeBuilder {
    let bytes: [UInt8]
    let tokens: [JSONToken]
    private var next = 0

    init(bytes: [UInt8], tokens: [JSONToken]) {
        self.bytes = bytes
        self.tokens = tokens
    }

    /// The value of `node`, whose token is the next one.
    ///
    /// The recursion is as deep as the text, which the scan bounded.
    mutating func value(_ node: OpaquePointer?) throws(JSONError) -> JSONValue {
        guard next < tokens.count else { throw JSONReader.failure("The text was read unevenly.", bytes, at: 0) }
        let token = tokens[next]
        next += 1
        switch json_object_get_type(node) {
        case json_type_null: return .null
        case json_type_boolean: return .bool(json_object_get_boolean(node) != 0)
        case json_type_int, json_type_double: return .number(JSONNumber(scanned: text(token.range)))
        case json_type_string: return .string(string(node))
        case json_type_array: return .array(try elements(node))
        case json_type_object: return .object(try members(node, of: token))
        default: throw JSONReader.failure("json-c answers with an unknown type.", bytes, at: token.range.lowerBound)
        }
    }

    private mutating func elements(_ node: OpaquePointer?) throws(JSONError) -> [JSONValue] {
        let count = json_object_array_length(node)
        var elements: [JSONValue] = []
        elements.reserveCapacity(count)
        for index in 0..<count { elements.append(try value(json_object_array_get_idx(node, index))) }
        return elements
    }

    private mutating func members(_ node: OpaquePointer?, of token: JSONToken) throws(JSONError) -> JSONObject {
        // json-c keeps one of several equal keys: fewer members than the text has keys betray them.
        guard Int(json_object_object_length(node)) == Int(token.count) else {
            let doubled = DoubledKey.all(in: tokens, of: bytes, limit: 1).first
            throw JSONError(
                position: doubled?.position ?? JSONPosition(offset: token.range.lowerBound, in: bytes),
                reason: "The key `\(doubled?.path.description ?? "")` stands here for the second time."
            )
        }
        var members: [JSONObject.Member] = []
        members.reserveCapacity(Int(token.count))
        var entry = json_object_get_object(node)?.pointee.head
        while let current = entry {
            next += 1
            let key = current.pointee.k.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
            members.append(JSONObject.Member(key: key, value: try value(OpaquePointer(current.pointee.v))))
            entry = current.pointee.next
        }
        return JSONObject(unique: members)
    }

    private func string(_ node: OpaquePointer?) -> String {
        guard let start = json_object_get_string(node) else { return "" }
        let length = Int(json_object_get_string_len(node))
        return start.withMemoryRebound(to: UInt8.self, capacity: length) {
            String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self)
        }
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}
