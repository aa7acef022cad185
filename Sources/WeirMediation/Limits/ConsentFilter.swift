package import WeirModel

/// What a network may know of a person: decides which fields of a request go out.
///
/// Without a consent object, or with the GDPR not in force, everything goes out as the caller sent it. With the GDPR
/// in force and no TCF string, and always for a child (COPPA), age, gender, language, user id and advertising id stay
/// here. "Limit ad tracking" keeps the advertising id here in any case.
package struct ConsentFilter: Sendable, Hashable {
    /// Whether age, gender, language and ids stay here.
    package var removesPersonalFields: Bool
    /// Whether the advertising id stays here.
    package var removesAdvertisingID: Bool
    /// The rule that decided, in one sentence.
    package var explanation: String

    /// Decides by what the caller said about consent and the device.
    package init(_ request: AdRequest) {
        let consent = request.consent
        let hasConsentString = consent?.tcf.map { !$0.isEmpty } ?? false
        let limitsTracking = request.device.limitsTracking == true
        if consent?.coppa == true {
            removesPersonalFields = true
            explanation = "coppa is true: age, gender, language and ids stay here"
        } else if consent?.gdpr == true, !hasConsentString {
            removesPersonalFields = true
            explanation = "gdpr is true and there is no TCF string: age, gender, language and ids stay here"
        } else {
            removesPersonalFields = false
            explanation =
                limitsTracking
                ? "lmt is true: the advertising id stays here"
                : Self.whyEverythingGoes(consent)
        }
        removesAdvertisingID = removesPersonalFields || limitsTracking
    }

    private static func whyEverythingGoes(_ consent: AdRequest.Consent?) -> String {
        guard let consent else { return "the request says nothing about consent: everything goes out" }
        guard consent.gdpr == true else { return "gdpr is not true: everything goes out" }
        return "gdpr is true and a TCF string is passed on: everything goes out"
    }

    /// The request without what must stay here.
    package func apply(to request: AdRequest) -> AdRequest {
        guard removesAdvertisingID else { return request }
        var request = request
        request.device.advertisingID = nil
        guard removesPersonalFields else { return request }
        request.user.id = nil
        request.user.age = nil
        request.user.gender = nil
        request.device.language = nil
        return request
    }
}
