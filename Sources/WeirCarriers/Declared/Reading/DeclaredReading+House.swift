internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

extension DeclaredReading {
    /// The ads of a static network.
    func houseAds() -> [HouseAd] {
        guard let ads = root.member("ads"), let elements = ads.value.array else {
            root.complain(about: "ads", "is required: a static network has ads of its own.", kind: .missing)
            return []
        }
        return elements.enumerated().compactMap { index, element in
            houseAd(JSONField(element, path: ads.path.index(index), problems: ads.problems))
        }
    }

    private func houseAd(_ field: JSONField) -> HouseAd? {
        let kinds = ["vast", "vast_file", "vast_url", "media"].filter { field.value[$0] != nil }
        guard kinds.count == 1, let kind = kinds.first, let member = field.member(kind) else {
            field.complain("must have one of vast, vast_file, vast_url or media.")
            return nil
        }
        guard let markup = markup(kind, member) else { return nil }
        var offer = Offer(markup: markup)
        offer.id = field.value["id"]?.string
        offer.title = field.value["title"]?.string
        return HouseAd(offer: offer, unit: field.value["network_unit"]?.string)
    }

    private func markup(_ kind: String, _ field: JSONField) -> Offer.Markup? {
        switch kind {
        case "vast":
            return checked(Array((field.value.string ?? "").utf8), field)
        case "vast_file":
            do {
                return checked(try readFile(field.value.string ?? ""), field)
            } catch {
                field.complain("cannot be read: \(error).")
                return nil
            }
        case "vast_url":
            return field.value.string.map { .url($0) }
        default:
            return media(field)
        }
    }

    /// The document, when a look at it says that it holds an ad.
    private func checked(_ document: [UInt8], _ field: JSONField) -> Offer.Markup? {
        do throws(AdapterError) {
            guard case .fill = try LoadOutcome(markup: document) else {
                field.complain("is a document without an ad.")
                return nil
            }
            return .document(document)
        } catch {
            field.complain("is no VAST, DAAST or VMAP: \(error.outcome.message)")
            return nil
        }
    }

    private func media(_ field: JSONField) -> Offer.Markup? {
        guard let url = field.value["url"]?.string else { return nil }
        let urls = { (key: String) in field.value[key]?.array?.compactMap(\.string) ?? [] }
        let size = { (key: String) in field.value[key]?.int.flatMap { UInt16(exactly: $0) } }
        var xml = VASTText()
        xml.ad(
            duration: Int64(field.value["duration_ms"]?.int ?? 30_000),
            impressions: urls("impressions"),
            clickThrough: field.value["click_through"]?.string,
            clickTracking: urls("click_tracking"),
            media: VASTText.Media(
                url: url,
                mime: field.value["mime"]?.string ?? MediaMapping.type(of: url),
                width: size("width"),
                height: size("height")
            )
        )
        return .document(Array(xml.text.utf8))
    }
}
