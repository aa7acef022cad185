import Testing
import WeirTime

@testable import WeirVAST

/// Every reported fault of VAST tools that we know of, with documents of our own that have the same point.
@Suite("Faults of others")
struct FaultTests {
    @Test("gives the right result", arguments: FaultCase.all)
    func right(example: FaultCase) async throws {
        let outcome = await Outcome(example)
        #expect(!example.expectations.isEmpty)
        for (key, value) in example.expectations where !Outcome.settings.contains(key) {
            let expectation = try #require(Outcome.expectations[key], "There is no expectation \"\(key)\".")
            let found = try expectation(outcome, value)
            #expect(found == value, "\(key)")
        }
    }

    @Test("every fault of the shared list has cases of our own, and no case is without a fault")
    func complete() throws {
        let faults = Set(FaultCase.all.map(\.fault))
        #expect(faults.count == 33)
        guard let root = Corpus.root, let list = read(root + "/data/vast-cases/cases.json") else { return }
        let ids = String(decoding: list, as: UTF8.self).matches(of: /"id": "(B\d+)"/).map { String($0.1) }
        #expect(Set(ids) == faults)
    }
}

/// A case, resolved.
private struct Outcome: Sendable {
    /// What says how to resolve, not what to expect.
    static let settings: Set<String> = ["mode", "base", "mimes", "depth", "slow"]

    let example: FaultCase
    let reading: Reading
    let resolution: Resolution
    let asked: [String]

    init(_ example: FaultCase) async {
        self.example = example
        var options = ResolveOptions()
        if example["mode"] == "strict" { options.reading = .strict }
        if example["base"] != "none" { options.baseURL = example.documents[0].url }
        if let mimes = example["mimes"] { options.selector = MediaSelector(mimeTypes: mimes.words) }
        if let depth = example["depth"].flatMap({ Int($0) }) { options.wrapperDepth = depth }
        let site = Site(Dictionary(uniqueKeysWithValues: example.documents.map { ($0.url, $0.text) }))
        reading = VASTReader(options: options.reading).read(example.documents[0].text)
        let slow = example["slow"]
        resolution = await VASTResolver().resolve(reading, options: options, clock: FixedClock()) { request in
            request.url == slow ? .failed(.timeout, message: "too slow") : site.answer(request)
        }
        asked = site.asked
    }

    var ad: ResolvedAd? { resolution.ads.first }

    private var linear: Linear? { reading.vast?.ads.first?.inLine?.creatives.lazy.compactMap(\.linear).first }

    private func codes() -> Set<String> {
        Set((reading.diagnostics + resolution.diagnostics).map(\.code.rawValue))
    }

