extension DocumentWriter {
    mutating func write(_ inLine: InLine) {
        out.begin("InLine")
        if isFour {
            writeBase(inLine)
            if allows(.v41, "AdServingId", inLine.adServingID) { text("AdServingId", inLine.adServingID) }
            text("AdTitle", inLine.title)
            writeVerifications(inLine.verifications)
            writeAdvertiser(inLine)
            for category in inLine.categories { write("Category", category) }
            writeCreatives(inLine.creatives, isWrapper: false)
            text("Description", inLine.description)
            writeExpires(inLine)
            writeSurvey(inLine)
        } else {
            writeSystem(inLine)
            text("AdTitle", inLine.title)
            text("Description", inLine.description)
            writeAdvertiser(inLine)
            writePricing(inLine)
            writeSurvey(inLine)
            writeErrors(inLine)
            writeImpressions(inLine)
            writeCreatives(inLine.creatives, isWrapper: false)
            writeOldTail(inLine)
            if allows(.v41, "AdServingId", inLine.adServingID) { text("AdServingId", inLine.adServingID) }
            if allows(.v4, "Category", list: inLine.categories) {
                for category in inLine.categories { write("Category", category) }
            }
            writeExpires(inLine)
        }
        out.end()
    }

    mutating func write(_ wrapper: Wrapper) {
        let follows = allows(.v4, "followAdditionalWrappers", wrapper.followsAdditionalWrappers)
        let multiple = allows(.v4, "allowMultipleAds", wrapper.allowsMultipleAds)
        let fallback = allows(.v4, "fallbackOnNoAd", wrapper.fallsBackOnNoAd)
        out.begin(
            "Wrapper",
            [
                ("followAdditionalWrappers", follows ? wrapper.followsAdditionalWrappers.map { String($0) } : nil),
                ("allowMultipleAds", multiple ? wrapper.allowsMultipleAds.map { String($0) } : nil),
                ("fallbackOnNoAd", fallback ? wrapper.fallsBackOnNoAd.map { String($0) } : nil),
            ]
        )
        if isFour {
            writeBase(wrapper)
            writeVerifications(wrapper.verifications)
            if allows(.v41, "BlockedAdCategories", list: wrapper.blockedCategories) {
                for category in wrapper.blockedCategories { write("BlockedAdCategories", category) }
            }
            writeCreatives(wrapper.creatives, isWrapper: true)
            if let uri = wrapper.adTagURI { out.opaque("VASTAdTagURI", uri) }
        } else {
            writeSystem(wrapper)
            if let uri = wrapper.adTagURI { out.opaque("VASTAdTagURI", uri) }
            writeErrors(wrapper)
            writeImpressions(wrapper, withIDs: !converts)
            writeCreatives(wrapper.creatives, isWrapper: true)
            writeOldTail(wrapper)
            if !converts { writePricing(wrapper) }
            if allows(.v41, "BlockedAdCategories", list: wrapper.blockedCategories) {
                for category in wrapper.blockedCategories { write("BlockedAdCategories", category) }
            }
        }
        out.end()
    }

    /// What both kinds begin with since VAST 4.
    private mutating func writeBase(_ body: some AdBody) {
        writeSystem(body)
        writeErrors(body)
        writeExtensions(body)
        writeImpressions(body)
        writePricing(body)
        for viewable in body.viewableImpressions { write(viewable) }
    }

    /// What stands at the end in VAST 2 and 3, and what those versions do not have.
    private mutating func writeOldTail(_ body: some AdBody) {
        writeExtensions(body)
        if allows(.v4, "ViewableImpression", list: body.viewableImpressions) {
            for viewable in body.viewableImpressions { write(viewable) }
        }
        if !converts { writeVerifications(body.verifications) }
    }

    private mutating func writeSystem(_ body: some AdBody) {
        guard let system = body.system else { return }
        out.text("AdSystem", [("version", system.version)], system.name)
    }

    /// Every version requires one; where there is none an empty one, which no player calls, keeps the document valid.
    private mutating func writeImpressions(_ body: some AdBody, withIDs: Bool = true) {
        for impression in body.impressions {
            out.opaque("Impression", [("id", withIDs ? impression.id : nil)], impression.url)
        }
        if body.impressions.isEmpty { out.opaque("Impression", "") }
    }

