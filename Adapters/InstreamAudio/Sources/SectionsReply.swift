internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// The JSON answer of an audio network: `{"sections": {…}, "midpoints_ms": […]}`.
///
/// An entry that cannot be used is left out and remarked upon; the others are served.
struct SectionsReply {
    /// The most entries read of one answer.
    static let entryCount = 200

    /// The most remarks made about one answer.
    static let remarkCount = 20

    /// What was left out and why.
    private(set) var remarks: [String] = []

    private let body: JSONValue
    private let network: NetworkID
    private let asksMidpoints: Bool
    private var offers: [Offer] = []
    private var entries = 0
    private var unusable = 0
    private var hollow: NoFill?

    /// Reads an answer; `asksMidpoints` says that the listener's app has chosen the mid-rolls' places itself.
    init(_ bytes: [UInt8], from network: NetworkID, asksMidpoints: Bool) throws(AdapterError) {
        do { body = try JSONReader.read(bytes) } catch {
            throw Self.badJSON("is not JSON, from line \(error.line), column \(error.column) on.")
        }
        guard body.object != nil else { throw Self.badJSON("is \(body.kindName), not an object.") }
        self.network = network
        self.asksMidpoints = asksMidpoints
    }

    /// What the answer means.
    mutating func outcome() throws(AdapterError) -> LoadOutcome {
        if let error = body["error"], !error.isNull {
            throw .reported(
                code: error["code"].flatMap { $0.string ?? $0.number?.text },
                message: error["message"]?.string ?? error.string
            )
        }
        if let sections = body["sections"], !sections.isNull {
            guard sections.object != nil else { throw Self.badJSON("has sections that are \(sections.kindName).") }
            read(sections)
        }
        if !offers.isEmpty { return .fill(offers) }
        if unusable > 0 { throw Self.badJSON("has no entry that can be used; \(remarks.first ?? "")") }
        return .noFill(hollow ?? NoFill(.noAd, "The network answered that it has no ad for any section."))
    }

    private mutating func read(_ sections: JSONValue) {
        let path = JSONPath.root.key("sections")
        read(sections["preroll"], at: path.key("preroll"), AudioSlot(.preroll))
        readMidrolls(sections["midroll"], at: path.key("midroll"))
        read(sections["pauseroll"], at: path.key("pauseroll"), AudioSlot(.pauseroll))
        read(sections["postroll"], at: path.key("postroll"), AudioSlot(.postroll))
    }

    /// Reads the mid-rolls, the earliest first.
    ///
    /// Where the app asked for no places of its own, the network's `midpoints_ms` say which are served; without that
    /// list all are, and with an empty one none.
    private mutating func readMidrolls(_ points: JSONValue?, at path: JSONPath) {
        guard let points, !points.isNull else { return }
        guard let points = points.array else { return leaveOut("\(path) must be an array, not \(points.kindName)") }
        var midrolls: [(point: Int, index: Int)] = []
        for (index, entry) in points.enumerated() {
            guard let point = entry["point_ms"]?.int, (0...longestProgramme).contains(point) else {
                leaveOut("\(path.index(index)).point_ms must be a whole number from 0 to \(longestProgramme)")
                continue
            }
            if isServed(point) { midrolls.append((point, index)) }
        }
        for (point, index) in midrolls.sorted(by: { ($0.point, $0.index) < ($1.point, $1.index) }) {
            let slot = AudioSlot(.midroll, point: .milliseconds(point))
            read(points[index]["ads"], at: path.index(index).key("ads"), slot)
        }
    }

    private func isServed(_ point: Int) -> Bool {
        guard !asksMidpoints, let served = body["midpoints_ms"]?.array else { return true }
        return served.contains { $0.int == point }
    }

    private mutating func read(_ ads: JSONValue?, at path: JSONPath, _ slot: AudioSlot) {
        guard let ads, !ads.isNull else { return }
        guard let ads = ads.array else { return leaveOut("\(path) must be an array, not \(ads.kindName)") }
        for (index, ad) in ads.enumerated() {
            entries += 1
            guard entries <= Self.entryCount else {
                return remark("\(path.index(index)) and what follows is left out: at most \(Self.entryCount) are read")
            }
            switch AudioEntry.read(ad, of: network, at: path.index(index)) {
            case .offer(var offer, let remarks):
                offer.slot = slot
                offers.append(offer)
                for text in remarks { remark(text) }
            case .hollow(let noFill): hollow = hollow ?? noFill
            case .unusable(let reason): leaveOut(reason)
            }
        }
    }

    private mutating func leaveOut(_ reason: String) {
        unusable += 1
        remark(reason)
    }

    private mutating func remark(_ text: String) {
        if remarks.count < Self.remarkCount { remarks.append(text) }
    }

    private static func badJSON(_ what: String) -> AdapterError {
        AdapterError(.badResponse, .badJSON, "The network's answer \(what)")
    }
}

/// A day: what is longer is no programme but a mistake of units.
private let longestProgramme = 86_400_000
