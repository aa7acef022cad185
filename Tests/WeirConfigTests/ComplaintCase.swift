import Testing
import WeirConfig

/// A file and the complaints it must get, exactly.
struct ComplaintCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let expected: [String]

    init(_ name: String, _ text: String, _ expected: String...) {
        testDescription = name
        self.text = text
        self.expected = expected
    }

    /// The complaints of one severity without the file's name, as `line:column: path: message hint`.
    func complaints(_ severity: Diagnostic.Severity, lenient: Bool = false) -> [String] {
        let files = ["dir/key": "file-key\n", "dir/empty": "\n"]
        let result = Fixtures.reader(files: files).read(text: text, file: "dir/w.json", lenient: lenient)
        #expect(result.configuration == nil || result.report.isValid)
        return result.diagnostics.filter { $0.severity == severity }
            .map { String($0.text.dropFirst("dir/w.json:".count)).replacing(" \(severity.rawValue):", with: "") }
    }
}

/// A configuration around some pieces; each stands on a line of its own, from line 2.
func whole(
    networks: String = #"{"id": "gam", "adapter": "vast", "settings": {"tag_url": "https://a.example"}}"#,
    waterfall: String = #"{"id": "l", "network": "gam", "network_unit": "1"}"#,
    unit: String = "",
    placements: String = #"{"id": "p", "ad_unit": "u"}"#,
    more: String = ""
) -> String {
    """
    {"networks": [
    \(networks)
    ], "ad_units": [{"id": "u", "format": "video", "waterfall": [
    \(waterfall)
    ]
    \(unit)
    }], "placements": [
    \(placements)
    ]
    \(more)
    }
    """
}
