internal import WeirVAST

/// A document as a tree for a person: elements, their values, and under each the remarks about it.
struct VASTTree {
    /// How much of a value is shown.
    private static let valueLimit = 72

    private let outline: DocumentOutline
    private let reading: Reading
    private let style: Style

    init(_ bytes: [UInt8], _ reading: Reading, options: ReadOptions, style: Style) {
        outline = DocumentOutline(bytes, options: options)
        self.reading = reading
        self.style = style
    }

    /// The lines to print.
    var lines: [String] {
        var lines = [headline]
        var left = reading.diagnostics
        for element in outline.elements {
            let indent = String(repeating: "  ", count: element.depth)
            lines.append(indent + line(of: element))
            let mine = left.filter { $0.line == element.line && $0.column == element.column && !$0.path.isEmpty }
            guard !mine.isEmpty else { continue }
            left.removeAll { mine.contains($0) }
            lines += mine.map { "\(indent)    \(Self.severity($0, style)) [\($0.code.rawValue)] \($0.message)" }
        }
        let rest = left.map { remark in
            let place = remark.line > 0 ? "line \(remark.line): " : ""
            return "\(Self.severity(remark, style)) [\(remark.code.rawValue)] \(place)\(remark.message)"
        }
        return lines + (rest.isEmpty ? [] : [""] + rest)
    }

    /// `error`, `warning` or `info`, painted.
    static func severity(_ remark: Diagnostic, _ style: Style) -> String {
        switch remark.severity {
        case .error: style.red("error")
        case .warning: style.yellow("warning")
        case .info: style.dim("info")
        }
    }

    private var headline: String {
        let kind = VASTReport.kind(of: reading)
        let counts = reading.counts
        let parts = [
            ("ads", counts.ads), ("inline", counts.inLines), ("wrapper", counts.wrappers), ("linear", counts.linears),
            ("non-linear", counts.nonLinears), ("companion", counts.companions), ("breaks", counts.adBreaks),
        ].filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }
        let version = VASTReport.version(of: reading)
        let title = style.bold(kind.uppercased() + (version.isEmpty ? "" : " " + version))
        return title + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
    }

    private func line(of element: DocumentOutline.Element) -> String {
        let attributes = element.attributes.map { " \($0.name)=" + style.cyan("\"\(shortened($0.value))\"") }
        let text = element.text.isEmpty ? "" : "  " + style.dim(shortened(element.text))
        return style.bold(element.name) + attributes.joined() + text
    }

    private func shortened(_ text: String) -> String {
        let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        return line.count > Self.valueLimit ? line.prefix(Self.valueLimit) + "…" : line
    }
}
