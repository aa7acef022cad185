import WeirAdapterKit
import WeirModel
import WeirTesting
import WeirTime

extension AdAsk {
    /// An ask that says nothing beyond what it must, with 250 ms left.
    static func bare(_ clock: ManualClock) -> AdAsk {
        AdAsk(
            requestID: "01JD",
            request: AdRequest(placement: "movie_preroll"),
            adUnit: AdUnit(id: "preroll", format: .video),
            lineItem: LineItem(id: "gam-high", network: "gam", networkUnit: "/123/high"),
            deadline: .after(.milliseconds(250), clock: clock)
        )
    }

    /// An ask that says everything.
    static func full(_ clock: ManualClock) -> AdAsk {
        var ask = AdAsk.bare(clock)
        ask.isTest = true
        ask.adUnit.floor = Currency("USD").flatMap { Money(amount: "0.5", currency: $0) }
        ask.request.app.bundle = "com.example.player"
        ask.request.app.version = "3.2"
        ask.request.device.userAgent = "Mozilla/5.0 (X)"
        ask.request.device.ip = "203.0.113.7"
        ask.request.device.os = "ios"
        ask.request.device.osVersion = "17.4"
        ask.request.device.language = "en"
        ask.request.device.advertisingID = "ifa-1"
        ask.request.device.limitsTracking = false
        ask.request.device.country = "DE"
        ask.request.user.id = "u-1"
        ask.request.user.age = 25
        ask.request.user.gender = "male"
        ask.request.user.customData = "a=b&c=%20é\""
        ask.request.content.url = "https://content.example/a?b=c"
        ask.request.content.duration = .milliseconds(600_000)
        ask.request.content.language = "fr"
        ask.request.player.width = 640
        ask.request.player.height = 360
        ask.request.player.isMuted = true
        ask.request.player.mimes = ["video/mp4", "video/webm"]
        var consent = AdRequest.Consent()
        consent.gdpr = true
        consent.tcf = "CO.x"
        consent.gpp = "DB~1"
        consent.gppSections = [7, 8]
        consent.usPrivacy = "1YNN"
        consent.coppa = false
        ask.request.consent = consent
        ask.request.targeting = ["genre": ["drama", "crime"]]
        return ask
    }
}
