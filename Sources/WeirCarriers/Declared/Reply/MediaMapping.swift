internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// Where a network that sends no VAST says what a VAST document would say; Weir writes the document.
struct MediaMapping: Sendable, Hashable {
    var url: ReplySource
    /// Absent, the type is told by the URL's ending.
    var mime: ReplySource?
    /// The length in milliseconds or seconds; absent, thirty seconds.
    var duration: ExpiryLikeDuration?
    var width: ReplySource?
    var height: ReplySource?
    var clickThrough: ReplySource?
    /// One URL or a list of them.
    var impressions: ReplySource?
    var clickTracking: ReplySource?

    /// A length of time in a reply.
    struct ExpiryLikeDuration: Sendable, Hashable {
        var source: ReplySource
        var isSeconds: Bool
    }

    /// The most tracking URLs of one kind.
    static let mostTrackers = 50

    /// A VAST 4.2 document; `nil` when the network sends no address of media.
    ///
    /// - Throws: `rejected(no_markup)` for an address that is none, `bad_response(bad_json)` for a length that is none.
    func document(_ reply: DeclaredReply, _ ad: JSONValue) throws(AdapterError) -> [UInt8]? {
        guard let address = url.value(reply, ad: ad) else { return nil }
        guard let address = address.string, address.isWebAddress else {
            throw AdapterError(.rejected, .noMarkup, "\(url.name) is no http or https URL.")
        }
        let type = mime?.value(reply, ad: ad)?.string ?? Self.type(of: address)
        let size = { (source: ReplySource?) in source?.value(reply, ad: ad)?.scalarText.flatMap { UInt16($0) } }
        var xml = VASTText()
        xml.ad(
            duration: try milliseconds(reply, ad),
            impressions: urls(impressions, reply, ad),
            clickThrough: urls(clickThrough, reply, ad).first,
            clickTracking: urls(clickTracking, reply, ad),
            media: VASTText.Media(url: address, mime: type, width: size(width), height: size(height))
        )
        return Array(xml.text.utf8)
    }

    private func milliseconds(_ reply: DeclaredReply, _ ad: JSONValue) throws(AdapterError) -> Int64 {
        guard let duration, let value = duration.source.value(reply, ad: ad) else { return 30_000 }
        let micros = value.scalarText.flatMap(ExactDecimal.init)?.micros
        // A day; what is longer is a mistake of units.
        guard let micros, case let milliseconds = duration.isSeconds ? micros / 1000 : micros / 1_000_000,
            (1...86_400_000).contains(milliseconds)
        else { throw AdapterError(.badResponse, .badJSON, "\(duration.source.name) is no length of an ad.") }
        return milliseconds
    }

    private func urls(_ source: ReplySource?, _ reply: DeclaredReply, _ ad: JSONValue) -> [String] {
        (source?.texts(reply, ad: ad, limit: Self.mostTrackers) ?? []).filter(\.isWebAddress)
    }

    /// The type that the ending of an address tells.
    static func type(of address: String) -> String {
        let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
        let types = [
            "mp4": "video/mp4", "webm": "video/webm", "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg",
            "m3u8": "application/x-mpegURL", "mov": "video/quicktime",
        ]
        return path.split(separator: ".").last.flatMap { types[String($0)] } ?? "video/mp4"
    }
}
