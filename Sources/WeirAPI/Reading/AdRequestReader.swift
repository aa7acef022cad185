internal import WeirHTTP
package import WeirJSON
package import WeirModel
internal import WeirTime

/// One complaint about a request: where, and what would be right.
package struct RequestProblem: Sendable, Hashable {
    /// The member's path, such as `device.ip`, or the query parameter's name.
    package var path: String
    /// One sentence without the path.
    package var message: String

    /// A complaint.
    package init(path: String, message: String) {
        self.path = path
        self.message = message
    }

    /// What a reader of JSON has noted, with its guess at what was meant.
    init(_ problem: JSONProblem) {
        self.init(path: problem.path.description, message: problem.message + (problem.hint.map { ". \($0)" } ?? ""))
    }
}

/// A request that cannot be read: all its problems at once.
package struct BadRequest: Error, Sendable, Hashable {
    /// At least one.
    package var problems: [RequestProblem]
}

/// Reads the JSON body of `POST /v1/ads` and `POST /v1/explain`.
///
/// Only `placement` is required; unknown members are ignored, wrong ones are all reported at once.
package enum AdRequestReader {
    /// Named limits of a request's members.
    package enum Limit {
        /// Longest text of one member, in bytes; a TCF string or custom data may be long.
        package static let text = 8192
        /// Longest list of MIME types, GPP sections, mid-points or values of one targeting key.
        package static let list = 100
        /// Most targeting keys.
        package static let targetingKeys = 100
        /// Longest duration of a content item or time-out: 31 days.
        package static let duration = 2_678_400_000
        /// Most places for companions.
        package static let companions = 20
        /// Widest and highest player in pixels.
        package static let pixels = 100_000
    }

    /// Nesting deeper than any request needs is refused before it is built.
    ///
    /// The bytes are counted once, by the server as they come (`server.max_body_bytes`).
    private static let limits = JSONLimits(bytes: .max, depth: 16, values: 10_000)

    /// Reads a body.
    ///
    /// - Throws: ``BadRequest`` with every problem found.
    package static func read(_ body: [UInt8]) throws(BadRequest) -> AdRequest {
        let value: JSONValue
        do { value = try JSONReader.read(body, limits: limits) } catch {
            throw BadRequest(problems: [RequestProblem(path: "", message: "The body is not JSON: \(error)")])
        }
        return try read(value)
    }

    /// Reads a body that is JSON already.
    ///
    /// - Throws: ``BadRequest`` with every problem found.
    package static func read(_ value: JSONValue) throws(BadRequest) -> AdRequest {
        let problems = JSONProblems()
        let request = request(JSONField(value, problems: problems))
        guard problems.isEmpty, let request else {
            throw BadRequest(problems: problems.list.map(RequestProblem.init))
        }
        return request
    }

    private static func request(_ root: JSONField) -> AdRequest? {
        guard let body = root.object() else { return nil }
        let placement = body.requiredString("placement", maxBytes: 128)
        if let placement, !PlacementID.isValid(placement) {
            body.complain(about: "placement", "must be 1 to 128 characters without control characters")
        }
        // Without a placement the rest is read all the same, so that its faults are told too.
        var request = AdRequest(placement: PlacementID(placement ?? ""))
        if let app = body.optionalObject("app") {
            request.app.bundle = text(app, "bundle")
            request.app.version = text(app, "version")
        }
        if let device = body.optionalObject("device") { request.device = read(device: device) }
        if let user = body.optionalObject("user") {
            request.user.id = text(user, "id")
            request.user.age = user.optionalInt("age", range: 0...130)
            request.user.gender = text(user, "gender")
            request.user.customData = text(user, "custom_data")
        }
        if let consent = body.optionalObject("consent") { request.consent = read(consent: consent) }
        if let content = body.optionalObject("content") {
            request.content.url = text(content, "url")
            request.content.duration = duration(content, "duration_ms")
            request.content.language = content.language("language")
        }
        if let player = body.optionalObject("player") { request.player = read(player: player) }
        if let midpoints = body.optionalObject("midpoints") {
            request.midpoints = read(midpoints: midpoints)
            if case .percent(let percents) = request.midpoints, !percents.isEmpty { requireDuration(body) }
        }
        request.targeting = read(targeting: body)
        request.isTest = body.optionalBool("test") ?? false
        request.timeout = body.optionalInt("timeout_ms", range: 1...Limit.duration).map { .milliseconds($0) }
        return request
    }

    private static func read(device field: JSONField) -> AdRequest.Device {
        var device = AdRequest.Device()
        device.userAgent = text(field, "ua")
        device.ip = text(field, "ip")
        if let ip = device.ip, IPAddress(ip) == nil {
            field.complain(about: "ip", "must be an IPv4 or IPv6 address")
        }
        device.os = text(field, "os")
        device.osVersion = text(field, "os_version")
        device.language = field.language("language")
        device.advertisingID = text(field, "ifa")
        device.limitsTracking = field.optionalBool("lmt")
        device.country = field.country("country")
        return device
    }

    private static func read(consent field: JSONField) -> AdRequest.Consent {
        var consent = AdRequest.Consent()
        consent.gdpr = field.optionalBool("gdpr")
        consent.tcf = text(field, "tcf")
        consent.gpp = text(field, "gpp")
        consent.gppSections = field.ints("gpp_sid", range: 0...1000, maxCount: Limit.list)
        consent.usPrivacy = text(field, "us_privacy")
        consent.coppa = field.optionalBool("coppa")
        return consent
    }

    private static func read(player field: JSONField) -> AdRequest.Player {
        var player = AdRequest.Player()
        player.width = field.optionalInt("width", range: 0...Limit.pixels)
        player.height = field.optionalInt("height", range: 0...Limit.pixels)
        player.isMuted = field.optionalBool("muted")
        player.mimes = field.strings("mimes", maxCount: Limit.list)
        player.maxBitrate = field.optionalInt("max_bitrate_kbps", range: 1...10_000_000)
        player.companions = field.member("companions")?.elements(maxCount: Limit.companions)?.compactMap(companion)
        return player
    }

    private static func companion(_ field: JSONField) -> AdRequest.CompanionPlace? {
        guard let field = field.object(), let width = field.requiredInt("width", range: 1...Limit.pixels),
            let height = field.requiredInt("height", range: 1...Limit.pixels)
        else { return nil }
        return AdRequest.CompanionPlace(id: text(field, "id"), width: width, height: height)
    }

    private static func read(midpoints field: JSONField) -> AdRequest.Midpoints? {
        let known = ["seconds", "percent"]
        // A misspelt name would leave the mid-rolls to the network without a word.
        field.refuseUnknownKeys(known: known)
        let given = known.compactMap { field.member($0) }
        guard given.count == 1, let list = given.first else {
            let isTold = given.isEmpty && field.value.object?.keys.contains { !known.contains($0) } ?? false
            if !isTold { field.complain("must hold `seconds` or `percent`" + (given.isEmpty ? "" : ", not both")) }
            return nil
        }
        guard let elements = list.elements(maxCount: Limit.list) else { return nil }
        if field.member("seconds") != nil { return .positions(elements.compactMap(position)) }
        return .percent(elements.compactMap(percentage))
    }

    /// Percents of an unknown duration are nowhere: no mid-roll would be left, and nobody would know why.
    private static func requireDuration(_ body: JSONField) {
        let content = body.member("content")
        if let content, content.value.object == nil || content.member("duration_ms") != nil { return }
        body.problems.note(
            JSONProblem(
                kind: .missing,
                path: body.path.key("content").key("duration_ms"),
                message: "is required for mid-points in percent"
            )
        )
    }

    private static func position(_ field: JSONField) -> Duration? {
        guard let value = decimal(field), let micros = value.micros else { return nil }
        guard micros >= 0, micros <= Int64(Limit.duration) * 1000 else {
            field.complain("must be from 0 seconds to 31 days")
            return nil
        }
        return .microseconds(micros)
    }

    private static func percentage(_ field: JSONField) -> ExactDecimal? {
        guard let value = decimal(field) else { return nil }
        guard let micros = value.micros, (0...100_000_000).contains(micros) else {
            field.complain("must be from 0 to 100 percent")
            return nil
        }
        return value
    }

    private static func decimal(_ field: JSONField) -> ExactDecimal? {
        guard let text = field.value.number?.text else { return field.mismatch("a number") }
        if let value = ExactDecimal(text), value.micros != nil { return value }
        field.complain("must be a decimal number")
        return nil
    }

    private static func read(targeting body: JSONField) -> [String: [String]] {
        guard let members = body.optionalObject("targeting")?.members() else { return [:] }
        guard members.count <= Limit.targetingKeys else {
            body.complain(about: "targeting", "has more than \(Limit.targetingKeys) keys")
            return [:]
        }
        var targeting: [String: [String]] = [:]
        for (key, field) in members where !field.value.isNull {
            if field.value.array != nil {
                targeting[key] = field.strings(maxCount: Limit.list)
            } else if let value = scalar(field) {
                targeting[key] = [value]
            }
        }
        return targeting
    }

    private static func scalar(_ field: JSONField) -> String? {
        if let number = field.value.number { return number.text }
        if let bool = field.value.bool { return bool ? "true" : "false" }
        return field.string(maxBytes: Limit.text)
    }

    private static func text(_ field: JSONField, _ key: String) -> String? {
        field.optionalString(key, maxBytes: Limit.text)
    }

    private static func duration(_ field: JSONField, _ key: String) -> Duration? {
        field.optionalInt(key, range: 0...Limit.duration).map { .milliseconds($0) }
    }
}
