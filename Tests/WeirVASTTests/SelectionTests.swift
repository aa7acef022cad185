import Testing

@testable import WeirVAST

@Suite("Media selection")
struct SelectionTests {
    private func file(
        _ name: String,
        _ type: String = "video/mp4",
        bitrate: Int? = nil,
        width: Int? = nil,
        height: Int? = nil
    ) -> MediaFile {
        var file = MediaFile(url: name, type: type)
        file.bitrate = bitrate
        file.width = width
        file.height = height
        return file
    }

    private func names(_ selector: MediaSelector, _ files: [MediaFile]) -> [String] {
        guard case .files(let chosen) = selector.select(from: files) else { return [] }
        return chosen.map(\.url)
    }

    @Test("the highest bitrate under the cap is best, then the lowest above it")
    func bitrate() {
        let files = [
            file("4000", bitrate: 4000), file("500", bitrate: 500), file("2000", bitrate: 2000),
            file("3000", bitrate: 3000),
        ]
        #expect(names(MediaSelector(maxBitrate: 2500), files) == ["2000", "500", "3000", "4000"])
        #expect(names(MediaSelector(maxBitrate: 100), files) == ["500", "2000", "3000", "4000"])
        #expect(names(MediaSelector(), files) == ["4000", "3000", "2000", "500"])
    }

    @Test("the size of the player decides before the bitrate")
    func size() {
        let files = [
            file("big", bitrate: 900, width: 1920, height: 1080), file("fit", bitrate: 500, width: 640, height: 360),
        ]
        #expect(names(MediaSelector(size: .init(width: 640, height: 360)), files) == ["fit", "big"])
    }

    @Test(
        "one type has many names",
        arguments: [
            ("audio/mp3", "audio/mpeg"), ("AUDIO/MPEG; x=1", "audio/mp3"),
            ("application/x-mpegURL", "application/vnd.apple.mpegurl"),
            ("audio/x-m4a", "audio/mp4"), ("video/mp4", "video/*"), (" video/mp4 ", "VIDEO/MP4"),
        ]
    )
    func aliases(offered: String, accepted: String) {
        #expect(MediaSelector(mimeTypes: [accepted]).accepts(file("a", offered)))
    }

    @Test("types, deliveries, codecs and interfaces that the player lacks are left out")
    func refusals() {
        #expect(!MediaSelector(mimeTypes: ["audio/mpeg"]).accepts(file("a")))
        #expect(!MediaSelector(mimeTypes: ["video/mp4"]).accepts(MediaFile(url: "a")))
        #expect(!MediaSelector(deliveries: [.streaming]).accepts(file("a")))
        var vpaid = file("a", "application/javascript")
        vpaid.apiFramework = "VPAID"
        #expect(!MediaSelector().accepts(vpaid))
        #expect(MediaSelector(apiFrameworks: ["VPAID"]).accepts(vpaid))
        var hevc = file("a")
        hevc.codec = "hvc1.1.6, mp4a.40.2"
        #expect(!MediaSelector(codecs: ["avc1", "mp4a"]).accepts(hevc))
        #expect(MediaSelector(codecs: ["hvc1", "mp4a"]).accepts(hevc))
    }

    @Test("nothing fitting is explained by what was offered and what is accepted")
    func explanation() {
        let selection = MediaSelector(mimeTypes: ["audio/mpeg"], deliveries: [.progressive]).select(from: [
            file("a"), file("b", "video/webm"),
        ])
        #expect(
            selection
                == .none(
                    explanation:
                        "No media file fits: offered video/mp4 progressive, video/webm progressive; accepted audio/mpeg, progressive."
                )
        )
        guard case .none = MediaSelector().select(from: []) else {
            Issue.record("nothing was chosen from nothing")
            return
        }
    }
}

@Suite("URI references")
struct URIReferenceTests {
    /// RFC 3986 §5.4, with the base `http://a/b/c/d;p?q`.
    @Test(
        "references resolve as in RFC 3986",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), (";x", "http://a/b/c/;x"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"), ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
            ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"), ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ]
    )
    func resolution(reference: String, expected: String) {
        #expect(URIReference.absolute(reference, base: "http://a/b/c/d;p?q")?.text == expected)
    }

    @Test("blanks and signs beyond ASCII are encoded, the rest is left")
    func escaping() {
        #expect(
            URIReference.absolute("https://a.test/x y?q=é|[M]%20", base: nil)?.text
                == "https://a.test/x%20y?q=%C3%A9|[M]%20"
        )
    }
}
