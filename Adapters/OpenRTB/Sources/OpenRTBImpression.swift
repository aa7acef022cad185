public import WeirAdapterKit
internal import WeirModel
internal import WeirTime

/// One impression of a bid request: a place where one ad, or a pod of them, may stand.
///
/// Request and reply make the same list from the same ask, so that a bid for anything else is known at once.
public struct OpenRTBImpression: Sendable, Hashable {
    /// The most impressions of one request.
    public static let limit = 20

    /// A length of a pod for which nobody said how long one ad may be.
    static let usualDuration: Duration = .seconds(30)

    /// Its id within the request, counted from 1.
    public var id: String
    /// Where it stands in an audio programme.
    public var slot: AudioSlot?
    /// OpenRTB's start delay: 0 before the content, seconds within it, -2 after it (AdCOM, start delay modes).
    public var startDelay: Int?
    /// The pod that it is part of.
    public var podID: String?
    /// Its guaranteed place in the pod, from 1; `nil` for a dynamic pod or a single ad.
    public var slotInPod: Int?
    /// How many ads it may hold; 1 unless it is a dynamic pod.
    public var maxSequence = 1
    /// How long all of them may be; dynamic pods only.
    public var podDuration: Duration?

    /// The impressions of an ask.
    public static func all(for ask: AdAsk, _ profile: OpenRTBProfile) -> [OpenRTBImpression] {
        let unit = ask.adUnit
        var impressions: [OpenRTBImpression] = []
        if unit.format == .audio {
            for (index, place) in AudioPlace.all(for: ask).enumerated() {
                let pod = Pod(
                    id: "pod-\(index + 1)",
                    count: place.limit.maxAds ?? (place.limit.maxDuration == nil ? 1 : unit.maxAds),
                    duration: place.limit.maxDuration,
                    adDuration: unit.maxDuration
                )
                impressions += pod.impressions(profile.pods).map { impression in
                    var impression = impression
                    impression.slot = place.slot
                    impression.startDelay = place.startDelay
                    return impression
                }
            }
        } else {
            let pod = Pod(id: "pod-1", count: unit.maxAds, duration: nil, adDuration: unit.maxDuration)
            impressions = pod.impressions(unit.format == .rewarded ? .none : profile.pods)
            if unit.format == .video {
                for index in impressions.indices { impressions[index].startDelay = 0 }
            }
        }
        impressions = Array(impressions.prefix(limit))
        for index in impressions.indices { impressions[index].id = String(index + 1) }
        return impressions
    }
}

/// What one interruption may hold.
private struct Pod {
    var id: String
    var count: Int
    var duration: Duration?
    var adDuration: Duration?

    func impressions(_ kind: OpenRTBProfile.PodKind) -> [OpenRTBImpression] {
        guard count > 1 else { return [OpenRTBImpression(id: "")] }
        switch kind {
        case .none:
            return [OpenRTBImpression(id: "")]
        case .dynamic:
            var impression = OpenRTBImpression(id: "", podID: id)
            impression.maxSequence = count
            impression.podDuration = duration ?? (adDuration ?? OpenRTBImpression.usualDuration) * count
            return [impression]
        case .structured:
            return (1...count).prefix(OpenRTBImpression.limit).map {
                OpenRTBImpression(id: "", podID: id, slotInPod: $0)
            }
        }
    }
}

/// A place for ads in an audio programme.
private struct AudioPlace {
    var slot: AudioSlot
    var startDelay: Int
    var limit: SectionLimit

    /// The sections that the ad unit serves, as far as OpenRTB can say where they are: it has no word for a pause.
    static func all(for ask: AdAsk) -> [AudioPlace] {
        let served = ask.adUnit.sections?.limits
        func limit(_ section: AudioSection) -> SectionLimit? {
            guard let served else { return SectionLimit() }
            return served[section]
        }
        var places: [AudioPlace] = []
        if let limit = limit(.preroll) {
            places.append(AudioPlace(slot: AudioSlot(.preroll), startDelay: 0, limit: limit))
        }
        if let limit = limit(.midroll) {
            places += points(ask).map { point in
                AudioPlace(
                    slot: AudioSlot(.midroll, point: point),
                    // Zero is a pre-roll: a mid-roll is at least one second into the content.
                    startDelay: Int(max(1, point.milliseconds / 1000)),
                    limit: limit
                )
            }
        }
        if let limit = limit(.postroll) {
            places.append(AudioPlace(slot: AudioSlot(.postroll), startDelay: -2, limit: limit))
        }
        return places
    }

    private static func points(_ ask: AdAsk) -> [Duration] {
        switch ask.request.midpoints {
        case nil: return []
        case .positions(let points): return points
        case .percent(let percents):
            guard let length = ask.request.content.duration?.milliseconds else { return [] }
            return percents.compactMap { percent in
                // Micros of a percentage are at most 10^8, a content's milliseconds far below 10^10.
                guard let micros = percent.micros, (0...100_000_000).contains(micros),
                    case let (product, overflow) = length.multipliedReportingOverflow(by: micros / 100), !overflow
                else { return nil }
                return .milliseconds(product / 1_000_000)
            }
        }
    }
}
