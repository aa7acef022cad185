internal import WeirModel

/// Compares what a line item is for with what a request says.
struct TargetingExamination {
    private let targeting: Targeting
    private let request: AdRequest

    init(_ targeting: Targeting, _ request: AdRequest) {
        self.targeting = targeting
        self.request = request
    }

    /// The first list that does not hold the request's value, in one sentence; `nil` when all do.
    var mismatch: String? {
        for dimension in dimensions where !dimension.isMatched {
            guard let value = dimension.value else {
                return "The request does not say its \(dimension.name); wanted is one of \(list(dimension.wanted))."
            }
            return "The \(dimension.name) \(value) is not in \(list(dimension.wanted))."
        }
        for (key, wanted) in targeting.keys.sorted(by: { $0.key < $1.key }) {
            let values = request.targeting[key] ?? []
            guard !wanted.isEmpty, Set(values).isDisjoint(with: wanted) else { continue }
            return values.isEmpty
                ? "The request does not say targeting.\(key); wanted is one of \(list(wanted))."
                : "targeting.\(key) \(list(values)) has nothing in common with \(list(wanted))."
        }
        return nil
    }

    /// What matched, in one sentence.
    var matches: String {
        let ordinary = dimensions.filter { !$0.wanted.isEmpty }
            .map { "\($0.name) \($0.value ?? "") is in \(list($0.wanted))" }
        let keys = targeting.keys.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { "targeting.\($0.key) has one of \(list($0.value))" }
        let all = ordinary + keys
        return all.isEmpty ? "nothing is targeted." : all.joined(separator: "; ") + "."
    }

    private struct Dimension {
        var name: String
        var wanted: [String]
        var value: String?

        /// Codes are compared without regard to case.
        var isMatched: Bool {
            guard !wanted.isEmpty else { return true }
            guard let value = value?.lowercased() else { return false }
            return wanted.contains { $0.lowercased() == value }
        }
    }

    private var dimensions: [Dimension] {
        [
            Dimension(name: "country", wanted: targeting.countries, value: request.device.country),
            Dimension(name: "operating system", wanted: targeting.systems, value: request.device.os),
            Dimension(name: "app bundle", wanted: targeting.bundles, value: request.app.bundle),
            Dimension(name: "device language", wanted: targeting.languages, value: request.device.language),
        ]
    }

    private func list(_ values: [String]) -> String { "[" + values.joined(separator: ", ") + "]" }
}
