package import WeirModel

/// Why the gateway could not answer a request at all; no-fill is an answer.
package struct GatewayError: Error, Sendable, Hashable {
    /// A stable code: 100s the request, 200s Weir itself.
    package struct Code: RawRepresentable, Sendable, Hashable {
        /// The number.
        package let rawValue: Int

        /// A code by its number.
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// There is no such placement: HTTP 404.
        package static let unknownPlacement = Code(rawValue: 101)
        /// The caller went away: nobody hears the answer.
        package static let cancelled = Code(rawValue: 102)
    }

    /// The code.
    package var code: Code
    /// One sentence.
    package var reason: String
    /// The placement asked for.
    package var placement: PlacementID

    /// An error.
    package init(_ code: Code, _ reason: String, placement: PlacementID) {
        self.code = code
        self.reason = reason
        self.placement = placement
    }
}
