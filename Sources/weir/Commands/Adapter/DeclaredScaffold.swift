/// The scaffold of a declared network: one JSON file, and its cases.
enum DeclaredScaffold {
    /// What it can begin from.
    static let presets = ["vast-tag", "json", "audio-vast", "static", "openrtb"]

    static func scaffold(_ name: AdapterName, preset: String, in parent: String) -> Scaffold {
        let folder = "\(parent)/\(name.kind)"
        let parts: Parts =
            switch preset {
            case "json": json(name)
            case "audio-vast": tag(name, preset, media: "audio/mpeg", file: "ad.mp3", extra: audio)
            case "static": house(name)
            case "openrtb": openRTB(name)
            default: tag(name, preset, media: "video/mp4", file: "ad.mp4", extra: video)
            }
        let cases = parts.cases.map { Scaffold.File(path: "\(folder)/\($0.path).json", text: $0.text) }
        return Scaffold(
            folder: folder,
            files: [
                Scaffold.File(path: "\(folder)/network.json", text: parts.network),
                Scaffold.File(path: "\(folder)/README.md", text: readMe(name, preset, parts.entry(folder, name))),
            ] + cases,
            entry: parts.entry(folder, name),
            next: ["weir adapter test \(folder)", "weir check --config YOUR_CONFIGURATION"]
        )
    }

    /// What differs between the presets.
    struct Parts {
        var network: String
        var cases: [(path: String, text: String)]
        /// The settings of a configuration, without braces.
        var settings = ""

        func entry(_ folder: String, _ name: AdapterName) -> String {
            let settings = settings.isEmpty ? "" : ",\n \"settings\": {\(settings)}"
            return
                "{\"id\": \"\(name.kind)\", \"adapter\": \"declared\", \"file\": \"\(folder)/network.json\"\(settings)}"
        }
    }

    private static func readMe(_ name: AdapterName, _ preset: String, _ entry: String) -> String {
        """
        # \(name.title)

        A declared network: `network.json` says what is sent and what the answer means, on the preset `\(preset)`. \
        `exemplary/` shows each form of answer as a request and a reply, `supplemental/` holds edges and failures.

        ```json
        \(entry)
        ```

        `weir adapter test` on this folder plays the cases and the fault battery.

        """
    }

    // MARK: A tag

    private static let video = #""w": "{width}", "h": "{height}","#
    private static let audio = #""max": "{max_ads}","#

    private static func tag(
        _ name: AdapterName,
        _ preset: String,
        media: String,
        file: String,
        extra: String
    ) -> Parts {
        let url = "https://ads.\(name.kind).example/vast"
        let network = """
            {
              "name": "\(name.title)",
              "preset": "\(preset)",
              // The network's own address and parameters; {fields} are filled in for each request, ! makes one required.
              "url": "\(url)",
              "request": {
                "query": {
                  "unit": "{network_unit!}",
                  \(extra)
                  "page": "{content_url}",
                  "ip": "{ip}",
                  "ua": "{ua}",
                  "gdpr": "{gdpr}",
                  "gdpr_consent": "{tcf}",
                  "cb": "{cachebusting}"
                }
              }
            }

            """
        let format = preset == "audio-vast" ? "audio" : "video"
        let ask =
            #"{"network_unit": "unit-1", "format": "\#(format)", "device": {"ip": "203.0.113.7", "ua": "Player/1.0"}}"#
        let expect =
            #"{"method": "GET", "url": "\#(url)", "query": {"unit": "unit-1", "ip": "203.0.113.7", "cb": "$any"}}"#
        func answer(_ sentence: String, _ reply: String, _ outcome: String) -> String {
            CaseText(name: sentence, ask: ask, expect: expect, reply: reply, outcome: outcome).text
        }
        let xml = #""headers": {"Content-Type": "application/xml"}"#
        return Parts(
            network: network,
            cases: [
                (
                    "exemplary/fill",
                    answer(
                        "a document with an ad is a fill",
                        #"{\#(xml), "body": "\#(ScaffoldDocuments.ad(name, media: media, file: file))"}"#,
                        #"{"result": "fill", "offers": [{"vast": "$contains:\#(file)"}]}"#
                    )
                ),
                (
                    "exemplary/no-fill",
                    answer(
                        "an empty document has nothing to sell",
                        #"{\#(xml), "body": "<VAST version=\"4.2\"/>"}"#,
                        #"{"result": "no_fill", "reason": "empty_vast"}"#
                    )
                ),
                (
                    "supplemental/server-error",
                    answer(
                        "a failing server is an error of the network",
                        #"{"status": 500}"#,
                        #"{"result": "network_error", "reason": "http_5xx"}"#
                    )
                ),
                (
                    "supplemental/no-unit",
                    #"""
                    {
                      "name": "a line without network_unit asks nobody",
                      "ask": {"network_unit": ""},
                      "steps": [],
                      "outcome": {"result": "skipped", "reason": "missing_field"}
                    }

                    """#
                ),
            ]
        )
    }

    // MARK: House ads

    private static func house(_ name: AdapterName) -> Parts {
        Parts(
            network: """
                {
                  "name": "\(name.title)",
                  "preset": "static",
                  "formats": ["video"],
                  // Weir writes a VAST document around each file.
                  "ads": [
                    {
                      "id": "hello",
                      "title": "Hello",
                      "media": {
                        "url": "https://cdn.\(name.kind).example/hello.mp4",
                        "duration_ms": 15000,
                        "width": 1280,
                        "height": 720,
                        "click_through": "https://www.\(name.kind).example/"
                      }
                    }
                  ]
                }

                """,
            cases: [
                (
                    "exemplary/fill",
                    """
                    {
                      "name": "every line gets the ad",
                      "ask": {"network_unit": "any"},
                      "steps": [],
                      "outcome": {
                        "result": "fill",
                        "offers": [{"id": "hello", "vast": "$contains:hello.mp4"}]
                      }
                    }

                    """
                )
            ]
        )
    }
}
