internal import WeirJSON
internal import WeirTime
internal import WeirVAST

extension JSONWriter {
    /// Companions, icons and measurement code.
    mutating func display(_ ad: ResolvedAd) {
        array("companions") { json in
            for companion in ad.companions { json.companion(companion) }
        }
        array("icons") { json in
            for icon in ad.icons { json.icon(icon) }
        }
        array("verifications") { json in
            for verification in ad.verifications { json.verification(verification) }
        }
    }

    /// Where the ad came from, and what its servers added to it.
    mutating func provenance(_ ad: ResolvedAd) {
        array("extensions") { json in
            for piece in ad.extensions {
                json.object { json in
                    json.member("type", piece.type)
                    json.member("content", piece.content)
                }
            }
        }
        array("wrapper_chain") { json in
            for link in ad.wrapperChain {
                json.object { json in
                    json.member("ad_id", link.adID)
                    json.member("system", link.system?.name)
                    json.member("creative_ids", link.creativeIDs)
                    json.member("url", link.url)
                    json.member("latency_ms", link.latency?.milliseconds)
                    json.member("result", link.result.rawValue)
                }
            }
        }
    }

    private mutating func companion(_ companion: Companion) {
        object { json in
            json.member("id", companion.id)
            json.member("width", companion.width)
            json.member("height", companion.height)
            json.member("asset_width", companion.assetWidth)
            json.member("asset_height", companion.assetHeight)
            json.member("ad_slot_id", companion.adSlotID)
            json.member("rendering_mode", companion.renderingMode)
            json.resources(companion.resources)
            json.member("alt_text", companion.altText)
            json.member("click_through", companion.clickThrough?.url)
            json.member("click_tracking", companion.clickTracking.map(\.url))
            json.member(
                "creative_view",
                companion.trackingEvents.filter { $0.event == .creativeView }.map(\.url)
            )
        }
    }

    private mutating func icon(_ icon: Icon) {
        object { json in
            json.member("program", icon.program)
            json.member("width", icon.width)
            json.member("height", icon.height)
            json.member("x_position", icon.xPosition)
            json.member("y_position", icon.yPosition)
            json.member("duration_ms", icon.duration?.milliseconds)
            json.resources(icon.resources)
            json.member("click_through", icon.clickThrough?.url)
            json.member("click_tracking", icon.clickTracking.map(\.url))
            json.member("view_tracking", icon.viewTracking)
        }
    }

    private mutating func resources(_ resources: [DisplayResource]) {
        func first(_ kind: DisplayResource.Kind) -> DisplayResource? { resources.first { $0.kind == kind } }
        member("static_resource", first(.static)?.value)
        member("static_type", first(.static)?.creativeType)
        member("iframe_resource", first(.iFrame)?.value)
        member("html_resource", first(.html)?.value)
    }

    private mutating func verification(_ verification: Verification) {
        object { json in
            json.member("vendor", verification.vendor)
            json.array("resources") { json in
                for resource in verification.resources {
                    json.object { json in
                        json.member("kind", resource.kind == .javaScript ? "javascript" : "executable")
                        json.member("api_framework", resource.apiFramework)
                        json.member("url", resource.url)
                    }
                }
            }
            json.member("parameters", verification.parameters)
        }
    }
}
