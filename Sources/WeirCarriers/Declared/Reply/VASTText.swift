/// Writes a small VAST document around media, for networks and house ads that have none of their own.
struct VASTText {
    /// The media of an ad.
    struct Media: Sendable, Hashable {
        var url: String
        var mime: String
        var width: UInt16?
        var height: UInt16?
    }

    private(set) var text = ""

    /// Writes a VAST 4.2 document with one inline linear ad.
    mutating func ad(
        duration milliseconds: Int64,
        impressions: [String],
        clickThrough: String?,
        clickTracking: [String],
        media: Media
    ) {
        text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><VAST version=\"4.2\"><Ad><InLine>"
        text += "<AdSystem>Weir</AdSystem><AdTitle>Ad</AdTitle>"
        // At least one is asked for (VAST 4.3 §3.4.4); one without address is owed to nobody.
        if impressions.isEmpty { text += "<Impression/>" }
        for url in impressions { element("Impression", url) }
        text += "<Creatives><Creative><Linear><Duration>\(Self.clock(milliseconds))</Duration>"
        if clickThrough != nil || !clickTracking.isEmpty {
            text += "<VideoClicks>"
            if let clickThrough { element("ClickThrough", clickThrough) }
            for url in clickTracking { element("ClickTracking", url) }
            text += "</VideoClicks>"
        }
        text += "<MediaFiles><MediaFile delivery=\"progressive\" type=\"\(Self.escaped(media.mime))\""
        // Width and height are asked for, audio has none: zero says so.
        text += " width=\"\(media.width ?? 0)\" height=\"\(media.height ?? 0)\">\(Self.escaped(media.url))</MediaFile>"
        text += "</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"
    }

    private mutating func element(_ name: String, _ value: String) {
        text += "<\(name)>\(Self.escaped(value))</\(name)>"
    }

    private static func escaped(_ text: String) -> String { DeclaredFilter.xml.apply(to: text) ?? "" }

    /// `00:00:15.250`.
    private static func clock(_ milliseconds: Int64) -> String {
        func padded(_ value: Int64, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
        let (seconds, rest) = (milliseconds / 1000 % 60, milliseconds % 1000)
        return padded(hours, 2) + ":" + padded(minutes, 2) + ":" + padded(seconds, 2) + "." + padded(rest, 3)
    }
}
