package import WeirModel
package import WeirPlayback

/// What came of a session's request for ads.
package struct FetchedAds: Sendable {
    /// The ads, or why there are none.
    package var answer: Result<AdResponse, AdFailure>
    /// By which id operators find the decision; `nil` when none was made.
    package var requestID: RequestID?

    /// An outcome.
    package init(_ answer: Result<AdResponse, AdFailure>, requestID: RequestID?) {
        self.answer = answer
        self.requestID = requestID
    }
}
