internal import WeirAdapterKit
internal import WeirGateway
internal import WeirModel
internal import WeirTime
internal import WeirVAST

extension AdResponse {
    /// The type of the extension that holds the pause-roll, for which VMAP has no place.
    static let pauserollExtension = "weir.pauseroll"

    /// The body of `GET /v1/vmap` (VMAP 1.0.1): one break for each place that has ads, in the content's order.
    ///
    /// What a network has scheduled stands as it scheduled it, with its trackers. Ads of a break are a pod; spare ones
    /// stand beside it without a sequence, for a player that has to replace one. A video without a schedule gets a break
    /// at each of `midpoints`, which is mediated when it is due: `tag` is where the player asks.
    func vmapDocument(version: String, midpoints: [Duration], tag: String?) -> String {
        let version = VASTVersion(version) ?? .v42
        var document = VMAPDocument(version: "1.0")
        for (place, ads) in placed {
            let spares = spares.filter { BreakPlace($0) == place }
            let vast = Self.pod(ads.map(\.adWithControls), spares: spares.map(\.adWithControls), version)
            guard var adBreak = adBreak(at: place) else {
                let content = VASTWriter.convert(vast, to: version).text.withoutDeclaration
                document.extensions.append(VASTExtension(type: Self.pauserollExtension, content: content))
                continue
            }
            adBreak.source = AdSource(
                id: adBreak.id,
                allowsMultipleAds: ads.count + spares.count > 1,
                followsRedirects: true,
                content: .vast(vast)
            )
            document.adBreaks.append(adBreak)
        }
        if adUnit.format == .video, ads.allSatisfy({ $0.breakIndex == nil }) {
            document.adBreaks += tagged(Set(midpoints).sorted(), tag, version)
        }
        return VASTWriter.write(document).text
    }

    /// The ads by the place of their break.
    private var placed: [(place: BreakPlace, ads: [ServedAd])] {
        var breaks: [(place: BreakPlace, ads: [ServedAd])] = []
        for served in ads {
            let place = BreakPlace(served)
            if let index = breaks.firstIndex(where: { $0.place == place }) {
                breaks[index].ads.append(served)
            } else {
                breaks.append((place, [served]))
            }
        }
        return breaks.sorted { $0.place.order < $1.place.order }
    }

    /// The break without its ads; `nil` for what VMAP cannot say.
    private func adBreak(at place: BreakPlace) -> AdBreak? {
        if let index = place.scheduled, breaks.indices.contains(index) {
            let scheduled = breaks[index]
            return AdBreak(
                id: scheduled.id ?? place.position.id,
                timeOffset: scheduled.timeOffset,
                repeatAfter: scheduled.repeatAfter,
                trackingEvents: scheduled.trackingEvents
            )
        }
        return place.position.timeOffset.map { AdBreak(id: place.position.id, timeOffset: $0) }
    }

    private func tagged(_ midpoints: [Duration], _ tag: String?, _ version: VASTVersion) -> [AdBreak] {
        guard let tag else { return [] }
        return midpoints.map { point in
            let id = BreakPosition.position(point).id
            let content = AdSource.Content.adTag(templateType: "vast\(version.rawValue.prefix(1))", uri: tag)
            let source = AdSource(id: id, allowsMultipleAds: true, followsRedirects: true, content: content)
            return AdBreak(id: id, timeOffset: .time(point), source: source)
        }
    }

    private static func pod(_ ads: [ResolvedAd], spares: [ResolvedAd], _ version: VASTVersion) -> VASTDocument {
        var document = VASTDocument(ads: ads, version: version)
        if !spares.isEmpty, document.ads.count == 1 { document.ads[0].sequence = 1 }
        document.ads += spares.flatMap { VASTDocument(ads: [$0], version: version).ads }
        return document
    }
}

extension ServedAd {
    /// The type of the extension that says what a listener may do while the ad plays.
    private static let controlsExtension = "weir.audio"

    /// The ad with what its network says of the listener, for which VAST has no place.
    fileprivate var adWithControls: ResolvedAd {
        guard let controls else { return ad }
        func element(_ name: String, _ flag: Bool) -> String { "<\(name)>\(flag ? 1 : 0)</\(name)>" }
        let text = controls.adText.map { "<AdText><![CDATA[\($0.writable)]]></AdText>" } ?? ""
        var written = ad
        written.inLine.extensions.append(
            VASTExtension(
                type: Self.controlsExtension,
                content: element("AllowSeek", controls.allowsSeek) + element("AllowSkip", controls.allowsSkip)
                    + element("AllowPause", controls.allowsPause)
                    + element("AllowTrackChange", controls.allowsTrackChange) + text
            )
        )
        return written
    }
}

/// The break that an ad belongs to.
private struct BreakPlace: Hashable {
    let position: BreakPosition
    /// Its number in the network's schedule; several breaks may stand at one position.
    let scheduled: Int?

    init(_ served: ServedAd) {
        position = BreakPosition(served)
        scheduled = served.breakIndex
    }

    var order: (Int64, Int) { (position.order, scheduled ?? 0) }
}

/// Where a break stands.
private enum BreakPosition: Hashable {
    case start
    case position(Duration)
    case pause
    case end

    init(_ served: ServedAd) {
        if let slot = served.slot {
            switch slot.section {
            case .preroll: self = .start
            case .midroll: self = .position(slot.point ?? .zero)
            case .pauseroll: self = .pause
            case .postroll: self = .end
            }
            return
        }
        switch served.breakOffset {
        case nil, .start: self = .start
        case .position(let position): self = .position(position)
        case .end: self = .end
        }
    }

    var id: String {
        switch self {
        case .start: "preroll"
        case .position(let position): "midroll-\(position.milliseconds)"
        case .pause: "pauseroll"
        case .end: "postroll"
        }
    }

    /// `nil` for what VMAP cannot say.
    var timeOffset: TimeOffset? {
        switch self {
        case .start: .start
        case .position(let position): .time(position)
        case .pause: nil
        case .end: .end
        }
    }

    var order: Int64 {
        switch self {
        case .start: -1
        case .position(let position): position.milliseconds
        case .end: .max - 1
        case .pause: .max
        }
    }
}

extension String {
    /// What XML may hold, without anything that ends a CDATA section.
    fileprivate var writable: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0xFFFE }))
            .replacing("]]>", with: "]] >")
    }

    /// The document without its XML declaration, to stand inside another.
    fileprivate var withoutDeclaration: String {
        guard hasPrefix("<?xml"), let end = utf8.firstIndex(of: UInt8(ascii: ">")) else { return self }
        return String(self[index(after: end)...].drop { $0.isWhitespace })
    }
}
