import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting
import WeirTime

/// ``BidAdapter`` with one thing done wrong: what goes wrong is called like the fault that must catch it.
struct BadAdapter: NetworkAdapter {
    let descriptor = AdapterDescriptor(kind: "bids", version: "1.0.0", formats: [.video])
    let vice: String
    let good: BidAdapter
    private let shared = LastReply()

    init(_ vice: String, _ settings: JSONValue, _ context: AdapterContext) {
        self.vice = vice
        good = BidAdapter(settings, context)
    }

    private var context: AdapterContext { good.context }
    private static let nothing = NoFill(.noAd, "Nothing.")

    func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        switch vice {
        case "secrets": context.log("asking with \(good.key)")
        case "secrets in a message":
            throw AdapterError(.networkError, .networkReported, "The key \(good.key) was refused.")
        case "secrets in the trace": return try await sendInBase64(ask)
        case "cancelled", "hang": return try await loadWithoutEnd(ask)
        default: break
        }
        let reply: InboundResponse
        do throws(AdapterError) { reply = try await context.send(good.request, for: ask) } catch {
            switch (vice, error.outcome.reason) {
            case ("reset", .reset), ("trickle", .lineTimeout), ("huge_body", .tooLarge), ("header_flood", .tooLarge):
                return .noFill(Self.nothing)
            case ("gzip_bomb", .tooLarge): return .fill([Offer(markup: .url("https://bids.example/later"))])
            default: throw error
            }
        }
        return try await read(reply, ask)
    }

    private func read(_ reply: InboundResponse, _ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        switch (vice, reply.status) {
        case ("http_204", 204): throw AdapterError(.badResponse, .badJSON, "No body.")
        case ("empty_200", 200) where reply.body.isEmpty: throw AdapterError(.badResponse, .badJSON, "No body.")
        case ("http_4xx", 400..<500): return .noFill(Self.nothing)
        case ("http_5xx", 500...): return try BidAdapter.outcome(of: try await context.send(good.request, for: ask))
        case ("redirect", 300..<400):
            let place = OutboundRequest(url: reply.header("Location") ?? "")
            return try BidAdapter.outcome(of: try await context.send(place, for: ask))
        case ("html", 200) where reply.header("Content-Type") == "text/html": return .noFill(Self.nothing)
        case ("wrong_content_type", 200) where reply.header("Content-Type") == "image/png":
            return .noFill(Self.nothing)
        case ("hundred_at_once", 200):
            shared.reply.withLock { $0 = reply }
            try? await context.clock.sleep(for: .milliseconds(20))
            return try BidAdapter.outcome(of: shared.reply.withLock { $0 } ?? reply)
        case ("truncated", 200) where (try? JSONReader.read(reply.body)) == nil: return .noFill(Self.nothing)
        case ("nan_price", 200):
            let text = String(decoding: reply.body, as: UTF8.self).replacing("NaN", with: "0.01")
            return try BidAdapter.outcome(
                of: InboundResponse(status: 200, headers: reply.headers, body: Array(text.utf8))
            )
        default: break
        }
        guard case .readBody = StatusVerdict(reply) else { return try BidAdapter.outcome(of: reply) }
        return try await BadBids(vice: vice, bids: BidAdapter.bids(reply)).outcome { url throws(AdapterError) in
            try await context.send(OutboundRequest(url: url), for: ask)
        }
    }

    /// Waits in a task that nobody cancels, for as long as it likes.
    private func loadWithoutEnd(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        let (transport, request) = (context.transport, good.request)
        let late = Deadline(ask.deadline.instant.advanced(by: .seconds(30)))
        let task = Task.detached { try? await transport.send(request, deadline: late) }
        guard let reply = await task.value else { return .noFill(Self.nothing) }
        return try BidAdapter.outcome(of: reply)
    }

    /// `Basic` hides a password from nobody.
    private func sendInBase64(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bytes = Array("u:\(good.key)".utf8)
        var text = ""
        for start in stride(from: 0, to: bytes.count - 2, by: 3) {
            let group = Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
            for shift in [18, 12, 6, 0] { text.append(digits[group >> shift & 63]) }
        }
        let request = OutboundRequest(url: good.request.url, headers: [HTTPHeader("Authorization", "Basic \(text)")])
        return try BidAdapter.outcome(of: try await context.send(request, for: ask))
    }

    // MARK: Set-up

    func setUp(_ progress: SetUpProgress) async throws(SetUpFailure) {
        guard let url = good.probeURL else { return }
        let transport = context.transport
        let deadline = Deadline.after(.seconds(30), clock: context.clock)
        switch vice {
        case "set_up_hangs":
            _ = await Task.detached { try? await transport.send(OutboundRequest(url: url), deadline: deadline) }.value
        case "set_up_hangs and is ready at once":
            Task { try? await transport.send(OutboundRequest(url: url), deadline: deadline) }
        case "set_up_hangs in silence", "set_up_fails":
            // Whatever comes of it counts as ready.
            _ = try? await transport.send(OutboundRequest(url: url), deadline: deadline)
        case "set_up_fails without a remedy":
            throw SetUpFailure(reason: "it failed", remedy: try await status(url, deadline) == 503 ? "" : "Wait.")
        case "set_up_late":
            let soon = Deadline.after(.milliseconds(200), clock: context.clock)
            guard try await status(url, soon) == 200 else {
                throw SetUpFailure(reason: "no answer within 200 ms", remedy: "Ask for a faster network.")
            }
        default: try await good.setUp(progress)
        }
    }

    private func status(_ url: String, _ deadline: Deadline) async throws(SetUpFailure) -> Int {
        (try? await context.transport.send(OutboundRequest(url: url), deadline: deadline))?.status ?? 0
    }
}

