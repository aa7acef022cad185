internal import WeirVAST

/// Breaks that come again: their ads are asked for each time.
extension VideoMachine {
    /// The break of an entry as it plays this time.
    func scheduled(_ entry: BreakPlan.Entry) -> AdSchedule.Break { renewed[entry.id] ?? schedule.breaks[entry.index] }

    /// Whether the ads of an entry are known, if there are any.
    func hasAds(_ entry: BreakPlan.Entry) -> Bool { entry.repetition == 0 || renewed[entry.id] != nil }

    /// Asks for the ads of a repetition, one at a time.
    mutating func want(_ entry: BreakPlan.Entry) {
        if wanted == nil { wanted = entry }
    }

    /// Takes the answer for the repetition that was asked for.
    mutating func takeRepetition(_ answer: Result<AdSchedule, AdFailure>, _ out: inout [VideoOutput]) {
        guard let entry = wanted else { return }
        wanted = nil
        switch answer {
        case .success(let fresh): renewed[entry.id] = schedule.renew(entry.index, from: fresh)
        case .failure(let failure):
            let original = schedule.breaks[entry.index]
            renewed[entry.id] = AdSchedule.Break(
                id: original.id,
                timeOffset: original.timeOffset,
                ads: [],
                failure: failure
            )
        }
        prepareNextBreak(&out)
        preloadNextBreak(&out)
    }
}
