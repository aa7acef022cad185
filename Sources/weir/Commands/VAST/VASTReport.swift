internal import WeirAPI
internal import WeirJSON
internal import WeirTime
internal import WeirVAST

/// What the `weir vast` commands print with `--json`; the member names are fixed.
enum VASTReport {
    /// `vast`, `daast`, `vmap` or `unknown`.
    static func kind(of reading: Reading) -> String {
        switch reading.content {
        case .vast: "vast"
        case .daast: "daast"
        case .vmap: "vmap"
        case .unreadable(let failure): failure.reason == .vast1 ? "vast" : "unknown"
        }
    }

    /// The version as the document has it.
    static func version(of reading: Reading) -> String { reading.vast?.version ?? reading.vmap?.version ?? "" }

    /// The outcome when a document could not be had.
    static func unfetched(_ message: String) -> Reading {
        Reading(
            content: .unreadable(ReadFailure(reason: .empty, message: message)),
            diagnostics: [Diagnostic(code: .emptyDocument, severity: .error, message: message)]
        )
    }

    /// `weir vast inspect --json` and, with `valid`, `weir vast validate --json`.
    static func inspection(_ reading: Reading, isValidation: Bool = false) -> String {
        var json = JSONWriter(pretty: true, reserving: 8192)
        json.object { json in
            json.member("kind", kind(of: reading))
            json.member("version", version(of: reading))
            json.member("well_formed", reading.isWellFormed)
            if isValidation { json.member("valid", reading.isValid) }
            json.counts(reading.counts)
            json.array("ads") { json in
                for document in reading.documents {
                    for ad in document.ads { json.ad(ad, of: document) }
                }
            }
            if let schedule = reading.vmap { json.breaks(schedule.adBreaks) }
            json.diagnostics(reading.diagnostics)
        }
        return json.text
    }

    /// `weir vast resolve --json`.
    static func resolution(_ resolution: Resolution) -> String {
        var json = JSONWriter(pretty: true, reserving: 8192)
        json.object { json in
            json.array("ads") { json in
                for ad in resolution.ads { json.ad(ad, markup: VASTWriter.write([ad]).text) }
            }
            json.podAndBuffet("break", resolution.ads, resolution.buffet)
            if !resolution.breaks.isEmpty {
                json.array("breaks") { json in
                    for resolved in resolution.breaks { json.resolvedBreak(resolved) }
                }
            }
            json.array("pings") { json in
                for ping in resolution.pings {
                    json.object { json in
                        json.member("url", ping.url)
                        json.member("code", ping.code.rawValue)
                    }
                }
            }
            json.array("chain") { json in
                for hop in resolution.chain { json.hop(hop) }
            }
            json.verdicts(resolution)
            json.diagnostics(resolution.diagnostics)
        }
        return json.text
    }

    /// `weir vast convert --json`.
    static func conversion(_ document: String?, remarks: [Diagnostic], to version: VASTVersion) -> String {
        var json = JSONWriter(pretty: true, reserving: 4096)
        json.object { json in
            json.member("version", version.rawValue)
            json.member("document", document)
            json.diagnostics(remarks)
        }
        return json.text
    }
}

extension Reading {
    /// The VAST documents in it: one, or those that a schedule holds.
    fileprivate var documents: [VASTDocument] {
        if let vast { return [vast] }
        return (vmap?.adBreaks ?? []).compactMap { adBreak in
            if case .vast(let document)? = adBreak.source?.content { document } else { nil }
        }
    }
}

extension TimeOffset {
    /// VMAP's spelling.
    var text: String {
        switch self {
        case .start: "start"
        case .end: "end"
        case .time(let time): "\(time.milliseconds) ms"
        case .percent(let percent): "\(percent)%"
        case .position(let position): "#\(position)"
        case .unreadable(let text): "unreadable (\(text))"
        }
    }
}

extension JSONWriter {
    fileprivate mutating func counts(_ counts: ElementCounts) {
        object("counts") { json in
            json.member("ads", counts.ads)
            json.member("inline", counts.inLines)
            json.member("wrapper", counts.wrappers)
            json.member("linear", counts.linears)
            json.member("nonlinear", counts.nonLinears)
            json.member("companion", counts.companions)
            json.member("ad_breaks", counts.adBreaks)
        }
    }

    fileprivate mutating func diagnostics(_ diagnostics: [Diagnostic]) {
        array("diagnostics") { json in
            for diagnostic in diagnostics {
                json.object { json in
                    json.member("code", diagnostic.code.rawValue)
                    json.member("severity", diagnostic.severity.rawValue)
                    json.member("line", diagnostic.line)
                    json.member("column", diagnostic.column)
                    json.member("path", diagnostic.path)
                    json.member("message", diagnostic.message)
                }
            }
        }
    }

    fileprivate mutating func breaks(_ breaks: [AdBreak]) {
        array("breaks") { json in
            for adBreak in breaks { json.object { $0.facts(adBreak) } }
        }
    }

    fileprivate mutating func resolvedBreak(_ resolved: BreakResolution) {
        object { json in
            json.facts(resolved.adBreak)
            json.podAndBuffet("ads", resolved.ads, resolved.buffet)
            json.member("reason", resolved.refusal?.message)
        }
    }

    private mutating func facts(_ adBreak: AdBreak) {
        member("id", adBreak.id)
        member("time_offset", adBreak.timeOffset.text)
        member("time_offset_ms", adBreak.timeOffset.contentPosition(in: nil)?.milliseconds)
        member("types", adBreak.breakTypes)
        member("repeat_after_ms", adBreak.repeatAfter?.milliseconds)
        if case .adTag(_, let uri)? = adBreak.source?.content { member("ad_tag_uri", uri) }
    }

    fileprivate mutating func podAndBuffet(_ key: String, _ ads: [ResolvedAd], _ buffet: [ResolvedAd]) {
        object(key) { json in
            json.member("pod", ads.map { $0.id ?? "" })
            json.member("buffet", buffet.map { $0.id ?? "" })
        }
    }

    fileprivate mutating func hop(_ hop: Hop) {
        object { json in
            json.member("url", hop.url)
            json.member("ad_id", hop.adID)
            json.member("depth", hop.depth)
            json.member("latency_ms", hop.latency.milliseconds)
            json.member("result", hop.result.rawValue)
            json.member("reason", hop.reason)
        }
    }

    fileprivate mutating func verdicts(_ resolution: Resolution) {
        array("verdicts") { json in
            for verdict in resolution.verdicts {
                json.object { json in
                    json.member("ad_id", verdict.adID)
                    json.member("depth", verdict.depth)
                    json.member("outcome", verdict.outcome.rawValue)
                    json.member("code", verdict.code?.rawValue)
                    json.member("message", verdict.message)
                }
            }
        }
        key("refusal")
        if let refusal = resolution.refusal {
            object { json in
                json.member("reason", refusal.reason.rawValue)
                json.member("code", refusal.code.rawValue)
                json.member("message", refusal.message)
            }
        } else {
            null()
        }
    }
}
