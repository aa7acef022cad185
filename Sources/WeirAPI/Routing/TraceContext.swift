/// W3C Trace Context, version 00: the `traceparent` header.
package struct TraceContext: Sendable, Hashable {
    private let trace: Substring
    private let flags: Substring

    /// Reads a header; `nil` when it is absent or not one (§3.2: such a header is ignored).
    package init?(_ header: String?) {
        let parts = (header ?? "").split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, Self.isHex(parts[0], 2), parts[0] != "ff", parts.count == 4 || parts[0] != "00",
            Self.isHex(parts[1], 32), !parts[1].allSatisfy({ $0 == "0" }),
            Self.isHex(parts[2], 16), !parts[2].allSatisfy({ $0 == "0" }), Self.isHex(parts[3], 2)
        else { return nil }
        trace = parts[1]
        flags = parts[3]
    }

    /// The header to send on: the same trace, Weir's own span as the parent (§3.4).
    package func passedOn() -> String {
        let span = String(UInt64.random(in: 1 ... .max), radix: 16)
        return "00-\(trace)-" + String(repeating: "0", count: 16 - span.count) + span + "-\(flags)"
    }

    private static func isHex(_ text: Substring, _ count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
