internal import CCurl

/// Whoever has libcurl connect: what its callbacks ask and note.
///
/// libcurl's callbacks get an unretained pointer to it: its owner keeps it from the moment the handle joins a multi
/// handle until it has left, and no callback comes after that.
class CurlUser {
    /// What connecting has come to.
    struct Reach {
        /// The addresses that may be connected to.
        let allowed: AddressPolicy
        /// The first address that was refused.
        var refused: (address: IPAddress, kind: SpecialAddress)?
        /// Whether an address was connected to.
        var hasTried = false
        var isConnected = false
        var socketError: Int32 = 0

        init(allowed: AddressPolicy) {
            self.allowed = allowed
        }
    }

    final let handle: CurlHandle
    /// `nil` while nothing is under way.
    final var reach: Reach?

    /// `nil` when no memory is left.
    init?() {
        guard let handle = CurlHandle() else { return nil }
        self.handle = handle
    }

    /// Whether the network may reach `address`; the first refusal is remembered.
    final func mayReach(_ address: IPAddress) -> Bool {
        guard let kind = reach?.allowed.refusal(of: address) else { return reach != nil }
        if reach?.refused == nil { reach?.refused = (address, kind) }
        return false
    }

    /// What is known about an end without an answer.
    final func failure(_ code: CURLcode, _ errand: Errand, breach: ResponseCollector.Breach? = nil) -> TransferFailure {
        let socketError = reach?.socketError ?? 0
        return TransferFailure(
            code: code,
            url: errand.head.url,
            policy: errand.policy,
            breach: breach,
            refused: reach?.refused,
            hasTried: reach?.hasTried ?? false,
            systemError: socketError == 0 ? handle.systemError : socketError,
            detail: handle.detail,
            hasBegun: reach?.isConnected ?? false
        )
    }

    /// The one behind a pointer that a callback got.
    static func behind(_ pointer: UnsafeMutableRawPointer?) -> CurlUser? {
        pointer.map { Unmanaged<CurlUser>.fromOpaque($0).takeUnretainedValue() }
    }
}
