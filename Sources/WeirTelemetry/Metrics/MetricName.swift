/// The rules for names in the Prometheus data model.
enum MetricName {
    /// Whether `name` names a metric: `[a-zA-Z_:][a-zA-Z0-9_:]*`; colons are left to recording rules.
    static func isMetric(_ name: String) -> Bool { isIdentifier(name) && !name.hasPrefix("__") }

    /// Whether `name` names a label: `[a-zA-Z_][a-zA-Z0-9_]*`, not beginning with `__`, not one Prometheus writes itself.
    static func isLabel(_ name: String) -> Bool {
        isIdentifier(name) && !name.hasPrefix("__") && name != "le" && name != "quantile"
    }

    private static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return false
        }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}
