internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel
internal import WeirVAST

/// One entry of a section: `{"vast": …}`, `{"vast_url": …}`, or an ad spelled out with `url`, `mime`, `duration_ms`.
enum AudioEntry {
    /// It offers an ad; what had to be left out of it is said in words.
    case offer(Offer, remarks: [String])
    /// Its markup holds no ad.
    case hollow(NoFill)
    /// It cannot be used.
    case unusable(String)

    /// The longest `ad_text` kept, in Unicode scalars.
    static let textLength = 1024

    static func read(_ entry: JSONValue, of network: NetworkID, at path: JSONPath) -> AudioEntry {
        let problems = JSONProblems()
        let field = JSONField(entry, path: path, problems: problems)
        guard let field = field.object() else { return .unusable(sentence(problems)) }
        let controls = controls(field)
        let read: AudioEntry
        if let document = field.optionalString("vast", maxBytes: documentBytes) {
            read = markup(document, path)
        } else if let url = field.optionalString("vast_url") {
            read =
                url.isWebAddress
                ? .offer(Offer(markup: .url(url)), remarks: []) : .unusable("\(path).vast_url is no http or https URL")
        } else {
            read = spelledOut(field, network, allowsSkip: controls.allowsSkip)
        }
        guard problems.isEmpty else { return .unusable(sentence(problems)) }
        guard case .offer(var offer, let remarks) = read else { return read }
        offer.id = field.value["id"]?.number?.text ?? field.optionalString("id", maxBytes: 256)
        let hasMarkup = field.member("vast") != nil || field.member("vast_url") != nil
        if !hasMarkup || saysControls(field) { offer.controls = controls }
        return .offer(offer, remarks: remarks)
    }

    private static let documentBytes = 1 << 20

    private static func markup(_ document: String, _ path: JSONPath) -> AudioEntry {
        do throws(AdapterError) {
            switch try LoadOutcome(markup: Array(document.utf8)) {
            case .noFill(let noFill): return .hollow(noFill)
            case .fill(let offers):
                guard let offer = offers.first else { return .unusable("\(path).vast holds no ad") }
                return .offer(offer, remarks: [])
            }
        } catch {
            return .unusable("\(path).vast: \(error.outcome.message)")
        }
    }

    private static func spelledOut(_ field: JSONField, _ network: NetworkID, allowsSkip: Bool) -> AudioEntry {
        let ad = SpelledOutAd(field, of: network, allowsSkip: allowsSkip)
        guard let ad else { return .unusable("\(field.path) is no ad") }
        let document = VASTWriter.convert(VASTDocument(version: "4.2", ads: [ad.vast]), to: .v42)
        return .offer(Offer(markup: .document(document.bytes)), remarks: ad.remarks)
    }

    private static func controls(_ field: JSONField) -> AudioControls {
        var controls = AudioControls()
        if let allows = field.optionalBool("allow_seek") { controls.allowsSeek = allows }
        if let allows = field.optionalBool("allow_skip") { controls.allowsSkip = allows }
        if let allows = field.optionalBool("allow_pause") { controls.allowsPause = allows }
        if let allows = field.optionalBool("allow_track_change") { controls.allowsTrackChange = allows }
        controls.adText = field.optionalString("ad_text").map { String($0.unicodeScalars.prefix(textLength)) }
        return controls
    }

    /// Whether an entry with markup of its own says anything about what a listener may do.
    private static func saysControls(_ field: JSONField) -> Bool {
        ["allow_seek", "allow_skip", "allow_pause", "allow_track_change", "ad_text"].contains {
            field.member($0) != nil
        }
    }

    private static func sentence(_ problems: JSONProblems) -> String {
        problems.list.first.map { "\($0.path) \($0.message)" } ?? ""
    }
}
