import WeirModel
import WeirPlayback
import WeirVAST

/// A programme without a network: two pre-rolls, mid-rolls at 10 s and 20 s, a post-roll.
struct BuiltInSource: InstreamAudioAdSource {
    func load(_ request: InstreamAudioAdRequest) async throws(InstreamAudioLoadError) -> AudioProgram {
        var second = spot("second", AudioPlace(.preroll))
        second.adText = "This one can be skipped."
        second.allowsSkip = true
        return AudioProgram(
            [
                spot("first", AudioPlace(.preroll), companion: true), second,
                spot("at ten", AudioPlace(.midroll, point: .seconds(10))),
                spot("at twenty", AudioPlace(.midroll, point: .seconds(20))),
                spot("goodbye", AudioPlace(.postroll)),
            ]
        )
    }

    private func spot(_ name: String, _ place: AudioPlace, companion: Bool = false) -> AudioAd {
        var linear = Linear()
        linear.duration = .seconds(4)
        var file = MediaFile(url: "https://ads.example/\(name.replacing(" ", with: "-")).mp3", type: "audio/mpeg")
        file.delivery = .progressive
        linear.mediaFiles = [file]
        linear.trackingEvents = [.start, .midpoint, .complete, .skip].map { (event: EventName) in
            TrackingEvent(event: event, url: "https://ads.example/t?\(event.rawValue)")
        }
        var creative = Creative()
        creative.linear = linear
        var inLine = InLine()
        inLine.impressions = [TrackedURL(url: "https://ads.example/t?impression")]
        inLine.creatives = [creative]
        if companion { inLine.creatives.append(beside) }
        var ad = AudioAd(ResolvedAd(id: name, adType: .audio, inLine: inLine), at: place)
        ad.adText = "The ad \"\(name)\"."
        return ad
    }

    private var beside: Creative {
        var companion = Companion()
        companion.id = "square"
        companion.width = 300
        companion.height = 250
        companion.resources = [
            DisplayResource(kind: .static, creativeType: "image/png", value: "https://ads.example/square.png")
        ]
        companion.clickThrough = TrackedURL(url: "https://brand.example/")
        companion.trackingEvents = [TrackingEvent(event: .creativeView, url: "https://ads.example/t?view")]
        var creative = Creative()
        creative.companionAds = CompanionAds(companions: [companion])
        return creative
    }
}
