/// Decides whether a complete ad may be used.
struct AdJudge {
    let options: ResolveOptions

    /// Why the ad is refused behind wrappers that block categories; `nil` when it may be used.
    func refusal(of ad: ResolvedAd, blockedByWrappers: [Category]) -> Refusal? {
        unplayable(ad) ?? unwanted(ad, blockedByWrappers) ?? unfit(ad)
    }

    private func unplayable(_ ad: ResolvedAd) -> Refusal? {
        guard ad.inLine.isPlayable else {
            let message = "The ad \(name(ad)) has no media file and no non-linear resource."
            return Refusal(reason: .noMarkup, code: .schema, message: message)
        }
        if options.requiresLinear, ad.linear == nil {
            let message = "The ad \(name(ad)) is not linear; a linear ad was asked for."
            return Refusal(reason: .noMarkup, code: .linearity, message: message)
        }
        return nil
    }

    private func unwanted(_ ad: ResolvedAd, _ blockedByWrappers: [Category]) -> Refusal? {
        let isBlocking = !options.blockedCategories.isEmpty || !blockedByWrappers.isEmpty
        let categories = isBlocking || options.requiresCategory ? ad.categories.flatMap(\.codes) : []
        if options.requiresCategory, categories.isEmpty {
            let message = "The ad \(name(ad)) names no category; one is required."
            return Refusal(reason: .missingCategory, code: .categoryRequired, message: message)
        }
        let blocked = (options.blockedCategories + blockedByWrappers).flatMap(\.codes)
        if let match = categories.first(where: { category in blocked.contains { $0.matches(category) } }) {
            let message = "The category \(match.code) of the ad \(name(ad)) is blocked."
            return Refusal(reason: .blockedCategory, code: .categoryBlocked, message: message)
        }
        if options.requiresHideableUI, !ad.isUIHideable {
            let message = "The ad \(name(ad)) does not allow its user interface to be hidden."
            return Refusal(reason: .uiNotHideable, code: .unexpectedType, message: message)
        }
        return nil
    }

    private func unfit(_ ad: ResolvedAd) -> Refusal? {
        if let durations = options.durations, let duration = ad.duration, !durations.contains(duration) {
            let message = "The ad \(name(ad)) lasts \(ClockText.text(duration)), which does not fit."
            return Refusal(reason: .duration, code: .duration, message: message)
        }
        if let selector = options.selector, let linear = ad.linear {
            if let explanation = selector.refusal(of: linear.mediaFiles) {
                return Refusal(reason: .mime, code: .noMediaFits, message: explanation)
            }
        }
        if let companions = options.companions,
            case .refused(let explanation) = companions.select(from: ad.companions, required: ad.companionRequirement)
        {
            return Refusal(reason: .mime, code: .companionRequired, message: explanation)
        }
        return nil
    }

    private func name(_ ad: ResolvedAd) -> String { ad.id.map { "\"\($0.prefix(60))\"" } ?? "without an id" }
}
