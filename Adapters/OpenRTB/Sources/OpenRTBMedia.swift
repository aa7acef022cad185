internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel
internal import WeirTime

/// The `video` or `audio` object of an impression (OpenRTB 2.6 §3.2.7, §3.2.8).
struct OpenRTBMedia {
    let impression: OpenRTBImpression
    let ask: AdAsk

    init(_ impression: OpenRTBImpression, _ ask: AdAsk) {
        self.impression = impression
        self.ask = ask
    }

    private var unit: AdUnit { ask.adUnit }
    private var player: AdRequest.Player { ask.request.player }

    var video: JSONObject {
        var video = common(usual: ["video/mp4", "video/webm"], protocols: Self.vast)
        video["w"] = player.width.map { .int($0) }
        video["h"] = player.height.map { .int($0) }
        // AdCOM, placement subtypes: 1 in-stream, 3 interstitial.
        video["plcmt"] = unit.format == .rewarded ? 3 : 1
        video["linearity"] = 1
        if unit.format == .rewarded {
            // AdCOM, placement positions: 7 full screen; playback methods: 3 on a click, with sound.
            video["pos"] = 7
            video["playbackmethod"] = [3]
            // Where servers of 2.5 look for what 2.6 calls `rwdd`.
            video["ext"] = ["rewarded": 1]
        } else if let isMuted = player.isMuted {
            // AdCOM, playback methods: 1 and 2 start by themselves, with and without sound.
            video["playbackmethod"] = isMuted ? [2] : [1]
        }
        // AdCOM, delivery methods: 1 streaming, 2 progressive.
        video["delivery"] = [1, 2]
        return video
    }

    var audio: JSONObject {
        // DAAST 1.0 and its wrapper beside all of VAST.
        common(usual: ["audio/mpeg", "audio/mp4", "audio/aac", "audio/ogg"], protocols: Self.vast + [9, 10])
    }

    /// AdCOM, creative subtypes: VAST 2 to 4.3, each with its wrapper.
    private static let vast = [2, 3, 5, 6, 7, 8, 11, 12, 13, 14, 15, 16]

    /// What both have.
    private func common(usual: [String], protocols: [Int]) -> JSONObject {
        var media: JSONObject = ["mimes": texts(player.mimes.isEmpty ? usual : player.mimes)]
        // Whole seconds that never ask for less, or allow more, than the ad unit does.
        media["minduration"] = unit.minDuration.map { .int(($0.milliseconds + 999) / 1000) }
        media["maxduration"] = unit.maxDuration.map { .int(max(1, $0.milliseconds / 1000)) }
        media["startdelay"] = impression.startDelay.map { .int($0) }
        media["protocols"] = .array(protocols.map { .int($0) })
        media["podid"] = impression.podID.map { .string($0) }
        media["slotinpod"] = impression.slotInPod.map { .int($0) }
        if let duration = impression.podDuration {
            media["poddur"] = .int(max(1, duration.milliseconds / 1000))
            media["maxseq"] = .int(impression.maxSequence)
        }
        media["maxbitrate"] = player.maxBitrate.map { .int($0) }
        if let places = player.companions, !places.isEmpty {
            media["companionad"] = .array(
                places.prefix(16).enumerated().map { index, place in
                    [
                        "id": .string(place.id ?? "companion-\(index + 1)"), "w": .int(place.width),
                        "h": .int(place.height),
                    ]
                }
            )
            // AdCOM, companion types: 1 static, 2 HTML, 3 iframe.
            media["companiontype"] = [1, 2, 3]
        }
        return media
    }
}
