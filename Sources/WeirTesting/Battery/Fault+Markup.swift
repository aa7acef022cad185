internal import WeirAdapterKit
internal import WeirModel
internal import WeirRuntime
internal import WeirTime
internal import WeirVAST

/// Markup of every age, none, and markup that leads in a circle.
extension Fault {
    static let markups: [Fault] = ["2.0", "3.0", "4.2"].map(vast) + [emptyVAST, wrapperLoop]

    private static func vast(_ version: String) -> Fault {
        Fault(
            name: "vast_\(version.prefix(1))",
            sent: "an ad as VAST \(version)",
            fix: "Hand the document up as it came, in Offer(markup: .document(…)): the gateway reads every version."
        ) { (stage) throws(SettingsError) in
            guard let (good, reply) = stage.marked(FaultDocuments.ad(version: version)) else {
                return stage.needsMarkup
            }
            let seen = try await stage.play(reply, good: good)
            guard seen.isFill else { return .failed(seen.said) }
            for offer in seen.offers {
                guard case .document(let bytes) = offer.markup else { continue }
                let resolution = await stage.resolve(bytes)
                if !resolution.ads.isEmpty { return .passed(seen.said) }
            }
            return .failed("\(seen.said), and none of them holds the ad")
        }
    }

    private static let emptyVAST = Fault(
        name: "empty_vast",
        sent: "a VAST document without ads",
        fix: "Judge markup with LoadOutcome(markup:), which tells a document with ads from one without."
    ) { (stage) throws(SettingsError) in
        guard let (good, reply) = stage.marked(FaultDocuments.emptyVAST) else { return stage.needsMarkup }
        let seen = try await stage.play(reply, good: good)
        let isBorne = seen.isRefusal || seen.result == .noFill || seen.isRest(of: good)
        return isBorne ? .passed(seen.said) : .failed(seen.said)
    }

    private static let wrapperLoop = Fault(
        name: "wrapper_loop",
        sent: "a wrapper that leads to itself",
        fix: "Hand wrappers up as they came: following them, and ending, is the gateway's work."
    ) { (stage) throws(SettingsError) in
        guard let (good, reply) = stage.marked(FaultDocuments.loop) else { return stage.needsMarkup }
        let seen = try await stage.play(reply, good: good)
        guard seen.exchanges.count == good.requestCount else {
            return .failed("\(seen.said) after \(seen.exchanges.count) requests")
        }
        guard seen.isFill || seen.isRefusal || seen.result == .noFill else { return .failed(seen.said) }
        for offer in seen.offers where !good.offers.contains(offer) {
            guard case .document(let bytes) = offer.markup else { continue }
            let resolution = await stage.resolve(bytes)
            guard resolution.ads.isEmpty else { return .failed("\(seen.said), and an ad came of it") }
        }
        return .passed(seen.isFill ? "\(seen.said); the gateway refuses it" : seen.said)
    }
}

extension FaultStage {
    var needsMarkup: FaultVerdict { .notApplicable("no exemplary answer holds markup") }

    /// The first good answer that holds markup, with `document` in its place.
    func marked(_ document: String) -> (good: GoodAnswer, reply: SandboxReply)? {
        for good in goods {
            if let reply = good.withMarkup(document) { return (good, reply) }
        }
        return nil
    }

    /// What the gateway makes of markup; every address answers with the wrapper that leads to itself.
    fileprivate func resolve(_ markup: [UInt8]) async -> Resolution {
        var options = ResolveOptions()
        options.deadline = .after(Self.time, clock: clock)
        return await VASTResolver().resolve(VASTReader.read(markup), options: options, clock: clock) { _ in
            .document(Array(FaultDocuments.loop.utf8))
        }
    }
}
