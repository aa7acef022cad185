import Testing
import WeirVAST

/// How many elements of each kind a document has.
struct Counts: Equatable, Sendable {
    var ads = 0
    var inLines = 0
    var wrappers = 0
    var linears = 0
    var nonLinears = 0
    var companions = 0
    var adBreaks = 0
}

extension Counts {
    init(_ reading: Reading) {
        self.init()
        if let document = reading.vast { add(document) }
        for adBreak in reading.vmap?.adBreaks ?? [] {
            adBreaks += 1
            if case .vast(let document)? = adBreak.source?.content { add(document) }
        }
    }

    private mutating func add(_ document: VASTDocument) {
        for ad in document.ads {
            ads += 1
            if let inLine = ad.inLine {
                inLines += 1
                add(inLine.creatives)
            }
            if let wrapper = ad.wrapper {
                wrappers += 1
                add(wrapper.creatives)
            }
        }
    }

    private mutating func add(_ creatives: [Creative]) {
        for creative in creatives {
            if creative.linear != nil { linears += 1 }
            nonLinears += creative.nonLinearAds?.nonLinears.count ?? 0
            companions += creative.companionAds?.companions.count ?? 0
        }
    }
}

extension Counts {
    init(_ counts: ElementCounts) {
        self.init(
            ads: counts.ads,
            inLines: counts.inLines,
            wrappers: counts.wrappers,
            linears: counts.linears,
            nonLinears: counts.nonLinears,
            companions: counts.companions,
            adBreaks: counts.adBreaks
        )
    }
}
