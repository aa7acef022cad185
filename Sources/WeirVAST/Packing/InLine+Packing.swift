extension InLine: Packable {
    static var blank: InLine { InLine() }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&system)
        packer.pass(&title)
        packer.pass(&adServingID)
        packer.pass(&impressions)
        packer.pass(&categories)
        packer.pass(&description)
        packer.pass(&advertiser)
        packer.pass(&pricing)
        packer.pass(&survey)
        packer.pass(&expires)
        packer.pass(&errors)
        packer.pass(&viewableImpressions)
        packer.pass(&verifications)
        packer.pass(&extensions)
        packer.pass(&creatives)
    }
}

extension AdSystem: Packable {
    static var blank: AdSystem { AdSystem(name: "") }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&name)
        packer.pass(&version)
    }
}

extension TrackedURL: Packable {
    static var blank: TrackedURL { TrackedURL(url: "") }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&id)
        packer.pass(&url)
    }
}

extension Category: Packable {
    static var blank: Category { Category(code: "") }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&authority)
        packer.pass(&code)
    }
}

extension Advertiser: Packable {
    static var blank: Advertiser { Advertiser(name: "") }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&id)
        packer.pass(&name)
    }
}

extension Pricing: Packable {
    static var blank: Pricing { Pricing(value: "") }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&model)
        packer.pass(&currency)
        packer.pass(&value)
    }
}

extension Survey: Packable {
    static var blank: Survey { Survey(url: "") }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&type)
        packer.pass(&url)
    }
}

extension ViewableImpression: Packable {
    static var blank: ViewableImpression { ViewableImpression() }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&id)
        packer.pass(&viewable)
        packer.pass(&notViewable)
        packer.pass(&undetermined)
    }
}

extension Verification: Packable {
    static var blank: Verification { Verification() }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&vendor)
        packer.pass(&resources)
        packer.pass(&trackingEvents)
        packer.pass(&parameters)
    }
}

extension VerificationResource: Packable {
    static var blank: VerificationResource { VerificationResource(kind: .javaScript, url: "") }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&kind)
        packer.pass(&apiFramework)
        packer.pass(&type)
        packer.pass(&isBrowserOptional)
        packer.pass(&url)
    }
}

extension VASTExtension: Packable {
    static var blank: VASTExtension { VASTExtension() }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&type)
        packer.pass(&attributes, of: Attribute(name: "", value: "")) { packer, attribute in
            packer.pass(&attribute.name)
            packer.pass(&attribute.value)
        }
        packer.pass(&content)
        packer.pass(&fields, of: Field(name: "", text: "")) { packer, field in
            packer.pass(&field.name)
            packer.pass(&field.text)
        }
        packer.pass(&verifications)
    }
}
