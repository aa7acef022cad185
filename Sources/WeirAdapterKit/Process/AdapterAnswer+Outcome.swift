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
            return .failure(
                AdapterError(
                    result,
                    reason,
                    sentence("message") ?? "The adapter says \(result.rawValue)(\(reason.rawValue)).",
                    networkCode: networkWord("network_code", AdapterError.networkCodeLength),
                    networkMessage: networkWord("network_message", AdapterError.networkMessageLength)
                )
            )
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
        var noFill: NoFill?
        do throws(AdapterError) {
            for element in list where element.object() != nil {
                switch try OfferWire(element.value).outcome() {
                case .fill(let more): offers += more
                case .noFill(let none): noFill = noFill ?? none
                }
            }
        } catch {
            return .failure(error)
        }
        if offers.isEmpty, let noFill { return .success(.noFill(noFill)) }
        return .success(.fill(offers))
    }
}
