import Testing
import WeirMediation
import WeirModel

@Suite("ConsentFilter")
struct ConsentFilterTests {
    static let full: AdRequest = {
        var request = AdRequest(placement: "p")
        request.user.id = "u-1"
        request.user.age = 25
        request.user.gender = "male"
        request.user.customData = "level=7"
        request.device.language = "en"
        request.device.advertisingID = "ifa"
        request.device.ip = "203.0.113.7"
        request.device.userAgent = "ua"
        request.device.country = "DE"
        request.content.language = "de"
        return request
    }()

    static func consent(gdpr: Bool? = nil, tcf: String? = nil, coppa: Bool? = nil) -> AdRequest.Consent {
        var consent = AdRequest.Consent()
        consent.gdpr = gdpr
        consent.tcf = tcf
        consent.coppa = coppa
        return consent
    }

    @Test(
        "personal fields go out unless the GDPR is in force without a TCF string, or for a child",
        arguments: [
            (nil, true), (consent(), true), (consent(gdpr: false), true), (consent(gdpr: true, tcf: "CO"), true),
            (consent(gdpr: true), false), (consent(gdpr: true, tcf: ""), false), (consent(coppa: true), false),
            (consent(gdpr: true, tcf: "CO", coppa: true), false), (consent(gdpr: false, coppa: true), false),
        ] as [(AdRequest.Consent?, Bool)]
    )
    func personalFields(consent: AdRequest.Consent?, goOut: Bool) {
        var request = Self.full
        request.consent = consent
        let sent = ConsentFilter(request).apply(to: request)
        if goOut {
            #expect(sent == request)
        } else {
            #expect(sent.user.id == nil && sent.user.age == nil && sent.user.gender == nil)
            #expect(sent.device.language == nil && sent.device.advertisingID == nil)
            #expect(sent.device.ip == request.device.ip && sent.device.userAgent == "ua")
            #expect(sent.user.customData == "level=7" && sent.content.language == "de")
            #expect(sent.consent == consent)
        }
        #expect(ConsentFilter(sent).apply(to: sent) == sent)
    }

    @Test("limit ad tracking keeps the advertising id here, and nothing else", arguments: [nil, consent(gdpr: false)])
    func limitsTracking(consent: AdRequest.Consent?) {
        var request = Self.full
        request.consent = consent
        request.device.limitsTracking = true
        var expected = request
        expected.device.advertisingID = nil
        #expect(ConsentFilter(request).apply(to: request) == expected)
    }

    @Test("no ask can be made without the filter")
    func seed() {
        var request = Self.full
        request.consent = Self.consent(gdpr: true)
        let seed = AskSeed(requestID: "r", request: request, adUnit: AdUnit(id: "u", format: .video))
        #expect(seed.request.user.id == nil)
    }
}
