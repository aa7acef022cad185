/// What the ads of one document are to each other: a pod, alternatives, or not allowed (VAST 4.3 §3.3.1, §3.19).
struct LevelPlan {
    /// Ads with a sequence, in its order; equal numbers keep document order.
    private(set) var pod: [VASTAd] = []
    /// Ads without one, in document order.
    private(set) var standAlone: [VASTAd] = []
    /// Ads that may not be used here.
    private(set) var ignored: [VASTAd] = []
    private(set) var diagnostics: [Diagnostic] = []

    init(_ document: VASTDocument, allowsMultipleAds: Bool, isLenient: Bool) {
        guard document.isPod else {
            standAlone = document.ads
            return
        }
        let sequenced = document.ads.filter { $0.sequence != nil }
        standAlone = document.ads.filter { $0.sequence == nil }
        if allowsMultipleAds {
            let order = sequenced.enumerated().sorted { left, right in
                let (first, second) = (left.element.sequence ?? 0, right.element.sequence ?? 0)
                return first == second ? left.offset < right.offset : first < second
            }
            pod = order.map(\.element)
        } else if isLenient, standAlone.isEmpty, sequenced.count == 1 {
            // Common in the wild, IAB's own samples included: a pod of one where no pod is allowed.
            standAlone = sequenced
            let message = "A lone ad with a sequence was taken as stand-alone."
            diagnostics = [Diagnostic(code: .loneSequence, severity: .warning, path: "VAST/Ad", message: message)]
        } else {
            ignored = sequenced
        }
    }
}
