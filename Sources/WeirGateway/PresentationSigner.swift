package import WeirModel
package import WeirRewards
internal import WeirTime

/// Signs the single-use tokens of rewarded ads.
package struct PresentationSigner: Sendable {
    private let key: TokenKey

    /// A signer with a key of its own, good for this process.
    package init(key: TokenKey = TokenKey()) {
        self.key = key
    }

    /// The signed text of a token.
    package func text(_ token: PresentationToken) -> String { token.signed(by: key) }

    /// The token that `text` is; `nil` when it was not signed here.
    package func token(_ text: String) -> PresentationToken? { PresentationToken(text, key: key) }

    /// What goes to networks in place of a viewer's custom data.
    package func nonce(_ request: RequestID) -> String { ViewNonce.text(request, key: key) }

    /// The view of a nonce; `nil` when it was not made here.
    package func request(ofNonce text: String) -> RequestID? { ViewNonce.request(text, key: key) }
}

extension PresentationSigner {
    /// Stands where a reward's token has its ad unit.
    ///
    /// No ad unit can be called so, for the control character in it: a beacon is no proof of a reward, nor the reverse.
    private static let beaconMark = AdUnitID("\u{2}beacon")

    /// A signed segment for the beacon of `event`; good as long as the key lives.
    package func beacon(event: String, request: RequestID) -> String {
        PresentationToken(
            request: request,
            adUnit: Self.beaconMark,
            user: event,
            expires: WallTime(milliseconds: .max)
        ).signed(by: key)
    }

    /// A signed segment that says that an ad with a billing notice is shown.
    package func billing(_ notice: RequestID) -> String { beacon(event: Self.billingEvent, request: notice) }

    /// The notice of a segment made by ``billing(_:)``; `nil` for anything else.
    package func billing(ofBeacon signed: String) -> RequestID? {
        guard let token = PresentationToken(signed, key: key), token.adUnit == Self.beaconMark,
            token.user == Self.billingEvent
        else { return nil }
        return token.request
    }

    private static let billingEvent = "billing"

    /// The event of a segment made by ``beacon(event:request:)``; `nil` for anything else.
    package func event(ofBeacon signed: String) -> String? {
        guard let token = PresentationToken(signed, key: key), token.adUnit == Self.beaconMark else { return nil }
        return token.user
    }
}
