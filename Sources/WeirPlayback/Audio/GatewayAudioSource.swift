internal import WeirModel
public import WeirTime
public import WeirVAST

/// Audio programmes of a Weir gateway: its `/v1/vmap`, over the host's own HTTP client.
public struct GatewayAudioSource: InstreamAudioAdSource {
    /// Where the gateway is, such as `https://ads.example.com`.
    public var gateway: String
    /// What the player plays.
    public var selector: MediaSelector?

    private let clock: any GatewayClock
    private let fetch: @Sendable (FetchRequest) async -> FetchResult

    /// A source; `fetch` gets a document by its URL until a deadline.
    public init(
        gateway: String,
        selector: MediaSelector? = nil,
        clock: any GatewayClock = SystemClock(),
        fetch: @escaping @Sendable (FetchRequest) async -> FetchResult
    ) {
        self.gateway = gateway
        self.selector = selector
        self.clock = clock
        self.fetch = fetch
    }

    /// Asks the gateway for the breaks of a content item.
    ///
    /// - Throws: `unreachable`, `no_ad` or `bad_answer`.
    public func load(_ request: InstreamAudioAdRequest) async throws(InstreamAudioLoadError) -> AudioProgram {
        let deadline = Deadline.after(request.timeout, clock: clock)
        switch await fetch(FetchRequest(url: url(for: request), deadline: deadline, depth: 0)) {
        case .empty: throw InstreamAudioLoadError(code: "no_ad", reason: "The gateway has no ad for this content.")
        case .failed(_, let message): throw InstreamAudioLoadError(code: "unreachable", reason: message)
        case .document(let bytes, _): return try await program(of: bytes, request, deadline)
        }
    }

    /// The address that is asked.
    func url(for request: InstreamAudioAdRequest) -> String {
        let params = request.params
        let gender = params.gender.flatMap { $0 == .unknown ? nil : $0.rawValue }
        var fields: [(String, String?)] = [
            ("placement", request.slotID),
            ("duration_ms", request.contentDuration.map { String($0.playbackMilliseconds) }),
            ("midpoints", request.midpoints.map { $0.map { Self.seconds($0) }.joined(separator: ",") }),
            ("age", params.age.map(String.init)), ("gender", gender), ("lang", params.language),
        ]
        fields += params.custom.sorted { $0.key < $1.key }.map { ("targeting." + $0.key, $0.value) }
        let query = fields.compactMap { name, value in
            value.map { AdsRequest.encoded(name) + "=" + AdsRequest.encoded($0) }
        }
        return gateway + "/v1/vmap?" + query.joined(separator: "&")
    }

    private func program(
        of bytes: [UInt8],
        _ request: InstreamAudioAdRequest,
        _ deadline: Deadline
    ) async throws(InstreamAudioLoadError) -> AudioProgram {
        let reading = VASTReader.read(bytes)
        if case .unreadable = reading.content {
            throw InstreamAudioLoadError(code: "bad_answer", reason: "The gateway's answer is no VMAP document.")
        }
        var options = ResolveOptions()
        options.deadline = deadline
        options.requiresLinear = true
        options.selector = selector
        let resolution = await VASTResolver().resolve(reading, options: options, clock: clock, fetch: fetch)
        var ads = AudioAd.ads(of: resolution, contentDuration: request.contentDuration)
        for piece in reading.vmap?.extensions ?? [] where piece.type == AudioAd.pauserollExtension {
            let pause = VASTReader.read(Array(piece.content.utf8))
            let resolved = await VASTResolver().resolve(pause, options: options, clock: clock, fetch: fetch)
            ads += resolved.ads.map { AudioAd(reading: $0, at: AudioPlace(.pauseroll)) }
        }
        guard !ads.isEmpty else {
            throw InstreamAudioLoadError(
                code: "no_ad",
                reason: resolution.refusal?.message ?? "The gateway has no ad for this content."
            )
        }
        return AudioProgram(ads)
    }

    /// Seconds as the gateway reads them: a decimal number, exact to the millisecond.
    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = duration.playbackMilliseconds
        let (whole, rest) = (milliseconds / 1000, milliseconds % 1000)
        guard rest > 0 else { return String(whole) }
        let digits = String(rest)
        return "\(whole)." + String(repeating: "0", count: 3 - digits.count) + digits
    }
}

extension AudioAd {
    /// The type of the VMAP extension that holds the pause-roll.
    static let pauserollExtension = "weir.pauseroll"
    /// The type of the VAST extension that says what the listener may do.
    static let controlsExtension = "weir.audio"

    /// The ads of a schedule at their places, spare ones among them; of anything else pre-rolls.
    static func ads(of resolution: Resolution, contentDuration: Duration?) -> [AudioAd] {
        guard !resolution.breaks.isEmpty else {
            return resolution.ads.map { AudioAd(reading: $0, at: AudioPlace(.preroll)) }
                + resolution.buffet.map { AudioAd(reading: $0, at: AudioPlace(.preroll), isSpare: true) }
        }
        return resolution.breaks.flatMap { scheduled -> [AudioAd] in
            guard let place = AudioPlace(scheduled.adBreak.timeOffset, in: contentDuration) else { return [] }
            return scheduled.ads.map { AudioAd(reading: $0, at: place) }
                + scheduled.buffet.map { AudioAd(reading: $0, at: place, isSpare: true) }
        }
    }

    /// An ad with what its extension says of the listener.
    init(reading ad: ResolvedAd, at place: AudioPlace, isSpare: Bool = false) {
        self.init(ad, at: place)
        self.isSpare = isSpare
        for field in ad.extensions.first(where: { $0.type == Self.controlsExtension })?.fields ?? [] {
            let isAllowed = field.text == "1"
            switch field.name {
            case "AllowSeek": allowsSeek = isAllowed
            case "AllowSkip": allowsSkip = isAllowed
            case "AllowPause": allowsPause = isAllowed
            case "AllowTrackChange": allowsTrackChange = isAllowed
            case "AdText": adText = field.text
            default: break
            }
        }
    }
}

extension AudioPlace {
    /// The place of a break; `nil` when it cannot be told for content of this duration.
    fileprivate init?(_ offset: TimeOffset, in duration: Duration?) {
        switch offset {
        case .start: self.init(.preroll)
        case .end: self.init(.postroll)
        case .time, .percent:
            guard let position = offset.contentPosition(in: duration) else { return nil }
            // A break at the very beginning is a pre-roll.
            self = position == .zero ? AudioPlace(.preroll) : AudioPlace(.midroll, point: position)
        case .position, .unreadable: return nil
        }
    }
}
