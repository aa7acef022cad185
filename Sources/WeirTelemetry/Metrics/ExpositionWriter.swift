/// Writes the Prometheus text format 0.0.4.
struct ExpositionWriter {
    private(set) var bytes: [UInt8] = []

    /// The two lines above a metric's samples.
    mutating func header(_ name: String, _ help: String, type: String) {
        append("# HELP \(name) ")
        for byte in help.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): append("\\\\")
            case 0x0A: append("\\n")
            default: bytes.append(byte)
            }
        }
        append("\n# TYPE \(name) \(type)\n")
    }

    /// One sample line.
    mutating func sample(_ name: String, _ labels: [String], _ values: [String], _ number: String) {
        append(name)
        if !labels.isEmpty {
            bytes.append(UInt8(ascii: "{"))
            for (index, label) in labels.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                append(label)
                append("=\"")
                appendEscaped(values[index])
                bytes.append(UInt8(ascii: "\""))
            }
            bytes.append(UInt8(ascii: "}"))
        }
        append(" \(number)\n")
    }

    /// The lines of a histogram: buckets, sum and count, taken so that they agree with each other.
    mutating func histogram(_ name: String, _ labels: [String], _ values: [String], _ histogram: Histogram) {
        let cumulative = histogram.cumulative
        for (bound, count) in zip(histogram.bounds + [.infinity], cumulative) {
            sample(name + "_bucket", labels + ["le"], values + [Self.text(bound)], String(count))
        }
        sample(name + "_sum", labels, values, Self.text(histogram.sum))
        sample(name + "_count", labels, values, String(cumulative.last ?? 0))
    }

    /// A number as the format spells it; whole numbers without a fraction.
    static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 { return String(whole) }
        return value.description
    }

    private mutating func append(_ text: String) { bytes += text.utf8 }

    private mutating func appendEscaped(_ value: String) {
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): append("\\\\")
            case UInt8(ascii: "\""): append("\\\"")
            case 0x0A: append("\\n")
            default: bytes.append(byte)
            }
        }
    }
}
