/// Chooses companions for the slots of a page or app (VAST 4.3 §3.13).
public struct CompanionSelector: Hashable, Sendable {
    /// A place for a companion.
    public struct Slot: Hashable, Sendable {
        /// The slot's id, which a companion may name.
        public var id: String?
        /// Pixels.
        public var width: Int
        /// Pixels.
        public var height: Int

        /// A slot.
        public init(id: String? = nil, width: Int, height: Int) {
            self.id = id
            self.width = width
            self.height = height
        }
    }

    /// What came of a choice.
    public enum Selection: Hashable, Sendable {
        /// For each slot the place of its companion in the ad's list, or nothing.
        case companions([Int?])
        /// The ad demands companions that cannot be shown (error 602).
        case refused(explanation: String)
    }

    /// The slots there are.
    public var slots: [Slot]
    /// What the page can show.
    public var kinds: Set<DisplayResource.Kind>

    /// A selector for these slots.
    public init(slots: [Slot], kinds: Set<DisplayResource.Kind> = [.static, .iFrame, .html]) {
        self.slots = slots
        self.kinds = kinds
    }

    /// The companion for each slot: one that names it, else one of its size, else the largest that fits inside.
    public func select(from companions: [Companion], required: CompanionAds.Requirement? = nil) -> Selection {
        var taken: Set<Int> = []
        let chosen = slots.map { slot -> Int? in
            let free = companions.indices.filter { !taken.contains($0) && canShow(companions[$0]) }
            let best =
                free.first { slot.id != nil && companions[$0].adSlotID == slot.id }
                ?? free.first { companions[$0].adSlotID == nil && companions[$0].isExactly(slot) }
                ?? free.filter { companions[$0].adSlotID == nil && companions[$0].fits(slot) }
                .max { companions[$0].area < companions[$1].area }
            if let best { taken.insert(best) }
            return best
        }
        if required == .all, taken.count < companions.count {
            let missing = companions.count - taken.count
            return .refused(explanation: "The ad demands all \(companions.count) companions; \(missing) have no slot.")
        }
        if required == .any, taken.isEmpty, !companions.isEmpty {
            return .refused(explanation: "The ad demands a companion; none of \(companions.count) has a slot.")
        }
        return .companions(chosen)
    }

    private func canShow(_ companion: Companion) -> Bool { companion.resources.contains { kinds.contains($0.kind) } }
}

extension Companion {
    fileprivate var area: Int { min(width ?? 0, 100_000) * min(height ?? 0, 100_000) }

    fileprivate func isExactly(_ slot: CompanionSelector.Slot) -> Bool { width == slot.width && height == slot.height }

    fileprivate func fits(_ slot: CompanionSelector.Slot) -> Bool {
        guard let width, let height, width > 0, height > 0 else { return false }
        return width <= slot.width && height <= slot.height
    }
}

extension Linear {
    /// The captions in a language of which the player reads the type; the first language that is there wins.
    public func captions(languages: [String], types: [String] = []) -> ClosedCaptionFile? {
        let readable = closedCaptionFiles.filter { file in
            types.isEmpty || types.contains { MIMEType.canonical($0) == MIMEType.canonical(file.type ?? "") }
        }
        for language in languages {
            let wanted = language.lowercased()
            if let exact = readable.first(where: { $0.language?.lowercased() == wanted }) { return exact }
            let primary = wanted.prefix { $0 != "-" }
            let match = readable.first { file in
                file.language?.lowercased().prefix { $0 != "-" && $0 != "_" } == primary
            }
            if let match { return match }
        }
        return nil
    }
}
