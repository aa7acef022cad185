internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime

/// Answers that are no answers.
extension Fault {
    static let answers: [Fault] = [
        noFill("http_204", "204", SandboxReply(status: 204)),
        noFill("empty_200", "200 with an empty body", SandboxReply(status: 200)),
        refusal(
            "html",
            "200 with an HTML page",
            [.badResponse],
            SandboxReply(type: "text/html", FaultDocuments.page),
            fix:
                "A page is neither an ad nor a no-fill: it is bad_response(bad_json) or (bad_vast). In Swift MarkupGlance and "
                + "JSONReader say so."
        ),
        truncated,
        refusal(
            "http_4xx",
            "404",
            [.networkError],
            SandboxReply(status: 404, type: "text/html", FaultDocuments.page),
            fix:
                "It is network_error(http_4xx); only 204 and an empty 200 are no-fills. In Swift StatusVerdict says so."
        ),
        refusal(
            "http_5xx",
            "503",
            [.networkError],
            SandboxReply(status: 503, type: "text/plain", "busy"),
            fix:
                "It is network_error(http_5xx), in Swift by StatusVerdict. Do not ask again: the gateway decides that."
        ),
        refusal(
            "redirect",
            "302 to another host",
            [.networkError],
            redirecting,
            fix:
                "It is network_error(redirect_refused), in Swift by StatusVerdict. Do not ask the Location: it may be a "
                + "private address."
        ),
        refusal(
            "reset",
            "a connection that is reset within the answer",
            [.networkError],
            RoutedTransport.answer(for: .reset) ?? SandboxReply(),
            fix: "Let the transport's error through as network_error. In Swift AdapterError(error) keeps its kind."
        ),
        slow("hang", "no answer at all", hanging),
        slow("trickle", "an answer that comes byte by byte for minutes", trickling),
        refusal(
            "huge_body",
            "a body of 64 MiB",
            [.badResponse],
            RoutedTransport.answer(for: .tooLarge) ?? SandboxReply(),
            fix: "Let the transport's error through. In Swift AdapterError(error) makes bad_response(too_large) of it."
        ),
        refusal(
            "header_flood",
            "200 with 2,000 header fields",
            [.badResponse],
            flooding,
            fix: "Let the transport's error through. In Swift AdapterError(error) makes bad_response(too_large) of it."
        ),
        refusal(
            "gzip_bomb",
            "400 KB of gzip that unpack to 64 MiB",
            [.badResponse],
            bomb,
            fix: "Let the transport's error through. In Swift AdapterError(error) makes bad_response(too_large) of it."
        ),
        refusal(
            "wrong_content_type",
            "200 with an image",
            [.badResponse],
            image,
            fix:
                "It is bad_response(wrong_content_type), or what your reader says of a body that it cannot read. In Swift "
                + "BodyKind(reply, acceptsJSON:) tells what came."
        ),
    ]

    // MARK: The kinds of expectation

    private static func noFill(_ name: String, _ sent: String, _ reply: SandboxReply) -> Fault {
        Fault(
            name: name,
            sent: sent,
            fix: "Nothing to sell is the outcome no_fill, no error and no ad. In Swift StatusVerdict tells it."
        ) { (stage) throws(SettingsError) in
            let seen = try await stage.play(reply)
            return stage.asked(seen) ?? (seen.result == .noFill ? .passed(seen.said) : .failed(seen.said))
        }
    }

    private static func refusal(
        _ name: String,
        _ sent: String,
        _ results: Set<AttemptResult>,
        _ reply: @autoclosure @escaping @Sendable () -> SandboxReply,
        fix: String
    ) -> Fault {
        Fault(name: name, sent: sent, fix: fix) { (stage) throws(SettingsError) in
            let seen = try await stage.play(reply())
            if let verdict = stage.asked(seen) { return verdict }
            let most = stage.goods.first?.requestCount ?? 1
            guard seen.exchanges.count <= most else {
                return .failed("\(seen.said) after \(seen.exchanges.count) requests")
            }
            return seen.result.map(results.contains) ?? false ? .passed(seen.said) : .failed(seen.said)
        }
    }

    /// What a call with little time may last; the answer comes far later.
    private static let shortTime: Duration = .milliseconds(400)

    private static func slow(_ name: String, _ sent: String, _ reply: SandboxReply) -> Fault {
        Fault(
            name: name,
            sent: sent,
            fix: "Send with the ask's deadline, through the context's transport, and let its timeout through."
        ) { (stage) throws(SettingsError) in
            let seen = try await stage.play(reply, time: shortTime)
            if let verdict = stage.asked(seen) { return verdict }
            let took = "\(seen.said) after \(seen.elapsed.milliseconds) ms of \(shortTime.milliseconds)"
            return seen.result == .timeout ? .passed(seen.said) : .failed(took)
        }
    }

    private static let truncated = Fault(
        name: "truncated",
        sent: "the first half of a good answer",
        fix:
            "Half an answer is bad_response(bad_json) or (bad_vast), never an ad or a no-fill: whatever ends the network's "
            + "answers must have been there."
    ) { (stage) throws(SettingsError) in
        guard let good = stage.goods.first(where: { $0.body.count > 1 }) else { return stage.needsExample }
        let seen = try await stage.play(good.answer(Array(good.body.prefix(good.body.count / 2))), good: good)
        return seen.result == .badResponse ? .passed(seen.said) : .failed(seen.said)
    }

    // MARK: The answers

    private static var redirecting: SandboxReply {
        var reply = SandboxReply(status: 302)
        reply.headers = [SandboxReply.Header("Location", "https://other.example/ad")]
        return reply
    }

    private static var hanging: SandboxReply {
        var reply = SandboxReply()
        reply.delay = .fixed(.seconds(3600))
        return reply
    }

    private static var trickling: SandboxReply {
        var reply = SandboxReply()
        reply.body = .bytes(Array("<VAST version=\"4.2\">".utf8) + [UInt8](repeating: 0x20, count: 10_000))
        reply.chunkPause = .milliseconds(20)
        return reply
    }

    private static var flooding: SandboxReply {
        var reply = SandboxReply(type: "application/xml", FaultDocuments.emptyVAST)
        // Far more than the head of an answer may have, in fields that are harmless one by one.
        reply.headers += (0..<2000).map { SandboxReply.Header("X-Flood-\($0)", String(repeating: "x", count: 80)) }
        return reply
    }

    private static var bomb: SandboxReply {
        var reply = SandboxReply()
        reply.headers = [SandboxReply.Header("Content-Encoding", "gzip")]
        reply.body = .bytes(GzipBomb.bytes)
        return reply
    }

    private static var image: SandboxReply {
        var reply = SandboxReply()
        reply.headers = [SandboxReply.Header("Content-Type", "image/png")]
        reply.body = .bytes(FaultDocuments.image)
        return reply
    }
}

extension FaultStage {
    /// The verdict on a call that never reached the network; `nil` when it did.
    func asked(_ seen: FaultObservation) -> FaultVerdict? {
        guard seen.exchanges.isEmpty else { return nil }
        if case .error(let error) = seen.end {
            return .failed(
                "\(seen.said): \(error.outcome.message)",
                fix: "The adapter asked no network. Give a case (--cases) whose ask it accepts, or its --settings."
            )
        }
        return .notApplicable("the adapter asks no network")
    }

    /// The verdict where a good answer is needed and there is none.
    var needsExample: FaultVerdict { .notApplicable("no exemplary case fills") }
}
