internal import WeirTime

extension ConformanceReport {
    /// The report as JUnit XML, for continuous integrations: one suite, a test case for each row.
    public var junit: String {
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            "<testsuites>",
            "  <testsuite name=\"\(escaped(subject))\" tests=\"\(rows.count)\" failures=\"\(count(.failed))\" "
                + "skipped=\"\(count(.notApplicable))\" time=\"\(seconds(elapsed))\">",
        ]
        for row in rows { lines += self.lines(row) }
        lines += ["  </testsuite>", "</testsuites>", ""]
        return lines.joined(separator: "\n")
    }

    private func lines(_ row: ConformanceRow) -> [String] {
        let head =
            "    <testcase classname=\"\(escaped(subject)).\(row.kind.rawValue)\" name=\"\(escaped(row.name))\" "
            + "time=\"\(seconds(row.elapsed))\""
        switch row.result {
        case .passed: return [head + "/>"]
        case .notApplicable:
            return [head + ">", "      <skipped message=\"\(escaped(row.did))\"/>", "    </testcase>"]
        case .failed:
            let log = row.log.isEmpty ? "" : "\nLog:\n\(row.log.joined(separator: "\n"))"
            let text = "Sent: \(row.sent)\nFix: \(row.fix ?? "")\(log)"
            let failure = "      <failure message=\"\(escaped(row.did))\">\(escaped(text))</failure>"
            return [head + ">", failure, "    </testcase>"]
        }
    }

    private func seconds(_ duration: Duration) -> String {
        let milliseconds = max(0, duration.milliseconds)
        return "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
    }
}

/// Text as it stands in an attribute or between tags; what XML 1.0 §2.2 cannot hold at all is replaced.
private func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        case "\n": escaped += "&#10;"
        case "\t": escaped += "&#9;"
        case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: escaped += "\u{FFFD}"
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}
