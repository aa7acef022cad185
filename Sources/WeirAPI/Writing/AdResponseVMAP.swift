internal import WeirAdapterKit
internal import WeirGateway
internal import WeirModel
internal import WeirVAST

extension AdResponse {
    /// The body of `GET /v1/vmap`: the breaks of a whole content item (VMAP 1.0.1).
    ///
    /// What a network has scheduled stands where and as it scheduled it, with its trackers. Ads without a schedule come
    /// before the content; then each mid-point asked for becomes a break of its own, which is mediated when it is due:
    /// `tag` is where the player asks.
    func vmapDocument(version: String, midpoints: [Duration], tag: String?) -> String {
        let version = VASTVersion(version) ?? .v42
        var breaks: [AdBreak] = []
        for group in scheduledGroups { breaks.append(adBreak(group, number: breaks.count + 1, version)) }
        if let tag, !ads.contains(where: { $0.scheduledBreak != nil || $0.slot?.section == .midroll }) {
            for point in Set(midpoints).sorted() {
                let source = AdSource(
                    allowsMultipleAds: true,
                    followsRedirects: true,
                    content: .adTag(templateType: "vast\(version.rawValue.prefix(1))", uri: tag)
                )
                let id = "weir-\(breaks.count + 1)"
                breaks.append(AdBreak(id: id, timeOffset: .time(point), source: source))
            }
        }
        return VASTWriter.write(VMAPDocument(adBreaks: breaks)).text
    }

    /// Ads that follow each other in one break.
    private var scheduledGroups: [[ServedAd]] {
        var groups: [[ServedAd]] = []
        for served in ads {
            if let last = groups.last?.last, last.breakOffset == served.breakOffset, last.slot == served.slot,
                last.scheduledBreak == served.scheduledBreak
            {
                groups[groups.count - 1].append(served)
            } else {
                groups.append([served])
            }
        }
        return groups
    }

    private func adBreak(_ group: [ServedAd], number: Int, _ version: VASTVersion) -> AdBreak {
        var result = group.first?.scheduledBreak ?? AdBreak(timeOffset: group.first?.timeOffset ?? .start)
        result.id = result.id ?? "weir-\(number)"
        let document = VASTDocument(ads: group.map(\.ad), version: version)
        result.source = AdSource(
            id: result.id,
            allowsMultipleAds: true,
            followsRedirects: true,
            content: .vast(document.prepared(for: version))
        )
        return result
    }
}

extension ServedAd {
    /// Where an ad stands that no schedule has placed: an audio programme knows mid-rolls and the end.
    fileprivate var timeOffset: TimeOffset {
        switch slot?.section {
        case .midroll: .time(slot?.point ?? .zero)
        case .postroll: .end
        case .preroll, .pauseroll, nil: .start
        }
    }
}
