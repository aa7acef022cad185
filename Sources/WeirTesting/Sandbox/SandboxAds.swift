internal import WeirJSON

/// The documents that the standard script's networks answer with.
enum SandboxAds {
    /// VAST 4.2: the film, skippable after three seconds, with a companion and every tracker.
    static let video = film("video")

    /// The same film under controls of the player's own; its trackers name the break that it was asked for.
    static let customVideo = film(
        "custom",
        tail: "&break={query_encoded.break}",
        extensions: #"<Extensions><Extension type="uiSettings"><UiHideable>1</UiHideable></Extension></Extensions>"#
    )

    private static func film(_ ad: String, tail: String = "", extensions: String = "") -> String {
        vast(
            id: "sandbox-\(ad)",
            type: "video",
            """
            <Error><![CDATA[{base}/t/error?ad=\(ad)\(tail)&code=[ERRORCODE]]]></Error>\(extensions)
                  <Impression id="sandbox"><![CDATA[{base}/t/impression?ad=\(ad)\(tail)&unit={query_encoded.unit}]]></Impression>
                  <AdServingId>sandbox-\(ad)-{query_encoded.cb}</AdServingId>
                  <AdTitle>Weir sandbox film</AdTitle>
                  <Advertiser>Weir</Advertiser>
                  <Category authority="https://www.iabtechlab.com/categoryauthority">IAB3-1</Category>
                  <Creatives>
                    <Creative id="film" sequence="1" adId="weir-film">
                      <Linear skipoffset="00:00:03">
                        <TrackingEvents>
            \(tracking(ad + tail))
                        </TrackingEvents>
                        <Duration>00:00:05</Duration>
                        <MediaFiles>
                          <MediaFile id="film-640" delivery="progressive" type="video/mp4" width="640" height="360" bitrate="115" codec="avc1.640016" scalable="true" maintainAspectRatio="true"><![CDATA[{base}/media/film.mp4]]></MediaFile>
                        </MediaFiles>
                        <VideoClicks>
                          <ClickTracking id="click"><![CDATA[{base}/t/click?ad=\(ad)\(tail)]]></ClickTracking>
                          <ClickThrough id="click"><![CDATA[{base}/click?ad=\(ad)\(tail)]]></ClickThrough>
                        </VideoClicks>
                      </Linear>
                      <UniversalAdId idRegistry="weir.example">weir-film-1</UniversalAdId>
                    </Creative>
            \(companion(ad))
                  </Creatives>
                  <Description>A test ad for the unit {query.unit}.</Description>
            """
        )
    }

    /// VAST 4.2 for the ear: the jingle and a companion.
    static let audio = vast(
        id: "sandbox-audio",
        type: "audio",
        """
        <Error><![CDATA[{base}/t/error?ad=audio&code=[ERRORCODE]]]></Error>
              <Impression id="sandbox"><![CDATA[{base}/t/impression?ad=audio&unit={query_encoded.unit}]]></Impression>
              <AdServingId>sandbox-audio-{query_encoded.cb}</AdServingId>
              <AdTitle>Weir sandbox jingle</AdTitle>
              <Advertiser>Weir</Advertiser>
              <Creatives>
                <Creative id="jingle" sequence="1" adId="weir-jingle">
                  <Linear>
                    <TrackingEvents>
        \(tracking("audio"))
                    </TrackingEvents>
                    <Duration>00:00:05</Duration>
                    <MediaFiles>
                      <MediaFile id="jingle-48" delivery="progressive" type="audio/mpeg" width="0" height="0" bitrate="48"><![CDATA[{base}/media/jingle.mp3]]></MediaFile>
                    </MediaFiles>
                    <VideoClicks>
                      <ClickThrough id="click"><![CDATA[{base}/click?ad=audio]]></ClickThrough>
                    </VideoClicks>
                  </Linear>
                  <UniversalAdId idRegistry="weir.example">weir-jingle-1</UniversalAdId>
                </Creative>
        \(companion("audio"))
              </Creatives>
        """
    )

    /// A wrapper around ``video`` with trackers of its own.
    static let wrapper = """
        <?xml version="1.0" encoding="UTF-8"?>
        <VAST version="4.2" xmlns="http://www.iab.com/VAST">
          <Ad id="sandbox-wrapper" adType="video">
            <Wrapper followAdditionalWrappers="true">
              <AdSystem version="1.0">Weir sandbox</AdSystem>
              <Error><![CDATA[{base}/t/error?ad=wrapper&code=[ERRORCODE]]]></Error>
              <Impression id="wrapper"><![CDATA[{base}/t/impression?ad=wrapper&unit={query_encoded.unit}]]></Impression>
              <Creatives>
                <Creative id="wrapper">
                  <Linear>
                    <TrackingEvents>
        \(tracking("wrapper"))
                    </TrackingEvents>
                  </Linear>
                </Creative>
              </Creatives>
              <VASTAdTagURI><![CDATA[{base}/video?unit={query_encoded.unit}&cb={query_encoded.cb}]]></VASTAdTagURI>
            </Wrapper>
          </Ad>
        </VAST>

        """

    /// VMAP 1.0: a pre-roll, a mid-roll at ten seconds, a post-roll.
    static let vmap = schedule("/video")

    /// The same breaks with ads that let the player draw the controls.
    static let customBreaks = schedule("/video/custom")

