/// Small documents, written by hand for one point each.
enum Sample {
    static func vast(_ ads: String..., version: String = "4.2") -> String {
        "<VAST version=\"\(version)\">\(ads.joined())</VAST>"
    }

    /// A complete ad with one media file; `extra` goes into the `InLine`, `linear` into the `Linear`.
    static func inLine(
        _ id: String,
        sequence: Int? = nil,
        extra: String = "",
        linear: String = "",
        media: String = mp4
    ) -> String {
        ad(
            id,
            sequence,
            """
            <InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://t.test/imp/\(id)</Impression>\
            <Error>\(id)</Error>\(extra)<Creatives><Creative id="c-\(id)"><Linear>\
            <Duration>00:00:30</Duration>\(linear)<MediaFiles>\(media)</MediaFiles></Linear></Creative></Creatives>\
            </InLine>
            """
        )
    }

    /// An ad without anything to show.
    static func hollow(_ id: String, sequence: Int? = nil) -> String {
        ad(id, sequence, "<InLine><AdTitle>t</AdTitle><Error>\(id)</Error><Creatives/></InLine>")
    }

    static func wrapper(
        _ id: String,
        to url: String,
        sequence: Int? = nil,
        _ attributes: String = "",
        extra: String = "",
        creatives: String = ""
    ) -> String {
        ad(
            id,
            sequence,
            """
            <Wrapper \(attributes)><AdSystem>s</AdSystem><VASTAdTagURI><![CDATA[\(url)]]></VASTAdTagURI>\
            <Impression>https://t.test/imp/\(id)</Impression><Error>\(id)</Error>\(extra)\
            <Creatives>\(creatives)</Creatives></Wrapper>
            """
        )
    }

    static let mp4 = """
        <MediaFile type="video/mp4" width="640" height="360" bitrate="800" delivery="progressive">\
        https://cdn.test/a.mp4</MediaFile>
        """

    private static func ad(_ id: String, _ sequence: Int?, _ content: String) -> String {
        let place = sequence.map { " sequence=\"\($0)\"" } ?? ""
        return "<Ad id=\"\(id)\"\(place)>\(content)</Ad>"
    }
}
