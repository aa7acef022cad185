package import WeirModel
package import WeirRewards
package import WeirTime

/// Signs the single-use tokens of rewarded ads.
package struct PresentationSigner: Sendable {
    private let key: TokenKey

    /// A signer with a key of its own, good for this process.
    package init(key: TokenKey = TokenKey()) {
        self.key = key
    }

    func token(request: RequestID, adUnit: AdUnitID, user: String?, expires: WallTime) -> String {
        PresentationToken(request: request, adUnit: adUnit, user: user ?? "", expires: expires).signed(by: key)
    }
}