    /// What was found for each key, written as the case writes it; `expected` says what part is asked for.
    static let expectations: [String: @Sendable (Outcome, String) throws -> String] = [
        "ads": { outcome, _ in outcome.resolution.ids.joined(separator: " ") },
        "buffet": { outcome, _ in outcome.resolution.buffet.compactMap(\.id).joined(separator: " ") },
        "positions": { outcome, _ in
            outcome.resolution.ads.map { String($0.pod?.position ?? 0) }.joined(separator: " ")
        },
        "pings": { outcome, _ in
            outcome.resolution.pings.map { "\(lastPart($0.template))=\($0.code.rawValue)" }.joined(separator: " ")
        },
        "pings-full": { outcome, _ in outcome.resolution.pings.map(\.url).joined(separator: " ") },
        "asked": { outcome, _ in
            outcome.asked.map { String($0.dropFirst(20).prefix { $0 != "?" }) }.joined(separator: " ")
        },
        "asked-full": { outcome, expected in masked(outcome.asked.joined(separator: " "), by: expected) },
        "impressions": { outcome, _ in (outcome.ad?.impressions ?? []).map(lastPart).joined(separator: " ") },
        "impressions-full": { outcome, _ in (outcome.ad?.impressions ?? []).joined(separator: " ") },
        "starts": { outcome, _ in (outcome.ad?.tracking["start"] ?? []).map(lastPart).joined(separator: " ") },
        "tracking": { outcome, _ in (outcome.ad?.tracking.keys.sorted() ?? []).joined(separator: " ") },
        "kept-events": { outcome, _ in
            (outcome.linear?.trackingEvents ?? []).map(\.event.rawValue).joined(separator: " ")
        },
        "progress": { outcome, _ in
            let offsets = (outcome.ad?.trackingEvents ?? []).map { $0.offset?.position(in: outcome.ad?.duration) }
            return offsets.map { $0.map { String($0.milliseconds) } ?? "-" }.joined(separator: " ")
        },
        "written-offsets": { outcome, _ in
            let text = VASTWriter.write(try #require(outcome.reading.vast)).text
            return text.matches(of: /offset="([^"]+)"/).map { String($0.1) }.joined(separator: " ")
        },
        "fired": { outcome, _ in try playedThrough(try #require(outcome.ad)).joined(separator: " ") },
        "skip": { outcome, _ in text(outcome.ad?.skipOffset) },
        "duration": { outcome, _ in text(outcome.ad?.duration) },
        "viewable": { outcome, _ in
            (outcome.ad?.viewableImpressions ?? []).flatMap(\.viewable).map(lastPart).joined(separator: " ")
        },
        "not-viewable": { outcome, _ in
            String((outcome.ad?.viewableImpressions ?? []).flatMap(\.notViewable).count)
        },
        "undetermined": { outcome, _ in
            String((outcome.ad?.viewableImpressions ?? []).flatMap(\.undetermined).count)
        },
        "companions": { outcome, _ in
            (outcome.ad?.companions ?? []).map { "\($0.width ?? 0)x\($0.height ?? 0)" }.joined(separator: " ")
        },
        "companion-views": { outcome, _ in
            (outcome.ad?.companions ?? []).flatMap(\.trackingEvents).map(\.url).joined(separator: " ")
        },
        "companion-clicks": { outcome, _ in
            (outcome.ad?.companions ?? []).flatMap(\.clickTracking).map(\.url).joined(separator: " ")
        },
        "nonlinears": { outcome, _ in
            (outcome.ad?.nonLinears ?? []).map { "\($0.width ?? 0)x\($0.height ?? 0)" }.joined(separator: " ")
        },
        "suggested": { outcome, _ in text(outcome.ad?.nonLinears.first?.minSuggestedDuration) },
        "parameters": { outcome, _ in outcome.ad?.linear?.adParameters?.text ?? "none" },
        "nonlinear-parameters": { outcome, _ in outcome.ad?.nonLinears.first?.adParameters?.text ?? "none" },
        "media": { outcome, _ in (outcome.ad?.mediaFiles ?? []).map(\.url).joined(separator: " ") },
        "delivery": { outcome, _ in (outcome.ad?.mediaFiles.first?.delivery ?? .progressive).rawValue },
        "type": { outcome, _ in outcome.ad?.adType.rawValue ?? "" },
        "price": { outcome, _ in outcome.ad?.pricing?.value ?? "" },
        "click": { outcome, _ in outcome.ad?.clickThrough ?? "" },
        "hideable": { outcome, _ in
            (outcome.resolution.ads + outcome.resolution.buffet).map { String($0.isUIHideable) }.joined(separator: " ")
        },
        "breaks": { outcome, _ in outcome.resolution.breaks.map(text).joined(separator: " ") },
        "failure": { outcome, _ in
            outcome.reading.failure.map { "\($0.reason.rawValue) \($0.errorCode.rawValue)" } ?? "none"
        },
        "refusal": { outcome, _ in
            outcome.resolution.refusal.map { "\($0.reason.rawValue) \($0.code.rawValue)" } ?? "none"
        },
        "refusal-words": { outcome, expected in
            expected.words.filter { outcome.resolution.refusal?.message.contains($0) ?? false }.joined(separator: " ")
        },
        "codes": { outcome, expected in expected.words.filter(outcome.codes().contains).joined(separator: " ") },
        "no-codes": { outcome, expected in
            expected.words.filter { !outcome.codes().contains($0) }.joined(separator: " ")
        },
        "code-count": { outcome, expected in
            let code = expected.words[0]
            return "\(code) \(outcome.reading.diagnostics.count { $0.code.rawValue == code })"
        },
        "injects": { outcome, expected in try injected(expected, into: outcome.example.documents[0].text) },
    ]

    /// The part of a URL between the last slash and the query.
    private static func lastPart(_ url: String) -> String {
        url.prefix { $0 != "?" }.split(separator: "/").last.map(String.init) ?? ""
    }

    private static func text(_ duration: Duration?) -> String { duration.map { String($0.milliseconds) } ?? "-" }

    /// `id@offset=ads`.
    private static func text(_ resolved: BreakResolution) -> String {
        let offset =
            switch resolved.adBreak.timeOffset {
            case .start: "start"
            case .end: "end"
            case .time(let time): String(time.milliseconds)
            default: "?"
            }
        return "\(resolved.adBreak.id ?? "-")@\(offset)=" + resolved.ads.compactMap(\.id).joined(separator: ",")
    }

    /// The text with a `#` wherever the pattern has one.
    private static func masked(_ text: String, by pattern: String) -> String {
        guard text.count == pattern.count else { return text }
        return String(zip(text, pattern).map { $1 == "#" && $0.isNumber ? "#" : $0 })
    }

    /// The progress URLs that are due when the ad is played from end to end.
    private static func playedThrough(_ ad: ResolvedAd) throws -> [String] {
        var tracking = AdTracking(ad: ad)
        var due = tracking.take(.started)
        for second in 1...60 { due += tracking.take(.position(min(.seconds(second), ad.duration ?? .seconds(60)))) }
        due += tracking.take(.completed)
        return due.filter { $0.name == EventName.progress.rawValue }.map(\.url)
    }

    /// The URL, when it is in the document and every other byte is as it was.
    private static func injected(_ url: String, into text: String) throws -> String {
        let bytes = Array(text.utf8)
        let output = VASTInjector.inject(Additions(impressions: [TrackedURL(url: url)]), into: bytes)
        try #require(output.failure == nil && output.bytes.count > bytes.count)
        var index = 0
        for byte in output.bytes where index < bytes.count && byte == bytes[index] { index += 1 }
        #expect(index == bytes.count, "the bytes of the document are there, in order")
        let added = output.bytes.count - bytes.count
        let start = try #require((0..<bytes.count).first { output.bytes[$0] != bytes[$0] })
        #expect(Array(output.bytes[..<start]) + Array(output.bytes[(start + added)...]) == bytes)
        let impressions = VASTReader.read(output.bytes, options: .strict).vast?.ads.first?.inLine?.impressions
        return impressions?.last?.url ?? ""
    }
}

extension String {
    fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
