internal import WeirModel
public import WeirTime

/// A VAST macro of a tag, such as `[CACHEBUSTING]`, as VAST 4.3 §6 defines it for requests.
///
/// One that Weir cannot fill becomes `-1` (unknown) or `-2` (not to be shared); a name that is not in this list is no
/// macro and stays as it is.
package enum TagMacro: String, CaseIterable, Sendable {
    case timestamp = "TIMESTAMP"
    case cachebusting = "CACHEBUSTING"
    case transactionID = "TRANSACTIONID"
    case adCount = "ADCOUNT"
    case adType = "ADTYPE"
    case breakMaxDuration = "BREAKMAXDURATION"
    case breakMinAdLength = "BREAKMINADLENGTH"
    case breakMaxAdLength = "BREAKMAXADLENGTH"
    case breakMaxAds = "BREAKMAXADS"
    case ifa = "IFA"
    case deviceUA = "DEVICEUA"
    case deviceIP = "DEVICEIP"
    case serverSide = "SERVERSIDE"
    case appBundle = "APPBUNDLE"
    case contentURI = "CONTENTURI"
    case mediaMIME = "MEDIAMIME"
    case playerSize = "PLAYERSIZE"
    case inventoryState = "INVENTORYSTATE"
    case vastVersions = "VASTVERSIONS"
    case blockedAdCategories = "BLOCKEDADCATEGORIES"
    case limitAdTracking = "LIMITADTRACKING"
    case regulations = "REGULATIONS"
    case gdprConsent = "GDPRCONSENT"
    case gppString = "GPPSTRING"
    case gppSectionID = "GPPSECTIONID"
    // What a gateway does not know of the player behind it.
    case adCategories = "ADCATEGORIES"
    case apiFrameworks = "APIFRAMEWORKS"
    case breakPosition = "BREAKPOSITION"
    case clickType = "CLICKTYPE"
    case clientUA = "CLIENTUA"
    case contentCategory = "CONTENTCAT"
    case contentID = "CONTENTID"
    case contentPlayhead = "CONTENTPLAYHEAD"
    case domain = "DOMAIN"
    case extensions = "EXTENSIONS"
    case ifaType = "IFATYPE"
    case latLong = "LATLONG"
    case mediaPlayhead = "MEDIAPLAYHEAD"
    case omidPartner = "OMIDPARTNER"
    case pageURL = "PAGEURL"
    case placementType = "PLACEMENTTYPE"
    case playbackMethods = "PLAYBACKMETHODS"
    case playerCapabilities = "PLAYERCAPABILITIES"
    case serverUA = "SERVERUA"
    case storeID = "STOREID"
    case storeURL = "STOREURL"
    case verificationVendors = "VERIFICATIONVENDORS"

    /// The values in an ask; more than one are parted by commas that are not encoded.
    package func values(in ask: AdAsk, clock: any GatewayClock) -> [String] {
        let values = askValues(ask, clock: clock) ?? requestValues(ask.request) ?? []
        return values.isEmpty ? ["-1"] : values
    }

    private func askValues(_ ask: AdAsk, clock: any GatewayClock) -> [String]? {
        switch self {
        case .timestamp: [clock.wallNow.rfc3339]
        case .cachebusting: [TemplateField.cachebuster()]
        case .transactionID: [ask.requestID.text]
        case .adCount, .breakMaxAds: [String(ask.adUnit.maxAds)]
        case .adType: [ask.adUnit.format == .audio ? "audio" : "video"]
        case .breakMaxDuration, .breakMaxAdLength: ask.adUnit.maxDuration.map { [String($0.milliseconds / 1000)] }
        case .breakMinAdLength: ask.adUnit.minDuration.map { [String($0.milliseconds / 1000)] }
        case .blockedAdCategories: ask.adUnit.blockedCategories.sorted()
        case .inventoryState: ask.adUnit.format == .rewarded ? ["optin"] : nil
        // AdCOM creative subtypes: VAST 2 and 3, 4.0 to 4.3, each with its wrapper.
        case .vastVersions: ["2", "3", "5", "6", "7", "8", "11", "12", "13", "14", "15", "16"]
        // A server that asks on the client's order.
        case .serverSide: ["1"]
        default: nil
        }
    }

    private func requestValues(_ request: AdRequest) -> [String]? {
        switch self {
        case .ifa: [request.device.advertisingID ?? (request.device.limitsTracking == true ? "-2" : "-1")]
        case .deviceUA: request.device.userAgent.map { [$0] }
        case .deviceIP: request.device.ip.map { [$0] }
        case .limitAdTracking: [request.device.limitsTracking == true ? "1" : "0"]
        case .appBundle: request.app.bundle.map { [$0] }
        case .contentURI: request.content.url.map { [$0] }
        case .mediaMIME: request.player.mimes
        case .playerSize:
            if let width = request.player.width, let height = request.player.height {
                [String(width), String(height)]
            } else {
                nil
            }
        case .regulations:
            (request.consent?.coppa == true ? ["coppa"] : []) + (request.consent?.gdpr == true ? ["gdpr"] : [])
        case .gdprConsent: request.consent?.tcf.map { [$0] }
        case .gppString: request.consent?.gpp.map { [$0] }
        case .gppSectionID: request.consent?.gppSections.map(String.init)
        default: nil
        }
    }
}

extension TagMacro {
    /// The macro at the front of a template's rest, and its length there; brackets may be percent-encoded.
    package static func leading(_ rest: Substring) -> (macro: TagMacro, spelling: Substring)? {
        for (open, close) in [("[", "]"), ("%5B", "%5D"), ("%5b", "%5d")] where rest.hasPrefix(open) {
            let name = rest.dropFirst(open.count).prefix { $0.isASCII && ($0.isUppercase || $0.isNumber) }
            let end = name.endIndex
            guard rest[end...].hasPrefix(close), let macro = TagMacro(rawValue: String(name)) else { return nil }
            return (macro, rest[..<rest.index(end, offsetBy: close.count)])
        }
        return nil
    }
}

extension AdAsk {
    /// The values of VAST's request macros by name, for addresses that are fetched on behalf of this ask.
    ///
    /// More than one value of a macro are parted by commas that are not encoded.
    public func macroValues(clock: any GatewayClock) -> [String: [String]] {
        Dictionary(
            uniqueKeysWithValues: TagMacro.allCases.map { ($0.rawValue, $0.values(in: self, clock: clock)) }
        )
    }
}
