internal import WeirAdapterKit
internal import WeirJSON

/// The request half of a declared network, taken apart once and filled in for each ask.
struct DeclaredRequest: Sendable, Hashable {
    /// A named template: a header, a query parameter, a form field.
    struct Field: Sendable, Hashable {
        var name: String
        /// The name, percent-encoded where the place asks for it.
        var encodedName: [UInt8]
        var value: DeclaredTemplate
    }

    enum Body: Sendable, Hashable {
        case none
        case json(DeclaredJSON)
        case form([Field])
        case text(DeclaredTemplate)
    }

    var method = "GET"
    var url: DeclaredTemplate
    var query: [Field] = []
    var headers: [Field] = []
    var body = Body.none

    /// The fields that it names.
    var uses: [DeclaredFieldUse] {
        url.uses + (query + headers).flatMap(\.value.uses) + body.uses
    }

    /// The request for an ask; parameters, headers and form fields with a field that has no value are left out.
    ///
    /// - Throws: `skipped(missing_field)` when the ask lacks a field that a template requires.
    func filled(_ scope: DeclaredScope) throws(AdapterError) -> OutboundRequest {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        try url.append(to: &bytes, scope, as: .url)
        if !query.isEmpty {
            let mark = bytes.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?")
            try Self.append(query, to: &bytes, scope, first: mark)
        }
        var request = OutboundRequest(method: method, url: String(decoding: bytes, as: UTF8.self))
        request.headers.reserveCapacity(headers.count + 2)
        for header in headers {
            if let value = try header.value.text(scope, as: .header), !value.isEmpty {
                request.headers.append(HTTPHeader(header.name, value))
            }
        }
        request.body = try body.filled(scope)
        return request
    }

    /// Appends `name=value` pairs, `first` before the first of them and `&` before the others.
    fileprivate static func append(
        _ fields: [Field],
        to bytes: inout [UInt8],
        _ scope: DeclaredScope,
        first: UInt8?
    ) throws(AdapterError) {
        var mark = first
        for field in fields {
            let start = bytes.count
            if let mark { bytes.append(mark) }
            bytes += field.encodedName
            bytes.append(UInt8(ascii: "="))
            if try field.value.append(to: &bytes, scope, as: .url) {
                mark = UInt8(ascii: "&")
            } else {
                bytes.removeSubrange(start...)
            }
        }
    }
}

extension DeclaredRequest.Body {
    /// The fields that it names.
    var uses: [DeclaredFieldUse] {
        switch self {
        case .none: []
        case .json(let json): json.uses
        case .form(let fields): fields.flatMap(\.value.uses)
        case .text(let template): template.uses
        }
    }

    /// The Content-Type that goes with it, unless the file names one.
    var contentType: String? {
        switch self {
        case .none: nil
        case .json: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .text: "text/plain; charset=utf-8"
        }
    }

    fileprivate func filled(_ scope: DeclaredScope) throws(AdapterError) -> [UInt8] {
        switch self {
        case .none:
            return []
        case .json(let body):
            var json = JSONWriter(reserving: 1024)
            try body.write(to: &json, scope)
            return json.bytes
        case .form(let fields):
            var bytes: [UInt8] = []
            try DeclaredRequest.append(fields, to: &bytes, scope, first: nil)
            return bytes
        case .text(let template):
            var bytes: [UInt8] = []
            try template.append(to: &bytes, scope, as: .plain)
            return bytes
        }
    }
}
