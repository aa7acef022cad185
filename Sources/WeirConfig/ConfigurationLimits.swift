/// How much a configuration may hold; what goes beyond is refused, never cut off.
package enum ConfigurationLimits {
    /// The longest file, in bytes: some ten thousand line items.
    package static let fileBytes = 4 << 20
    /// The longest secret file, in bytes.
    package static let secretBytes = 64 << 10
    /// The longest file of exchange rates, in bytes.
    package static let rateBytes = 256 << 10
    /// The longest document of a house ad, in bytes: as much as a network may answer.
    package static let houseAdBytes = 1 << 20
    /// The most values in one file, members and elements of every level.
    package static let values = 1 << 20
    /// The most complaints kept; a file with more is wrong enough.
    package static let diagnostics = 200
    /// The most networks.
    package static let networks = 1000
    /// The most settings of one network.
    package static let settings = 100
    /// The most ad units.
    package static let adUnits = 10_000
    /// The most placements.
    package static let placements = 20_000
    /// The most rungs of one waterfall, and the most line items of one group.
    package static let rungs = 200
    /// The most line items of one ad unit, groups opened.
    package static let linesPerUnit = 200
    /// The most elements of any other list.
    package static let listElements = 1000
    /// The longest text that is no id, in bytes.
    package static let textBytes = 4096

    /// The longest time of anything that a request waits for: an hour.
    package static let waitMilliseconds = 3_600_000
    /// The longest time of anything else: 366 days.
    package static let spanMilliseconds = 366 * 86_400_000
    /// The largest body, in bytes.
    package static let bodyBytes = 64 << 20
}
