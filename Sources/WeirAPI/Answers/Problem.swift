internal import WeirJSON

/// An error as `application/problem+json` (RFC 9457), with a stable `code` beside the standard members.
package struct Problem: Error, Sendable, Hashable {
    /// The HTTP status.
    package var status: Int
    /// A stable word; docs/errors.md explains each.
    package var code: String
    /// A short title, the same for every problem of this code.
    package var title: String
    /// One sentence about this very problem.
    package var detail: String
    /// What is wrong with the input, member by member.
    package var errors: [RequestProblem] = []
    /// Further header fields, such as `Allow`.
    package var headers: [Field] = []

    /// A header field.
    package struct Field: Sendable, Hashable {
        /// The name.
        package var name: String
        /// The value.
        package var value: String
    }

    /// The body.
    package var body: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "about:blank")
            json.member("title", title)
            json.member("status", status)
            json.member("code", code)
            json.member("detail", detail)
            guard !errors.isEmpty else { return }
            json.array("errors") { json in
                for error in errors {
                    json.object { json in
                        json.member("path", error.path)
                        json.member("message", error.message)
                    }
                }
            }
        }
        return json.bytes
    }
}

extension Problem {
    /// The media type of every problem.
    package static let mediaType = "application/problem+json"

    static func badRequest(_ request: BadRequest) -> Problem {
        let first = request.problems.first.map { $0.path.isEmpty ? $0.message : "\($0.path): \($0.message)" } ?? ""
        let more = request.problems.count > 1 ? " (and \(request.problems.count - 1) more)" : ""
        return Problem(
            status: 400,
            code: "bad_request",
            title: "Bad request",
            detail: first + more,
            errors: request.problems
        )
    }

    static func unknownPlacement(_ reason: String) -> Problem {
        Problem(
            status: 404,
            code: "unknown_placement",
            title: "Unknown placement",
            detail: reason,
            errors: [RequestProblem(path: "placement", message: "is not configured")]
        )
    }

    static func notFound(_ what: String) -> Problem {
        Problem(status: 404, code: "not_found", title: "Not found", detail: "There is no \(what).")
    }

    /// The address may be that of several routes, so that a method may come more than once.
    static func methodNotAllowed(_ method: String, allowed: [String]) -> Problem {
        let allowed = allowed.enumerated().filter { !allowed.prefix($0.offset).contains($0.element) }.map(\.element)
        return Problem(
            status: 405,
            code: "method_not_allowed",
            title: "Method not allowed",
            detail: "\(method) is not allowed here; use \(allowed.joined(separator: " or ")).",
            headers: [Field(name: "Allow", value: allowed.joined(separator: ", "))]
        )
    }

    static let unauthorized = Problem(
        status: 401,
        code: "unauthorized",
        title: "Unauthorized",
        detail: "This needs the admin key: Authorization: Bearer …",
        headers: [Field(name: "WWW-Authenticate", value: "Bearer")]
    )

    static let foreignPage = Problem(
        status: 403,
        code: "foreign_page",
        title: "Forbidden",
        detail: "Without server.admin_key only programs on this machine may ask, by an address or as localhost."
    )

    static func unsupportedMediaType(_ type: String?) -> Problem {
        Problem(
            status: 415,
            code: "unsupported_media_type",
            title: "Unsupported media type",
            detail: "The body must be declared as application/json, not as \(type ?? "nothing").",
            errors: [RequestProblem(path: "Content-Type", message: "must be application/json")]
        )
    }

    /// A body that would have to be unpacked first.
    static func unsupportedEncoding(_ encoding: String) -> Problem {
        Problem(
            status: 415,
            code: "unsupported_media_type",
            title: "Unsupported media type",
            detail: "The body must come without a Content-Encoding, not as \(encoding.prefix(64)).",
            errors: [RequestProblem(path: "Content-Encoding", message: "must be absent or identity")],
            // What would be taken (RFC 9110 §15.5.16).
            headers: [Field(name: "Accept-Encoding", value: "identity")]
        )
    }

    static func storage(_ reason: String) -> Problem {
        Problem(status: 500, code: "storage", title: "Storage failed", detail: reason)
    }

    /// A presentation token that was not signed here.
    static let forgedToken = Problem(
        status: 403,
        code: "forged_token",
        title: "Forged token",
        detail: "The presentation_token was not made by this gateway, or was changed.",
        errors: [RequestProblem(path: "presentation_token", message: "is not genuine")]
    )

    /// Rewards that could not be written: the caller should say it again.
    static func rewardStorage(_ reason: String) -> Problem {
        Problem(
            status: 503,
            code: "storage",
            title: "Storage failed",
            detail: reason,
            headers: [Field(name: "Retry-After", value: "1")]
        )
    }

    /// A reward that nobody can be told of.
    static let noPublisherCallback = Problem(
        status: 409,
        code: "no_publisher_callback",
        title: "Nobody to tell",
        detail: "rewards.publisher_callback_url is not configured, so that no server of yours can be told of rewards."
    )

    /// As many requests are being answered as may be.
    static let overloaded = Problem(
        status: 503,
        code: "overloaded",
        title: "Overloaded",
        detail: "The gateway has as much to do as it can; try again in a second.",
        headers: [Field(name: "Retry-After", value: "1")]
    )

    static let clientGone = Problem(
        status: 503,
        code: "cancelled",
        title: "Cancelled",
        detail: "The caller went away before there was an answer."
    )
}
