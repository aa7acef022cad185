internal import WeirAdapterKit
internal import WeirModel
internal import WeirPlayback
internal import WeirTime
internal import WeirVAST

/// Sessions of in-stream audio (S4).
struct AudioSession: SessionMachine {
    var machine: AudioMachine
    /// How long the client itself wants to wait for ads; `nil` leaves it to the ad unit.
    var loadingTimeout: Duration?

    static let make: SessionFormats.Maker = { opening, _, _ throws(PlaybackRefusal) in
        var settings = try AudioSettings(opening.message)
        settings.autoload = false
        settings.companionSlots =
            settings.companionSlots
            ?? opening.request.player.companions?.map { .init(id: $0.id, width: $0.width, height: $0.height) }
        let asked = opening.request.midpointPositions.map { $0.map { Duration.milliseconds($0) } }
        let isTimed = try opening.message.object("settings")["loading_timeout_ms"] != nil
        return AudioSession(
            machine: AudioMachine(
                settings: settings,
                hasPlayer: true,
                midpoints: asked,
                contentDuration: opening.request.content.duration
            ),
            loadingTimeout: isTimed ? settings.loadingTimeout : nil
        )
    }

    /// The request with the mid-points that were configured by an input, and the client's own patience.
    func adRequest(_ request: AdRequest) -> AdRequest {
        var request = request
        request.midpoints = machine.askedMidpoints.map { .positions($0) }
        request.content.duration = machine.contentDuration
        request.timeout = request.timeout ?? loadingTimeout
        request.player.companions = machine.settings.companionSlots?.map {
            AdRequest.CompanionPlace(id: $0.id, width: $0.width, height: $0.height)
        }
        return request
    }

    mutating func take(_ answer: Result<AdResponse, AdFailure>, at elapsed: Duration) -> [any PlaybackOutput] {
        switch answer {
        case .success(let response): machine.handle(.loaded(AudioProgram(response)), at: elapsed)
        case .failure(let failure):
            machine.handle(.loadFailed(code: String(failure.code), message: failure.message), at: elapsed)
        }
    }

    func ads(of response: AdResponse) -> [ServedAd] { response.ads + response.spares }
}

extension AudioProgram {
    /// The programme of an answer; spare ads come last.
    init(_ response: AdResponse) {
        self.init(
            response.ads.map { AudioAd($0, isSpare: false) } + response.spares.map { AudioAd($0, isSpare: true) }
        )
    }
}

extension AudioAd {
    /// A served ad with what its network says of it.
    fileprivate init(_ served: ServedAd, isSpare: Bool) {
        let slot = served.audioSlot
        self.init(holding: served.held, at: AudioPlace(slot.section, point: slot.point))
        if let controls = served.controls {
            allowsSeek = controls.allowsSeek
            allowsSkip = controls.allowsSkip
            allowsPause = controls.allowsPause
            allowsTrackChange = controls.allowsTrackChange
            adText = controls.adText
        }
        self.isSpare = isSpare
    }
}
