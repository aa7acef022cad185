import Testing

@testable import WeirVAST

/// Pods, wrappers and fallbacks crossed: every combination of what a document may hold with what a wrapper may say.
@Suite("Pods, wrappers and fallbacks")
struct FallbackTests {
    /// What stands behind a wrapper.
    enum Behind: String, CaseIterable, Sendable {
        case inLine, empty, failing, hollow, pod, lonePod, podAndSolo
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var behind: Behind
        var allowsMultiple: Bool?
        var fallsBack: Bool?
        /// Whether the wrapper stands in a pod before an ad `next`.
        var isInPod: Bool

        var testDescription: String {
            "\(behind) multiple=\(allowsMultiple.map(String.init) ?? "-") fallback=\(fallsBack.map(String.init) ?? "-")"
                + (isInPod ? " in a pod" : "")
        }

        /// The ids behind the wrapper that may play there, in order.
        var behindIDs: [String] {
            switch behind {
            case .inLine: ["in"]
            case .empty, .failing, .hollow: []
            case .pod: allowsMultiple == true ? ["p1", "p2"] : []
            case .lonePod: ["p1"]
            case .podAndSolo: allowsMultiple == true ? ["p1", "p2"] : ["solo"]
            }
        }

        var expected: [String] {
            let usesSpare = behindIDs.isEmpty && fallsBack != false
            let slot = usesSpare ? ["spare"] : behindIDs
            return slot + (isInPod ? ["next"] : [])
        }

        var code: Int? {
            guard behindIDs.isEmpty else { return nil }
            switch behind {
            case .failing: return 301
            case .hollow: return 101
            default: return 303
            }
        }
    }

    static let cases: [Case] = Behind.allCases.flatMap { behind in
        [nil, false, true].flatMap { multiple in
            [nil, false, true].flatMap { fallback in
                [false, true].map {
                    Case(behind: behind, allowsMultiple: multiple, fallsBack: fallback, isInPod: $0)
                }
            }
        }
    }

    @Test("each combination plays what the rules say and tells the wrapper why not", arguments: cases)
    func combination(_ example: Case) async {
        var attributes = ""
        if let value = example.allowsMultiple { attributes += " allowMultipleAds=\"\(value)\"" }
        if let value = example.fallsBack { attributes += " fallbackOnNoAd=\"\(value)\"" }
        let site = Site(Self.pages(example.behind))
        let sequence = example.isInPod ? 1 : nil
        let wrapper = Sample.wrapper("w", to: "https://site.test/behind", sequence: sequence, attributes)
        let next = example.isInPod ? Sample.inLine("next", sequence: 2) : ""
        let resolution = await site.resolve(Sample.vast(wrapper + next + Sample.inLine("spare")))
        #expect(resolution.ids == example.expected)
        #expect(resolution.pings.first { $0.template == "w" }?.code.rawValue == example.code)
        let places = resolution.ads.compactMap(\.pod?.position)
        if resolution.ads.count > 1 { #expect(places == Array(1...resolution.ads.count)) }
        if !example.expected.contains("spare"), example.behindIDs != [] {
            #expect(resolution.buffet.map(\.id).contains("spare"))
        }
    }

    private static func pages(_ behind: Behind) -> [String: String] {
        let url = "https://site.test/behind"
        let pod = Sample.inLine("p2", sequence: 2) + Sample.inLine("p1", sequence: 1)
        switch behind {
        case .inLine: return [url: Sample.vast(Sample.inLine("in"))]
        case .empty: return [url: Sample.vast()]
        case .failing: return [:]
        case .hollow: return [url: Sample.vast(Sample.hollow("h"))]
        case .pod: return [url: Sample.vast(pod)]
        case .lonePod: return [url: Sample.vast(Sample.inLine("p1", sequence: 1))]
        case .podAndSolo: return [url: Sample.vast(pod + Sample.inLine("solo"))]
        }
    }
}
