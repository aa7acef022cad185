internal import WeirJSON
internal import WeirModel

extension JSONField {
    /// The verdict of an `outcome` message: what breaks the protocol is noted, what the network did is a verdict.
    var adapterOutcome: Result<LoadOutcome, AdapterError>? {
        guard let result = requiredChoice("result", AttemptResult.self) else { return nil }
        switch result {
        case .fill: return adapterOffers
        case .noFill:
            guard let reason = adapterReason(of: result) else { return nil }
            return .success(
                .noFill(
                    NoFill(
                        reason,
                        sentence("message") ?? "The network has nothing to sell.",
                        networkCode: networkWord("network_code", AdapterError.networkCodeLength),
                        networkMessage: networkWord("network_message", AdapterError.networkMessageLength),
                        errorURLs: strings("error_urls", maxCount: MarkupGlance.errorURLCount).filter(\.isWebAddress)
                    )
                )
            )
        case .networkError, .badResponse, .rejected, .skipped:
            guard let reason = adapterReason(of: result) else { return nil }
            var error = AdapterError(
                result,
                reason,
                sentence("message") ?? "The adapter says \(result.rawValue)(\(reason.rawValue)).",
                networkCode: networkWord("network_code", AdapterError.networkCodeLength),
                networkMessage: networkWord("network_message", AdapterError.networkMessageLength)
            )
            let loss = strings("loss", maxCount: AdapterProtocol.offerCount * BidNotices.limit)
            error.lossURLs = loss.filter { $0.isWebAddress && $0.utf8.count <= AdapterProtocol.addressBytes }
            return .failure(error)
        case .timeout, .crash, .notAttempted:
            complain(about: "result", "is \(result.rawValue), which is Weir's to say")
            return nil
        }
    }

    /// A reason of the closed list of `result`.
    private func adapterReason(of result: AttemptResult) -> Reason? {
        requiredMember("reason")?.choice(result.reasons.map(\.rawValue)).flatMap(Reason.init(rawValue:))
    }

    /// A code or message in the network's own spelling, cut; numbers count as their digits.
    private func networkWord(_ key: String, _ length: Int) -> String? {
        guard let value = member(key)?.value else { return nil }
        return (value.string ?? value.number?.text).map { String($0.unicodeScalars.prefix(length)).printable }
    }

    private var adapterOffers: Result<LoadOutcome, AdapterError>? {
        guard let list = requiredMember("offers")?.elements(maxCount: AdapterProtocol.offerCount) else { return nil }
        if list.isEmpty { complain(about: "offers", "must not be empty; an answer without ads is a no_fill") }
        var offers: [Offer] = []
        var refused: [Offer] = []
        var noFill: NoFill?
        var problem: AdapterError?
        for element in list where element.object() != nil {
            let wire = OfferWire(element.value)
            if let field = element.optionalObject("refusal") {
                guard let refusal = field.adapterRefusal else { continue }
                problem = problem ?? AdapterError(refusal.result, refusal.reason, refusal.message)
                wire.refused(refusal).map { refused.append($0) }
                continue
            }
            do throws(AdapterError) {
                switch try wire.outcome() {
                case .fill(let more): offers += more
                case .noFill(let none): noFill = noFill ?? none
                }
            } catch {
                // One that cannot be used costs itself, not the others.
                problem = problem ?? error
                wire.refused(error.outcome).map { refused.append($0) }
            }
        }
        if !offers.isEmpty { return .success(.fill(offers + refused)) }
        if var problem {
            problem.lossURLs = refused.flatMap(\.lossURLs)
            return .failure(problem)
        }
        if let noFill { return .success(.noFill(noFill)) }
        // What was noted is the answer.
        return .success(.fill([]))
    }

    /// Why the adapter itself has left an offer out.
    private var adapterRefusal: AttemptOutcome? {
        guard let result = requiredChoice("result", AttemptResult.self) else { return nil }
        guard result == .badResponse || result == .rejected else {
            complain(about: "result", "must be bad_response or rejected")
            return nil
        }
        guard let reason = adapterReason(of: result) else { return nil }
        return AttemptOutcome(result, reason, sentence("message") ?? "The adapter left the offer out.")
    }
}
