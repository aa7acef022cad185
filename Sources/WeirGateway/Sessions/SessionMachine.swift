package import WeirModel
package import WeirPlayback
internal import WeirVAST

/// A playback machine as a session over HTTP drives it: whatever the format, it reads messages and is handed ads.
package protocol SessionMachine: Sendable {
    /// The machine's own type.
    associatedtype Machine: PlaybackMachine

    /// The machine.
    var machine: Machine { get set }

    /// What is asked for, given what the session was opened with and what was configured since.
    func adRequest(_ request: AdRequest) -> AdRequest

    /// Hands over the answer to the request for ads that the machine waits for.
    mutating func take(_ answer: Result<AdResponse, AdFailure>, at elapsed: Duration) -> [any PlaybackOutput]

    /// The ads in the order of their keys.
    func ads(of response: AdResponse) -> [ServedAd]

    /// Whether it may ask for ads once more.
    var mayWantAds: Bool { get }

    /// The part of an answer that the machine waits for.
    func relevant(_ response: AdResponse) -> AdResponse

    /// Whether an output tells the viewer's end of the only ad there was; `false` for formats with more than one.
    func isLast(_ output: any PlaybackOutput) -> Bool
}

extension SessionMachine {
    mutating func receive(_ message: PlaybackMessage, at elapsed: Duration) -> [any PlaybackOutput] {
        machine.receive(message, at: elapsed)
    }

    mutating func timePassed(at elapsed: Duration) -> [any PlaybackOutput] { machine.timePassed(at: elapsed) }

    package func adRequest(_ request: AdRequest) -> AdRequest { request }

    package func ads(of response: AdResponse) -> [ServedAd] { response.ads }

    var stateName: String { machine.stateName }
    var wantsAds: Bool { machine.wantsAds }
    package var mayWantAds: Bool { machine.wantsAds }

    package func relevant(_ response: AdResponse) -> AdResponse { response }

    package func isLast(_ output: any PlaybackOutput) -> Bool { false }

    var isFinished: Bool { machine.isFinished }
    var snapshot: [PlaybackDetail] { machine.snapshot }
    var ui: [PlaybackDetail]? { machine.ui }
    var nextDeadline: Duration? { machine.nextDeadline }
}

/// What a session is opened with, before its format is known.
package struct SessionOpening: Sendable {
    /// The request for ads.
    package var request: AdRequest
    /// Whether ads are asked for at once.
    package var autoload: Bool
    /// Whether beacons are handed to the client instead of being sent by the gateway.
    package var clientSideTracking: Bool
    /// `settings`, `rendering`, `capabilities` and `user_context`, to be read by the format.
    package var message: PlaybackMessage
    /// Whether the next rewarded ad is loaded, in a session of its own, as soon as this one is over (S2.22).
    package var preloadsNext = false
    /// How long after the end of a rewarded ad its reward still counts; the gateway's own setting.
    var lateRewardGrace: Duration = .seconds(30)

    /// An opening.
    package init(request: AdRequest, autoload: Bool, clientSideTracking: Bool, message: PlaybackMessage) {
        self.request = request
        self.autoload = autoload
        self.clientSideTracking = clientSideTracking
        self.message = message
    }
}

/// The formats that have sessions; each makes its machine from an opening.
package struct SessionFormats: Sendable {
    /// Makes the machine of a session for a placement.
    package typealias Maker =
        @Sendable (SessionOpening, Placement, AdUnit) throws(PlaybackRefusal) ->
        any SessionMachine

    /// Who makes the machines, by format.
    package var makers: [AdFormat: Maker]

    /// Formats with their makers.
    package init(_ makers: [AdFormat: Maker]) { self.makers = makers }

    /// Every format that is built in.
    package static let standard = SessionFormats([
        .video: makeVideo, .rewarded: RewardedSession.make, .audio: AudioSession.make,
    ])

    private static let makeVideo: Maker = { opening, placement, _ throws(PlaybackRefusal) in
        var configuration = try VideoConfiguration(opening.message)
        configuration.isCustomUIEntitled = placement.entitlements.contains(.customUI)
        configuration.contentDuration = opening.request.content.duration
        return VideoSession(machine: VideoMachine(configuration))
    }
}

/// Sessions of video ads.
struct VideoSession: SessionMachine {
    var machine: VideoMachine

    mutating func take(_ answer: Result<AdResponse, AdFailure>, at elapsed: Duration) -> [any PlaybackOutput] {
        switch answer {
        case .success(let response): machine.handle(.adsLoaded(AdSchedule(response)), at: elapsed)
        case .failure(let failure): machine.handle(.loadFailed(failure), at: elapsed)
        }
    }

    func ads(of response: AdResponse) -> [ServedAd] { response.ads + response.spares }

    var mayWantAds: Bool { machine.mayWantAds }

    /// Of an answer for a break that comes again only that break is of interest.
    func relevant(_ response: AdResponse) -> AdResponse {
        guard let wanted = machine.wantedBreak else { return response }
        let candidates = response.breaks.map { (id: $0.id, timeOffset: $0.timeOffset) }
        guard !candidates.isEmpty else { return response }
        let place = AdSchedule.place(of: wanted, among: candidates)
        var relevant = response
        relevant.breaks = place.map { [response.breaks[$0]] } ?? []
        func taken(_ ads: [ServedAd]) -> [ServedAd] {
            ads.filter { place != nil && $0.breakIndex == place }.map { served in
                var served = served
                served.breakIndex = 0
                return served
            }
        }
        (relevant.ads, relevant.spares) = (taken(response.ads), taken(response.spares))
        return relevant
    }
}

extension AdSchedule {
    /// The schedule of an answer: a network's own breaks, or one break before the content.
    init(_ response: AdResponse) {
        let served = response.ads + response.spares
        func keys(_ range: Range<Int>, in place: Int?) -> [AdKey] {
            range.filter { served[$0].breakIndex == place }.map { AdKey($0) }
        }
        let (ads, spares) = (0..<response.ads.count, response.ads.count..<served.count)
        var breaks: [Break] = response.breaks.enumerated().map { place, scheduled in
            Break(
                id: scheduled.id,
                timeOffset: scheduled.timeOffset,
                repeatAfter: scheduled.repeatAfter,
                ads: keys(ads, in: place),
                buffet: keys(spares, in: place),
                trackingEvents: scheduled.trackingEvents,
                failure: scheduled.refusal.map(AdFailure.init)
            )
        }
        let loose = keys(ads, in: nil)
        if !loose.isEmpty || breaks.isEmpty {
            breaks.insert(Break(timeOffset: .start, ads: loose, buffet: keys(spares, in: nil)), at: 0)
        }
        self.init(holding: served.map(\.held), breaks: breaks)
    }
}
