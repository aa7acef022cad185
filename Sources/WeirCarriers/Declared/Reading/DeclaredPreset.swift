internal import WeirJSON
internal import WeirModel

/// What a declared network's file starts from.
enum DeclaredPreset: String, CaseIterable, Sendable {
    /// One GET that is answered with VAST or VMAP.
    case vastTag = "vast-tag"
    /// The same for audio: VAST, DAAST or VMAP.
    case audioVAST = "audio-vast"
    /// One request that is answered with JSON.
    case json
    /// The publisher's own ads, without any request.
    case house = "static"
    /// OpenRTB, as the adapter of that name speaks it.
    case openRTB = "openrtb"

    /// The formats, unless the file names others.
    var formats: Set<AdFormat> {
        switch self {
        case .audioVAST: [.audio]
        case .vastTag, .json, .house, .openRTB: [.video, .audio, .rewarded]
        }
    }

    /// The reply, when the file has none of its own.
    ///
    /// That of `json` is the shape that Weir's own `rewarded` adapter reads, so that a network that speaks it needs no
    /// mapping.
    var reply: JSONObject {
        switch self {
        case .vastTag, .audioVAST: ["format": "vast"]
        case .house, .openRTB: [:]
        case .json:
            [
                "format": "any",
                "error": [
                    "when": [["path": "error", "absent": false]], "code": "error.code", "message": "error.message",
                ],
                "ads": "ad",
                "ad": [
                    "vast": "vast", "vast_url": "vast_url", "id": "id", "title": "title",
                    "price": ["amount": "price.amount", "currency": "price.currency", "optional": true],
                    "expires": ["path": "expires_in_ms", "unit": "ms"],
                    "reward": ["item": "reward.item", "amount": "reward.amount"],
                ],
            ]
        }
    }

    /// The keys of a file that say nothing under this preset, and why.
    var uselessKeys: [String: String] {
        switch self {
        case .house:
            Dictionary(
                ["url", "request", "reply", "probe_url"].map { ($0, "A static network asks nobody.") },
                uniquingKeysWith: { first, _ in first }
            )
        case .openRTB:
            ["reply": "OpenRTB says what a reply means.", "ads": "Only static networks have ads of their own."]
        case .vastTag, .audioVAST, .json:
            [
                "ads": "Only static networks have ads of their own; reply.ads says where a reply's ads are.",
                "openrtb": "Only the preset openrtb reads it.",
            ]
        }
    }
}
