internal import WeirTime
internal import WeirVAST

/// What a document resolves to, for a person: the chain with its times, the verdicts, what plays, who is told.
struct ResolutionText {
    private let resolution: Resolution
    private let style: Style

    init(_ resolution: Resolution, style: Style) {
        self.resolution = resolution
        self.style = style
    }

    /// The lines to print.
    var lines: [String] {
        [headline] + section("chain", chain) + section("verdicts", verdicts) + section("breaks", breaks)
            + section("ads", ads) + section("spare", resolution.buffet.map { $0.id ?? "-" })
            + section("error URLs", resolution.pings.map { "\($0.code.rawValue)  \($0.url)" })
            + section("remarks", remarks)
    }

    private var headline: String {
        if let refusal = resolution.refusal, resolution.ads.isEmpty {
            return style.red("no ad (\(refusal.reason.rawValue), \(refusal.code.rawValue)): ") + refusal.message
        }
        let count = resolution.ads.count
        let ids = resolution.ads.map { $0.id ?? "-" }.joined(separator: ", ")
        return style.green(count == 1 ? "1 ad" : "\(count) ads") + ": " + ids
    }

    private func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : ["", style.dim(title)] + lines.map { "  " + $0 }
    }

    private var chain: [String] {
        var table = Table()
        for hop in resolution.chain {
            let indent = String(repeating: "  ", count: max(0, hop.depth - 1))
            let isDocument = hop.result == .document
            table.row([
                Table.Cell(indent + hop.url),
                Table.Cell("\(hop.latency.milliseconds) ms"),
                Table.Cell(hop.result.rawValue) { isDocument ? style.green($0) : style.red($0) },
                Table.Cell(hop.reason ?? "", style.dim),
            ])
        }
        return table.lines()
    }

    private var verdicts: [String] {
        var table = Table()
        for verdict in resolution.verdicts {
            let paint: (String) -> String =
                switch verdict.outcome {
                case .used: style.green
                case .spare, .ignored: style.dim
                case .refused: style.red
                }
            table.row([
                Table.Cell(String(repeating: "  ", count: verdict.depth) + (verdict.adID ?? "-")),
                Table.Cell(verdict.outcome.rawValue, paint),
                Table.Cell(verdict.code.map { String($0.rawValue) } ?? ""),
                Table.Cell(verdict.message),
            ])
        }
        return table.lines()
    }

    private var breaks: [String] {
        resolution.breaks.map { resolved in
            let ads = resolved.ads.map { $0.id ?? "-" }.joined(separator: ", ")
            let outcome = ads.isEmpty ? style.red(resolved.refusal?.message ?? "no ads") : ads
            return "\(resolved.adBreak.timeOffset.text)  \(resolved.adBreak.id ?? "-")  \(outcome)"
        }
    }

    private var ads: [String] {
        resolution.ads.flatMap { ad -> [String] in
            let media = ad.mediaFiles.first
            let place = ad.pod.map { " (\($0.position) of \($0.total))" } ?? ""
            let facts = [
                ad.title, ad.duration.map { "\($0.milliseconds) ms" }, media?.type,
                media?.url, ad.impressions.isEmpty ? nil : "\(ad.impressions.count) impressions",
            ].compactMap(\.self)
            return [style.bold(ad.id ?? "-") + place + "  " + facts.joined(separator: "  ")]
        }
    }

    private var remarks: [String] {
        resolution.diagnostics.map {
            "\(VASTTree.severity($0, style)) [\($0.code.rawValue)] \($0.message)" + style.dim("  \($0.path)")
        }
    }
}
