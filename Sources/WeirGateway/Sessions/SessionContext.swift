package import WeirModel
package import WeirTime

/// What a session keeps of the answer that brought its ads, beside the ads.
///
/// A class, because it never changes and every answer of the session carries it.
package final class SessionContext: Sendable {
    /// The id of the request for ads.
    package let requestID: RequestID
    /// The ad unit that served them.
    package let adUnit: AdUnit
    /// The request as networks were told it: without what consent keeps here.
    let request: AdRequest
    /// When the ads may no longer be shown.
    package let expiresAt: WallTime?

    init(_ response: AdResponse) {
        requestID = response.requestID
        adUnit = response.adUnit
        request = response.request
        expiresAt = response.expiresAt
    }
}