/// What belongs to one call, kept where all calls see it.
private final class LastReply: Sendable {
    let reply = Lock<InboundResponse?>(nil)
}

/// Bids read with one thing done wrong.
private struct BadBids {
    let vice: String
    var bids: [JSONValue]

    func outcome(
        _ fetch: (String) async throws(AdapterError) -> InboundResponse
    ) async throws(AdapterError) -> LoadOutcome {
        var offers: [Offer] = []
        for bid in bids {
            var changed = bid.object ?? JSONObject()
            if vice == "unknown_imp" { changed["impid"] = "1" }
            if vice == "missing_currency", changed["currency"] == nil { changed["currency"] = "USD" }
            if vice == "unknown_currency" { changed["currency"] = .string("USD") }
            let document = bid["vast"]?.string ?? ""
            if try isRefused(document) { throw AdapterError(.badResponse, .badVAST, "Too old or too new.") }
            if vice == "vast_3", document.contains("\"3.0\"") { changed["vast"] = "<VAST version=\"3.0\"><Ad/></VAST>" }
            if vice == "wrapper_loop" { changed["vast"] = .string(try await followed(document, fetch)) }
            if vice == "empty_vast", !document.contains("<Ad") {
                return .fill([Offer(markup: .document(Array(document.utf8)))])
            }
            guard case .fill(let filled) = try BidAdapter.outcome(of: [priced(changed)]) else { continue }
            for offer in filled where vice == "duplicate_bids" || !offers.contains(where: { $0.id == offer.id }) {
                offers.append(repriced(offer, bid["price"]))
            }
        }
        return offers.isEmpty ? .noFill(NoFill(.noBid, "No bid.")) : .fill(offers)
    }

    private func isRefused(_ document: String) throws(AdapterError) -> Bool {
        (vice == "vast_2" && document.contains("\"2.0\""))
            || (vice == "vast_4" && document.contains("\"4.2\"><Ad id=\"fault"))
    }

    /// The document at the end of a chain of wrappers, which need not have one.
    private func followed(
        _ document: String,
        _ fetch: (String) async throws(AdapterError) -> InboundResponse
    ) async throws(AdapterError) -> String {
        var document = document
        for _ in 0..<3 where document.contains("VASTAdTagURI") {
            let reply = try await fetch("https://loop.example/vast")
            document = (try? BidAdapter.bids(reply))?.first?["vast"]?.string ?? document
        }
        return document
    }

    /// The bid with a price that can be read, where the vice is to make one of anything.
    private func priced(_ bid: JSONObject) -> JSONValue {
        var bid = bid
        let text = BidAdapter.text(bid["price"])
        switch vice {
        case "negative_price" where text.hasPrefix("-"): bid["price"] = .string(String(text.dropFirst()))
        case "huge_price" where text == "1e308": bid["price"] = "9223372036854"
        case "text_price" where ExactDecimal(text) == nil: bid["price"] = "0.01"
        default: break
        }
        return .object(bid)
    }

    /// The offer without its price, where the vice is to lose it.
    private func repriced(_ offer: Offer, _ price: JSONValue?) -> Offer {
        var offer = offer
        if vice == "zero_price", BidAdapter.text(price) == "0" { offer.price = nil }
        if vice == "text_price", ExactDecimal(BidAdapter.text(price)) == nil { offer.price = nil }
        if vice == "string_price", price?.number != nil { offer.price = nil }
        return offer
    }
}
