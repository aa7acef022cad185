/// The macros of VAST and where they may stand (VAST 4.3 §6 and the live macro list of VAST 4.x).
enum MacroList {
    struct Place {
        var tracking: Bool
        var request: Bool

        func allows(_ use: MacroExpander.Use) -> Bool { use == .request ? request : tracking }
    }

    static let places: [String: Place] = {
        var places: [String: Place] = [:]
        for name in both { places[name] = Place(tracking: true, request: true) }
        for name in trackingOnly { places[name] = Place(tracking: true, request: false) }
        for name in requestOnly { places[name] = Place(tracking: false, request: true) }
        return places
    }()

    private static let both = [
        "CONTENTPLAYHEAD", "MEDIAPLAYHEAD", "BREAKPOSITION", "ADCOUNT", "TRANSACTIONID", "PLACEMENTTYPE", "ADTYPE",
        "BREAKMAXDURATION", "BREAKMINDURATION", "BREAKMAXADS", "BREAKMINADLENGTH", "BREAKMAXADLENGTH", "IFA", "IFATYPE",
        "CLIENTUA", "SERVERUA", "DEVICEUA", "DEVICEIP", "SERVERSIDE", "LATLONG", "DOMAIN", "PAGEURL", "APPBUNDLE",
        "STOREID", "STOREURL", "OMIDPARTNER", "PLAYERCAPABILITIES", "CLICKTYPE", "INVENTORYSTATE",
        "PLAYERSIZE", "CONTENTID", "CONTENTURI", "LIMITADTRACKING", "REGULATIONS", "GDPRCONSENT", "GPPSTRING",
        "GPPSECTIONID", "PLAYBACKMETHODS",
    ]

    private static let trackingOnly = [
        "ADPLAYHEAD", "ASSETURI", "UNIVERSALADID", "PLAYERSTATE", "PODSEQUENCE", "ADSERVINGID", "CLICKPOS", "REASON",
    ]

    private static let requestOnly = [
        "BLOCKEDADCATEGORIES", "ADCATEGORIES", "VASTVERSIONS", "APIFRAMEWORKS", "EXTENSIONS", "VERIFICATIONVENDORS",
        "MEDIAMIME", "CONTENTCAT", "DSAREQUIRED", "DSAPARAMS", "DSAPUBRENDER",
    ]
}
