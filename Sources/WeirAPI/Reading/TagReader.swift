internal import WeirHTTP
internal import WeirJSON
package import WeirModel

/// Reads the query of `GET /v1/vast`: the request's fields in flat form, as an ad tag carries them.
///
/// Unknown parameters are ignored (tags carry cache busters and the like); a known one that stands twice or cannot be
/// read is an error that names it. Only `targeting.KEY` may stand several times: its values are a list, as in the body.
package enum TagReader {
    /// A known parameter: the member of the JSON body that it fills.
    fileprivate static let members: [(parameter: String, path: [String], kind: Kind)] = [
        ("placement", ["placement"], .text),
        ("bundle", ["app", "bundle"], .text), ("app_version", ["app", "version"], .text),
        ("ua", ["device", "ua"], .text), ("ip", ["device", "ip"], .text), ("os", ["device", "os"], .text),
        ("os_version", ["device", "os_version"], .text), ("lang", ["device", "language"], .text),
        ("ifa", ["device", "ifa"], .text), ("lmt", ["device", "lmt"], .flag),
        ("country", ["device", "country"], .text),
        ("user_id", ["user", "id"], .text), ("age", ["user", "age"], .number), ("gender", ["user", "gender"], .text),
        ("custom_data", ["user", "custom_data"], .text),
        ("gdpr", ["consent", "gdpr"], .flag), ("gdpr_consent", ["consent", "tcf"], .text),
        ("gpp", ["consent", "gpp"], .text), ("gpp_sid", ["consent", "gpp_sid"], .numbers),
        ("us_privacy", ["consent", "us_privacy"], .text), ("coppa", ["consent", "coppa"], .flag),
        ("url", ["content", "url"], .text), ("duration_ms", ["content", "duration_ms"], .number),
        ("content_lang", ["content", "language"], .text),
        ("w", ["player", "width"], .number), ("h", ["player", "height"], .number),
        ("muted", ["player", "muted"], .flag), ("mimes", ["player", "mimes"], .texts),
        ("max_bitrate_kbps", ["player", "max_bitrate_kbps"], .number),
        ("midpoints", ["midpoints", "seconds"], .numbers),
        ("test", ["test"], .flag), ("timeout_ms", ["timeout_ms"], .number),
    ]

    fileprivate enum Kind {
        case text
        case number
        case numbers
        case texts
        case flag
    }

    /// The known parameters, for docs and their test.
    package static let parameters = members.map(\.parameter) + ["version", "targeting.KEY"]

    /// The VAST versions that a tag may ask for.
    package static let versions = ["2", "2.0", "3", "3.0", "4.0", "4.1", "4.2", "4.3"]

    /// Reads a query.
    ///
    /// - Returns: The request, and the VAST version when the tag asks for one, spelled like `3.0`.
    /// - Throws: ``BadRequest`` with every problem found; paths are the parameters' names.
    package static func read(
        _ query: QueryParameters
    ) throws(BadRequest) -> (request: AdRequest, version: String?) {
        var problems = query.doubledNames.filter(parameters.contains).map {
            RequestProblem(path: $0, message: "stands more than once")
        }
        if query.isCut {
            // What is not read might be a word on consent.
            let message = "The query has more than \(QueryParameters.limit) parameters."
            problems.append(RequestProblem(path: "", message: message))
        }
        var body: JSONValue = .object(JSONObject())
        for member in members {
            guard let text = query[member.parameter] else { continue }
            guard let value = member.kind.value(of: text) else {
                problems.append(RequestProblem(path: member.parameter, message: member.kind.complaint))
                continue
            }
            body = body.setting(value, at: member.path[...])
        }
        for (key, values) in targeting(query) {
            let value: JSONValue = values.count == 1 ? values[0] : .array(values)
            body = body.setting(value, at: ["targeting", key])
        }
        let version = query["version"]
        if let version, !versions.contains(version) {
            problems.append(
                RequestProblem(path: "version", message: "must be one of \(versions.joined(separator: ", "))")
            )
        }
        return (try request(body, problems), version.map { $0.utf8.count == 1 ? $0 + ".0" : $0 })
    }

    /// The publisher's keys in the order of the query, each with all its values.
    private static func targeting(_ query: QueryParameters) -> [(key: String, values: [JSONValue])] {
        let prefix = "targeting."
        var keys: [(key: String, values: [JSONValue])] = []
        for pair in query.pairs where pair.name.hasPrefix(prefix) && !pair.value.isEmpty {
            let key = String(pair.name.dropFirst(prefix.count))
            if let index = keys.firstIndex(where: { $0.key == key }) {
                keys[index].values.append(.string(pair.value))
            } else {
                keys.append((key, [.string(pair.value)]))
            }
        }
        return keys
    }

    /// Lets the body's reader judge the values, so that both forms have the same rules, and names the parameters.
    private static func request(
        _ body: JSONValue,
        _ problems: [RequestProblem]
    ) throws(BadRequest) -> AdRequest {
        let request: AdRequest
        do { request = try AdRequestReader.read(body) } catch {
            throw BadRequest(
                problems: problems
                    + error.problems.map { RequestProblem(path: parameter(for: $0.path), message: $0.message) }
            )
        }
        guard problems.isEmpty else { throw BadRequest(problems: problems) }
        return request
    }

    private static func parameter(for path: String) -> String {
        let plain = path.prefix { $0 != "[" }
        return members.first { $0.path.joined(separator: ".") == plain }?.parameter ?? path
    }
}

extension TagReader.Kind {
    /// The parameter's text as JSON; `nil` when it does not fit.
    fileprivate func value(of text: String) -> JSONValue? {
        switch self {
        case .text: .string(text)
        case .texts: .array(text.split(separator: ",").map { .string(String($0)) })
        case .number: JSONNumber(text).map(JSONValue.number)
        case .flag: flag(text).map(JSONValue.bool)
        case .numbers: numbers(text).map { .array($0.map(JSONValue.number)) }
        }
    }

    private func numbers(_ text: String) -> [JSONNumber]? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { JSONNumber(String($0)) }
        return numbers.count == parts.count ? numbers : nil
    }

    fileprivate var complaint: String {
        switch self {
        case .number: "must be a number"
        case .numbers: "must be numbers with commas between them"
        case .flag: "must be 1 or 0"
        case .text, .texts: "must be text"
        }
    }

    private func flag(_ text: String) -> Bool? {
        switch text {
        case "1", "true": true
        case "0", "false": false
        default: nil
        }
    }
}

extension JSONValue {
    /// The same value with a member set, objects on the way made as needed.
    fileprivate func setting(_ value: JSONValue, at path: ArraySlice<String>) -> JSONValue {
        guard let key = path.first else { return value }
        var object = object ?? JSONObject()
        object[key] = (object[key] ?? .null).setting(value, at: path.dropFirst())
        return .object(object)
    }
}
