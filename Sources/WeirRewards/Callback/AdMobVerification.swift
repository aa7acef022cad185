/// AdMob's server-side verification: ECDSA on P-256 over the SHA-256 of the decoded query.
package enum AdMobVerification {
    /// Believes a callback or throws why not.
    ///
    /// Authentic and well-formed is all that this says; whether it deserves a reward is for the ledger.
    ///
    /// - Parameters:
    ///   - query: The raw query, without its question mark.
    ///   - key: The key of an id; what it throws is thrown on.
    /// - Returns: The callback's parts.
    /// - Throws: ``CallbackFault``.
    package static func verify(
        _ query: String,
        key: (UInt64) throws(CallbackFault) -> PublicKey
    ) throws(CallbackFault) -> SignedQuery {
        let parts = try SignedQuery(query)
        try check(parts, with: try key(parts.keyID))
        return parts
    }

    /// Checks the signature of a callback that was taken apart.
    package static func check(_ parts: SignedQuery, with key: PublicKey) throws(CallbackFault) {
        guard let signature = Base64URL.decode(parts.signature), DERSignature.isStrict(signature) else {
            throw CallbackFault(.badSignatureForm, "the signature is not DER in base64url without padding")
        }
        guard key.verifies(signature, of: parts.signedText) else {
            throw CallbackFault(.badSignature, "the signature does not fit the text and the key \(parts.keyID)")
        }
    }
}

/// What `weir ssv verify` tells: each step of the verification, and how it went.
package struct SSVExplanation: Sendable {
    /// One step.
    package struct Step: Sendable, Hashable {
        /// What was looked at.
        package var title: String
        /// How it went.
        package var outcome: Outcome
        /// What was found.
        package var detail: String
    }

    /// How a step went.
    package enum Outcome: String, Sendable {
        case good
        case bad
        /// An earlier step failed.
        case notReached = "not_reached"
    }

    /// In the order in which they are taken.
    package private(set) var steps: [Step] = []
    /// Why the callback is not believed; `nil` when it is.
    package private(set) var fault: CallbackFault?
    /// The callback's parts, when it could be taken apart.
    package private(set) var parts: SignedQuery?

    /// The steps, and the reasons for which each fails.
    private static let titles: [(title: String, reasons: Set<CallbackFault.Reason>)] = [
        ("size", [.tooLarge]),
        ("signature and key_id come last", [.badForm]),
        ("key_id is a number", [.badKeyID]),
        ("parameters can be read", [.badEscape, .badParameter, .doubledParameter]),
        ("parameters are in order", [.badOrder]),
        ("the key is known", [.unknownKey, .keysUnavailable]),
        ("the signature is DER in base64url", [.badSignatureForm]),
        ("the signature fits", [.badSignature]),
    ]

    /// Verifies `query` with `keys` and tells about it.
    package init(_ query: String, keys: VerifierKeys) {
        var parts: SignedQuery?
        do throws(CallbackFault) {
            let read = try SignedQuery(query)
            parts = read
            guard let key = keys[read.keyID] else {
                let known = keys.keys.keys.sorted().map(String.init).joined(separator: ", ")
                throw CallbackFault(.unknownKey, "there is no key \(read.keyID); known are \(known)")
            }
            try AdMobVerification.check(read, with: key)
        } catch {
            fault = error
        }
        self.parts = parts
        describe(query)
    }

    private mutating func describe(_ query: String) {
        var hasFailed = false
        for (title, reasons) in Self.titles {
            if hasFailed {
                steps.append(Step(title: title, outcome: .notReached, detail: ""))
            } else if let fault, reasons.contains(fault.reason) {
                hasFailed = true
                steps.append(Step(title: title, outcome: .bad, detail: fault.detail))
            } else {
                steps.append(Step(title: title, outcome: .good, detail: finding(title, query)))
            }
        }
    }

    private func finding(_ title: String, _ query: String) -> String {
        switch title {
        case "size": "\(query.utf8.count) of at most \(SignedQuery.limit) bytes"
        case "key_id is a number": parts.map { "\($0.keyID)" } ?? ""
        case "parameters can be read", "parameters are in order":
            parts.map { $0.fields.fields.map(\.name).joined(separator: " ") } ?? ""
        case "the signature fits":
            parts.map { "ECDSA P-256 with SHA-256 over the decoded text of \($0.signedText.count) bytes" } ?? ""
        default: ""
        }
    }
}
