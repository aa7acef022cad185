import WeirModel
import WeirVAST

@testable import WeirPlayback

/// A rewarded ad of ten coins in thirty seconds.
enum Coins {
    static let reward = Reward(item: "coins", amount: ExactDecimal(10))

    static func content(amount: String = "10", expires: Duration? = nil) -> RewardedContent {
        let document = """
            <VAST version="4.2"><Ad id="r-1"><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
            <Error>https://t.test/error?[ERRORCODE]</Error><Impression>https://t.test/imp</Impression>
            <Creatives><Creative id="c"><Linear><Duration>00:00:30</Duration><TrackingEvents>
            <Tracking event="start">https://t.test/start</Tracking>
            <Tracking event="firstQuartile">https://t.test/q1</Tracking>
            <Tracking event="midpoint">https://t.test/q2</Tracking>
            <Tracking event="thirdQuartile">https://t.test/q3</Tracking>
            <Tracking event="complete">https://t.test/complete</Tracking>
            <Tracking event="closeLinear">https://t.test/close</Tracking>
            <Tracking event="notUsed">https://t.test/unused</Tracking></TrackingEvents>
            <VideoClicks><ClickThrough>https://brand.test/</ClickThrough>
            <ClickTracking>https://t.test/click</ClickTracking></VideoClicks><MediaFiles>
            <MediaFile delivery="progressive" type="video/mp4" width="640" height="360">https://m.test/r.mp4</MediaFile>
            </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
            """
        return RewardedContent(
            ad: Spoken.ads(document).first,
            reward: ExactDecimal(amount).map { Reward(item: "coins", amount: $0) },
            expires: expires
        )
    }

    /// A machine with a loaded ad.
    static func loaded(_ change: (inout RewardedSettings) -> Void = { _ in }) -> RewardedMachine {
        var settings = RewardedSettings()
        change(&settings)
        var machine = RewardedMachine(settings: settings)
        _ = machine.handle(.loaded(content()), at: .zero)
        return machine
    }
}

/// Ads read from a document.
enum Spoken {
    static func ads(_ document: String) -> [ResolvedAd] {
        guard let vast = VASTReader.read(Array(document.utf8)).vast else { return [] }
        return vast.ads.compactMap { ad in
            guard case .inLine(let inLine) = ad.content else { return nil }
            return ResolvedAd(id: ad.id, sequence: ad.sequence, adType: ad.adType ?? .video, inLine: inLine)
        }
    }
}

extension [RewardedOutput] {
    /// The names of events and commands; refusals with their reason.
    var names: [String] {
        compactMap {
            switch $0 {
            case .track, .log: nil
            case .refused(let refusal): "refused(\(refusal.reason.rawValue))"
            default: $0.type
            }
        }
    }
    /// The names of trackers.
    var beacons: [String] { compactMap { $0.beacon?.beacon.name } }
}

extension RewardedMachine {
    /// Takes inputs at once, one after another.
    mutating func play(_ inputs: [RewardedInput], at elapsed: Duration = .seconds(1)) -> [RewardedOutput] {
        inputs.flatMap { handle($0, at: elapsed) }
    }
}
