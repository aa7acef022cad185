package import WeirMediation
package import WeirModel

/// What a request would do, and the rule behind every step.
package struct Explanation: Sendable {
    /// The placement asked for.
    package var placement: Placement
    /// The ad unit that serves it.
    package var adUnit: AdUnit
    /// The version of the configuration that decides.
    package var configuration: String
    /// The whole time there would be.
    package var timeout: Duration
    /// The steps.
    package var plan: WaterfallPlan
}
