internal import WeirAdapterKit
internal import WeirGateway
internal import WeirModel
internal import WeirTime
internal import WeirVAST

extension AdResponse {
    /// The type of the extension that holds the pause-roll, for which VMAP has no place.
    static let pauserollExtension = "weir.pauseroll"

    /// An audio programme as VMAP 1.0.1: one break for each place that has ads, in the content's order.
    ///
    /// Ads of a break are a pod; spare ones stand beside it without a sequence, for a player that has to replace one.
    func audioVMAP(version: String) -> String {
        var breaks: [(place: BreakPlace, ads: [ServedAd])] = []
        for served in ads {
            let place = BreakPlace(served)
            if let index = breaks.firstIndex(where: { $0.place == place }) {
                breaks[index].ads.append(served)
            } else {
                breaks.append((place, [served]))
            }
        }
        var document = VMAPDocument(version: "1.0")
        for (place, ads) in breaks.sorted(by: { $0.place.order < $1.place.order }) {
            let spares = spares.filter { BreakPlace($0) == place }
            let vast = Self.pod(ads.map(\.adWithControls), spares: spares.map(\.adWithControls), version)
            guard let offset = place.timeOffset else {
                let content = VASTWriter.convert(vast, to: VASTVersion(version) ?? .v42).text
                document.extensions.append(
                    VASTExtension(type: Self.pauserollExtension, content: content.withoutDeclaration)
                )
                continue
            }
            document.adBreaks.append(
                AdBreak(
                    id: place.id,
                    timeOffset: offset,
                    source: AdSource(
                        id: place.id,
                        allowsMultipleAds: ads.count + spares.count > 1,
                        followsRedirects: true,
                        content: .vast(vast)
                    )
                )
            )
        }
        return VASTWriter.write(document).text
    }

    private static func pod(_ ads: [ResolvedAd], spares: [ResolvedAd], _ version: String) -> VASTDocument {
        let version = VASTVersion(version) ?? .v42
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

/// Where a break stands.
private enum BreakPlace: Hashable {
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
