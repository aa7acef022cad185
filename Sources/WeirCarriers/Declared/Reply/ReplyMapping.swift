internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// The reply half of a declared network: what an answer means.
struct ReplyMapping: Sendable, Hashable {
    /// What the body is.
    enum Format: String, CaseIterable, Sendable {
        /// VAST, DAAST or VMAP.
        case vast
        /// JSON that the mapping reads.
        case json
        /// Markup when it begins like it, else JSON.
        case any
    }

    /// When the reply is an error, and where the network's words for it stand.
    struct Failure: Sendable, Hashable {
        var when: [ReplyCondition]
        var code: ReplySource?
        var message: ReplySource?
    }

    /// The most ads taken from one reply.
    static let mostAds = 50

    var format: Format
    var noFill: [ReplyCondition] = []
    var failure: Failure?
    /// Where the ad or the list of ads stands; `nil` is the whole reply.
    var ads: ReplyPath?
    var ad = AdMapping()

    /// Whether a condition looks into the JSON of replies that are no ads.
    private var judgesJSON: Bool {
        noFill.contains(where: \.readsJSON) || (failure?.when.contains(where: \.readsJSON) ?? false)
            || failure?.code != nil || failure?.message != nil
    }

    /// What a reply of any status means.
    ///
    /// The file's conditions come first: no-fill, then errors; then what every network's status says; then the ads.
    func outcome(
        of response: InboundResponse,
        _ scope: DeclaredScope,
        log: (String) -> Void
    ) throws(AdapterError) -> LoadOutcome {
        let verdict = StatusVerdict(response)
        let json = json(response, isRead: verdict == .readBody)
        let reply = DeclaredReply(
            response: response,
            json: json,
            isReadable: looksForHeaders ? isReadable(response, json) : true
        )
        if noFill.contains(where: { $0.holds(reply) }) {
            let words = reported(reply).outcome
            return .noFill(
                NoFill(
                    .networkNoFill,
                    "The network answered that it has no ad.",
                    networkCode: words.networkCode,
                    networkMessage: words.networkMessage
                )
            )
        }
        if let failure, failure.when.contains(where: { $0.holds(reply) }) { throw reported(reply) }
        switch verdict {
        case .noFill(let noFill): return .noFill(noFill)
        case .failure(let error): throw error
        case .readBody: break
        }
        if try isMarkup(response) { return try LoadOutcome(markup: response.body) }
        return try adsOutcome(reply, scope, log)
    }

    /// The network's own words in a reply.
    private func reported(_ reply: DeclaredReply) -> AdapterError {
        .reported(
            code: failure?.code?.value(reply, ad: reply.json)?.shortText,
            message: failure?.message?.value(reply, ad: reply.json)?.scalarText
        )
    }

    /// The body as JSON, when anybody will ask for it; what is wrong with it is said later, in its turn.
    private func json(_ response: InboundResponse, isRead: Bool) -> JSONValue? {
        guard format != .vast || judgesJSON, isRead || judgesJSON else { return nil }
        // Markup is no JSON: not even tried.
        let first = response.body.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        guard first != UInt8(ascii: "<") else { return nil }
        return try? JSONReader.read(response.body)
    }

    /// Whether the body is of the format, as far as its beginning and its type tell.
    private func isReadable(_ response: InboundResponse, _ json: JSONValue?) -> Bool {
        let kind = try? BodyKind(response, acceptsJSON: format != .vast)
        let isMarkup = kind == .markup && (try? MarkupGlance(response.body)) != nil
        switch format {
        case .vast: return isMarkup
        case .json: return kind != nil && json?.isAnswer ?? false
        case .any: return isMarkup || kind != nil && json?.isAnswer ?? false
        }
    }

    /// Whether a condition looks for a header field that is missing: only that needs the whole body looked at.
    private var looksForHeaders: Bool {
        noFill.contains(where: \.looksForHeaders) || (failure?.when.contains(where: \.looksForHeaders) ?? false)
    }

    private func isMarkup(_ response: InboundResponse) throws(AdapterError) -> Bool {
        switch format {
        case .vast:
            _ = try BodyKind(response, acceptsJSON: false)
            return true
        case .json:
            _ = try BodyKind(response, acceptsJSON: true)
            return false
        case .any:
            return try BodyKind(response, acceptsJSON: true) == .markup
        }
    }

    private func adsOutcome(
        _ reply: DeclaredReply,
        _ scope: DeclaredScope,
        _ log: (String) -> Void
    ) throws(AdapterError) -> LoadOutcome {
        guard let root = reply.json else { throw Self.badJSON(reply.response.body) }
        guard root.object != nil || root.array != nil else {
            throw AdapterError(.badResponse, .badJSON, "The network's answer is \(root.kindName), not an object.")
        }
        let found = elements(root)
        guard !found.isEmpty else { return .noFill(NoFill(.noAd, "The network answered that it has no ad.")) }
        var offers: [Offer] = []
        var refused: [Offer] = []
        var noFill: NoFill?
        var problem: AdapterError?
        for (number, element) in found.enumerated() {
            do throws(AdapterError) {
                switch try ad.outcome(reply, ad: element, scope) {
                case .fill(let more): offers.append(unrepeated: more)
                case .noFill(let none): noFill = noFill ?? none
                }
            } catch {
                problem = problem ?? error
                ad.refused(error, reply, element, scope).map { refused.append($0) }
                if found.count > 1 { log("ad \(number + 1) of \(found.count) was left out: \(error.outcome.message)") }
            }
        }
        // Those that were left out are told so, too.
        if !offers.isEmpty { return .fill(offers + refused) }
        if var problem {
            problem.lossURLs = refused.flatMap(\.lossURLs)
            throw problem
        }
        return .noFill(noFill ?? NoFill(.noAd, "The network answered that it has no ad."))
    }

    /// The ads in a reply: hollow ones are none.
    private func elements(_ root: JSONValue) -> [JSONValue] {
        let found = ads.map { $0.values(in: root, limit: Self.mostAds) } ?? [root]
        // A path that leads to a list means its elements, with or without `[*]`.
        return found.flatMap { $0.array ?? [$0] }.prefix(Self.mostAds).filter { !$0.isHollow }
    }

    private static func badJSON(_ body: [UInt8]) -> AdapterError {
        do throws(JSONError) {
            _ = try JSONReader.read(body)
            return AdapterError(.badResponse, .badJSON, "The network's answer is not JSON.")
        } catch {
            return AdapterError(
                .badResponse,
                .badJSON,
                "The network's answer is not JSON, from line \(error.line), column \(error.column) on."
            )
        }
    }
}