    /// VAST 2 has room for one error URL, and so has the schema of 3.0, though not its text: for ads that are served
    /// the text counts, as no URL of a wrapper should be lost.
    private mutating func writeErrors(_ body: some AdBody) {
        var errors = body.errors
        if converts, version == .v2 || version == .v3 && !serves, errors.count > 1 {
            leaveOut("more than one Error")
            errors = Array(errors.suffix(1))
        }
        for url in errors { out.opaque("Error", url) }
    }

    private mutating func writePricing(_ body: some AdBody) {
        guard allows(.v3, "Pricing", body.pricing), let pricing = body.pricing else { return }
        // The schema of 3.0 has the models in lower case, those of 4.0 and later in either.
        let model = converts && version == .v3 ? pricing.model?.lowercased() : pricing.model
        out.opaque("Pricing", [("model", model), ("currency", pricing.currency)], pricing.value)
    }

    private mutating func writeAdvertiser(_ inLine: InLine) {
        guard allows(.v3, "Advertiser", inLine.advertiser), let advertiser = inLine.advertiser else { return }
        let id = allows(.v43, "Advertiser@id", advertiser.id) ? advertiser.id : nil
        out.text("Advertiser", [("id", id)], advertiser.name)
    }

    private mutating func writeExpires(_ inLine: InLine) {
        guard allows(.v41, "Expires", inLine.expires), let expires = inLine.expires else { return }
        out.text("Expires", String(expires.components.seconds))
    }

    private mutating func writeSurvey(_ inLine: InLine) {
        guard let survey = inLine.survey else { return }
        let type = allows(.v4, "Survey@type", survey.type) ? survey.type : nil
        out.opaque("Survey", [("type", type)], survey.url)
    }

    /// Before 4.1, measurement code travels in an extension (Open Measurement's convention).
    private mutating func writeExtensions(_ body: some AdBody) {
        let moves = converts && version < .v41 && !body.verifications.isEmpty
        guard !body.extensions.isEmpty || moves else { return }
        out.begin("Extensions")
        write("Extension", body.extensions)
        if moves {
            out.begin("Extension", [("type", "AdVerifications")])
            write(body.verifications)
            out.end()
        }
        out.end()
    }

    private mutating func writeVerifications(_ verifications: [Verification]) {
        guard !verifications.isEmpty, !converts || version >= .v41 else { return }
        write(verifications)
    }

    private mutating func write(_ verifications: [Verification]) {
        out.begin("AdVerifications")
        for verification in verifications {
            out.begin("Verification", [("vendor", verification.vendor)])
            for resource in verification.resources {
                out.opaque(
                    resource.kind.rawValue,
                    [
                        ("apiFramework", resource.apiFramework), ("type", resource.type),
                        ("browserOptional", resource.isBrowserOptional.map { String($0) }),
                    ],
                    resource.url
                )
            }
            writeVerificationEvents(verification.trackingEvents)
            if let parameters = verification.parameters { out.opaque("VerificationParameters", parameters) }
            out.end()
        }
        out.end()
    }

    private mutating func writeVerificationEvents(_ events: [TrackingEvent]) {
        guard !events.isEmpty else { return }
        out.begin("TrackingEvents")
        for event in events {
            out.opaque("Tracking", [("event", event.event.rawValue), ("offset", event.offset.map(text))], event.url)
        }
        out.end()
    }

    private mutating func write(_ viewable: ViewableImpression) {
        out.begin("ViewableImpression", [("id", viewable.id)])
        for url in viewable.viewable { out.opaque("Viewable", url) }
        for url in viewable.notViewable { out.opaque("NotViewable", url) }
        for url in viewable.undetermined { out.opaque("ViewUndetermined", url) }
        out.end()
    }

    private mutating func write(_ name: String, _ category: Category) {
        out.text(name, [("authority", category.authority)], category.code)
    }

    private mutating func text(_ name: String, _ value: String?) {
        if let value { out.text(name, value) }
    }
}
