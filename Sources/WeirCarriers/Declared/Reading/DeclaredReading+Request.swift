internal import WeirAdapterKit
internal import WeirJSON

extension DeclaredReading {
    /// The most members of `query`, `headers` and `form`.
    static let mostFields = 100

    /// The request half.
    func request() -> DeclaredRequest {
        var request = DeclaredRequest(url: Self.nowhere)
        if let url = root.member("url") {
            request.url = urlTemplate(url) ?? request.url
        } else {
            root.complain(about: "url", "is required.", kind: .missing)
        }
        guard let given = root.member("request") else { return request }
        request.query = fields(given.member("query"), isURL: true)
        request.headers = headers(given.member("headers"))
        request.body = body(given)
        request.method = method(given, hasBody: request.body != .none)
        if let type = request.body.contentType,
            !request.headers.contains(where: { $0.name.lowercased() == "content-type" }),
            let value = try? DeclaredTemplate(type)
        {
            request.headers.append(DeclaredRequest.Field(name: "Content-Type", encodedName: [], value: value))
        }
        return request
    }

    /// Stands in for a URL that has been complained about.
    private static let nowhere: DeclaredTemplate = DeclaredTemplate(literal: "")

    private func method(_ given: JSONField, hasBody: Bool) -> String {
        guard let method = given.value["method"]?.string else { return hasBody ? "POST" : "GET" }
        if hasBody, method == "GET" {
            given.complain(about: "method", "must not be GET when there is a body.", hint: "Write POST.")
        }
        return method
    }

    private func fields(_ field: JSONField?, isURL: Bool) -> [DeclaredRequest.Field] {
        guard let field, let object = field.value.object else { return [] }
        if object.count > Self.mostFields { field.complain("has more than \(Self.mostFields) members.") }
        return object.members.prefix(Self.mostFields).compactMap { member in
            let value = JSONField(member.value, path: field.path.key(member.key), problems: field.problems)
            guard let template = template(value) else { return nil }
            if isURL { checkRaw(template, value) }
            var name: [UInt8] = []
            appendPercentEncoded(member.key, to: &name)
            return DeclaredRequest.Field(name: member.key, encodedName: name, value: template)
        }
    }

    private func headers(_ field: JSONField?) -> [DeclaredRequest.Field] {
        let headers = fields(field, isURL: false)
        for header in headers {
            guard let field else { break }
            if !header.name.isHeaderName {
                field.complain(about: header.name, "is not the name of a header field.")
            } else if transportHeaders.contains(header.name.lowercased()) {
                field.complain(about: header.name, "is set by the transport and cannot be configured.")
            }
            let hasControls = header.value.parts.contains { part in
                if case .literal(let bytes) = part { bytes.contains { $0 < 0x20 || $0 == 0x7F } } else { false }
            }
            if hasControls { field.complain(about: header.name, "holds control characters.") }
        }
        return headers
    }

    private func body(_ given: JSONField) -> DeclaredRequest.Body {
        let kinds = ["json", "form", "text"].filter { given.value[$0] != nil }
        if kinds.count > 1 {
            given.complain(about: kinds[1], "cannot stand beside \(kinds[0]): a request has one body.")
        }
        switch kinds.first {
        case "json":
            let field = JSONField(given.value["json"] ?? .null, path: given.path.key("json"), problems: given.problems)
            return .json(json(field))
        case "form":
            return .form(fields(given.member("form"), isURL: true))
        case "text":
            return given.member("text").flatMap(textBody) ?? .none
        default:
            return .none
        }
    }

    /// A text of any kind: each field says how it is made safe for it.
    private func textBody(_ field: JSONField) -> DeclaredRequest.Body? {
        guard let template = template(field) else { return nil }
        for use in template.uses where !use.isEncoded {
            field.complain(
                "does not say how {\(use.field.name)} is made safe for this text.",
                hint: "End it with a filter: {\(use.field.name)|xml}, |json, |url, |base64 or |raw."
            )
        }
        return .text(template)
    }

    /// The recursion is as deep as the file, which its reader bounded.
    private func json(_ field: JSONField) -> DeclaredJSON {
        switch field.value {
        case .string:
            guard let template = template(field) else { return .constant(Array("null".utf8)) }
            if let text = template.constant { return .constant(JSONValue.string(text).encoded()) }
            return template.wholeUse.map(DeclaredJSON.field) ?? .text(template)
        case .array(let elements):
            let parts = elements.enumerated().map { index, element in
                json(JSONField(element, path: field.path.index(index), problems: field.problems))
            }
            return folded(.array(parts), field.value)
        case .object(let object):
            let members = object.members.map { member in
                DeclaredJSON.Member(
                    key: member.key,
                    value: json(
                        JSONField(member.value, path: field.path.key(member.key), problems: field.problems)
                    )
                )
            }
            return folded(.object(members), field.value)
        default:
            return .constant(field.value.encoded())
        }
    }

    /// What has no fields in it is written once.
    private func folded(_ json: DeclaredJSON, _ value: JSONValue) -> DeclaredJSON {
        let parts: [DeclaredJSON] =
            switch json {
            case .array(let elements): elements
            case .object(let members): members.map(\.value)
            default: []
            }
        let isConstant = parts.allSatisfy { if case .constant = $0 { true } else { false } }
        return isConstant ? .constant(value.encoded()) : json
    }
}
