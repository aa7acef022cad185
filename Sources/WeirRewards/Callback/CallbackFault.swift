/// Why a callback is not believed: a stable word for metrics and scripts, and a sentence for the operator.
///
/// Whoever sent the callback is told neither.
package struct CallbackFault: Error, Sendable, Hashable {
    /// The closed list of reasons.
    package enum Reason: String, CaseIterable, Sendable {
        /// `signature` and `key_id` are not the last two parameters, in this order.
        case badForm = "bad_form"
        /// An escape that is none, or text that is not UTF-8.
        case badEscape = "bad_escape"
        /// A parameter without a name, or one that the scheme needs and that is missing.
        case badParameter = "bad_parameter"
        /// A name that stands twice.
        case doubledParameter = "doubled_parameter"
        /// Names that do not rise.
        case badOrder = "bad_order"
        /// A key id that is not a decimal number of at most 64 bits.
        case badKeyID = "bad_key_id"
        /// No key of that id.
        case unknownKey = "unknown_key"
        /// A signature that is not written as the scheme writes it.
        case badSignatureForm = "bad_signature_form"
        /// A signature or digest that does not fit.
        case badSignature = "bad_signature"
        /// Longer than the limit, or too many parameters.
        case tooLarge = "too_large"
        /// The keys cannot be had now; to be verified later.
        case keysUnavailable = "keys_unavailable"
        /// The timestamp lies too far in the past or in the future.
        case badTimestamp = "bad_timestamp"
        /// The network's ad unit is not one of ours.
        case foreignAdUnit = "foreign_ad_unit"
        /// Item or amount are not what the placement promises.
        case rewardMismatch = "reward_mismatch"
        /// The amount is negative or not a number.
        case badAmount = "bad_amount"
        /// The transaction is known with another content.
        case conflict
        /// Too many rewards of this user, device or placement.
        case overLimit = "over_limit"
    }

    /// The reason.
    package var reason: Reason
    /// A part of a sentence, for the operator.
    package var detail: String

    /// A fault.
    package init(_ reason: Reason, _ detail: String) {
        self.reason = reason
        self.detail = detail
    }
}