    private static func schedule(_ tag: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <vmap:VMAP xmlns:vmap="http://www.iab.net/videosuite/vmap" version="1.0">
        \(adBreak("start", id: "preroll", tag))
        \(adBreak("00:00:10.000", id: "midroll-1", tag))
        \(adBreak("end", id: "postroll", tag))
        </vmap:VMAP>

        """
    }

    /// An answer without an ad.
    static let empty = """
        <?xml version="1.0" encoding="UTF-8"?>
        <VAST version="4.2" xmlns="http://www.iab.com/VAST">
          <Error><![CDATA[{base}/t/error?ad=none&code=[ERRORCODE]]]></Error>
        </VAST>

        """

    /// A rewarded ad: ten coins for the film.
    static let rewarded = """
        {"ad": {"id": "sandbox-rewarded", "title": "Watch the film, win ten coins",
          "vast_url": "{base}/rewarded/vast?unit={query_encoded.unit}&cb={query_encoded.cb}",
          "reward": {"item": "coins", "amount": 10}, "expires_in_ms": 3600000,
          "price": {"amount": "8.00", "currency": "USD"}}}
        """

    /// An audio programme: a pre-roll, a mid-roll at a minute, a post-roll.
    static let sections = """
        {"sections": {
          "preroll": [\(section("preroll"))],
          "midroll": [{"point_ms": 60000, "ads": [\(section("midroll"))]}],
          "postroll": [\(section("postroll"))]},
         "midpoints_ms": [60000]}
        """

    private static func vast(id: String, type: String, _ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <VAST version="4.2" xmlns="http://www.iab.com/VAST">
          <Ad id="\(id)" adType="\(type)">
            <InLine>
              <AdSystem version="1.0">Weir sandbox</AdSystem>
              \(body)
            </InLine>
          </Ad>
        </VAST>

        """
    }

    private static func tracking(_ ad: String) -> String {
        ["start", "firstQuartile", "midpoint", "thirdQuartile", "complete", "pause", "resume", "skip"]
            .map { #"              <Tracking event="\#($0)"><![CDATA[{base}/t/\#($0)?ad=\#(ad)]]></Tracking>"# }
            .joined(separator: "\n")
    }

    private static func companion(_ ad: String) -> String {
        """
                <Creative id="companion">
                  <CompanionAds>
                    <Companion id="square" width="300" height="250" renderingMode="concurrent">
                      <StaticResource creativeType="image/png"><![CDATA[{base}/media/companion.png]]></StaticResource>
                      <CompanionClickThrough><![CDATA[{base}/click?ad=\(ad)-companion]]></CompanionClickThrough>
                      <CompanionClickTracking id="click"><![CDATA[{base}/t/companionClick?ad=\(ad)]]></CompanionClickTracking>
                      <TrackingEvents>
                        <Tracking event="creativeView"><![CDATA[{base}/t/creativeView?ad=\(ad)]]></Tracking>
                      </TrackingEvents>
                    </Companion>
                  </CompanionAds>
                  <UniversalAdId idRegistry="weir.example">weir-companion-1</UniversalAdId>
                </Creative>
        """
    }

    private static func adBreak(_ offset: String, id: String, _ tag: String) -> String {
        """
          <vmap:AdBreak timeOffset="\(offset)" breakType="linear" breakId="\(id)">
            <vmap:AdSource id="\(id)" allowMultipleAds="false" followRedirects="true">
              <vmap:AdTagURI templateType="vast4"><![CDATA[{base}\(tag)?unit={query_encoded.unit}&break=\(id)]]></vmap:AdTagURI>
            </vmap:AdSource>
            <vmap:TrackingEvents>
              <vmap:Tracking event="breakStart"><![CDATA[{base}/t/breakStart?break=\(id)]]></vmap:Tracking>
              <vmap:Tracking event="breakEnd"><![CDATA[{base}/t/breakEnd?break=\(id)]]></vmap:Tracking>
            </vmap:TrackingEvents>
          </vmap:AdBreak>
        """
    }

    private static func section(_ name: String) -> String {
        """
        {"id": "sandbox-\(name)", "url": "{base}/media/jingle.mp3", "mime": "audio/mpeg", "duration_ms": 5000,
            "allow_seek": false, "allow_skip": true, "allow_pause": true, "allow_track_change": false,
            "ad_text": "A word from Weir (\(name))",
            "companions": [{"id": "square", "width": 300, "height": 250, "static_resource": "{base}/media/companion.png",
              "click_through": "{base}/click?ad=\(name)-companion",
              "creative_view": ["{base}/t/creativeView?ad=\(name)"],
              "click_tracking": ["{base}/t/companionClick?ad=\(name)"]}],
            "impressions": ["{base}/t/impression?ad=\(name)&unit={query_encoded.unit}"],
            "tracking": {"start": ["{base}/t/start?ad=\(name)"], "complete": ["{base}/t/complete?ad=\(name)"]},
            "click_through": "{base}/click?ad=\(name)"}
        """
    }
}

extension SandboxAds {
    /// An OpenRTB bid whose markup is `document`, with all three notices.
    static func bid(_ document: String) -> String {
        let markup = JSONValue.string(document).encodedText
        return """
            {"id": "sandbox", "cur": "USD", "bidid": "sandbox-1", "seatbid": [{"seat": "sandbox-seat", "bid": [
              {"id": "bid-1", "impid": "1", "price": 3.25, "crid": "sandbox-creative", "adomain": ["weir.example"],
               "nurl": "{base}/t/win?price=${AUCTION_PRICE}&unit={query_encoded.unit}",
               "burl": "{base}/t/billing?price=${AUCTION_PRICE}&at=${AUCTION_IMP_TS}",
               "lurl": "{base}/t/loss?reason=${AUCTION_LOSS}",
               "adm": \(markup)}]}]}
            """
    }
}
