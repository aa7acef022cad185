/// The documents that the faults send in place of a network's own.
enum FaultDocuments {
    /// A page, as a proxy or an expired account answers.
    static let page = """
        <!DOCTYPE html>
        <html><head><title>Sign in</title></head><body><h1>Please sign in</h1></body></html>
        """

    /// The first bytes of an image.
    static let image: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52]

    /// A VAST document without ads.
    static let emptyVAST = #"<VAST version="4.2"/>"#

    /// Where a wrapper that leads to itself leads.
    static let loopURL = "https://loop.example/vast"

    /// A wrapper that leads to itself.
    static let loop = """
        <VAST version="4.2"><Ad id="loop"><Wrapper><AdSystem>Fault</AdSystem><Impression>https://loop.example/i\
        </Impression><VASTAdTagURI><![CDATA[\(loopURL)]]></VASTAdTagURI><Creatives/></Wrapper></Ad></VAST>
        """

    /// One ad of a version, that can be seen and heard.
    static func ad(version: String, id: String = "fault") -> String {
        let isFour = version.hasPrefix("4")
        let serving = isFour ? "<AdServingId>fault</AdServingId>" : ""
        let universal = isFour ? #"<UniversalAdId idRegistry="fault.example">fault</UniversalAdId>"# : ""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <VAST version="\(version)"><Ad id="\(id)"><InLine><AdSystem>Fault</AdSystem><AdTitle>Fault</AdTitle>\
            <Impression>https://t.example/i</Impression>\(serving)<Creatives><Creative>\(universal)<Linear>\
            <Duration>00:00:15</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" \
            height="360">https://m.example/a.mp4</MediaFile><MediaFile delivery="progressive" type="audio/mpeg" \
            width="0" height="0">https://m.example/a.mp3</MediaFile></MediaFiles></Linear></Creative></Creatives>\
            </InLine></Ad></VAST>
            """
    }
}
