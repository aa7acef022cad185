import Testing

@testable import WeirVAST

@Suite("Reader")
struct ReaderTests {
    private func codes(_ reading: Reading) -> [String] { reading.diagnostics.map(\.code.rawValue) }

    private func media(_ reading: Reading) -> MediaFile? {
        reading.vast?.ads.first?.inLine?.creatives.first?.linear?.mediaFiles.first
    }

    /// What real servers send: read with a remark in lenient mode, refused or marked as an error in strict mode.
    @Test(
        "lenient mode tolerates what strict mode does not",
        arguments: [
            ("\n <?xml version=\"1.0\"?>" + Sample.vast(Sample.inLine("a")), "before_declaration"),
            ("<!-- x --><?xml version=\"1.0\"?>" + Sample.vast(Sample.inLine("a")), "before_declaration"),
            (
                Sample.vast(Sample.inLine("a", extra: "<Description>A & B &nbsp; &copy;</Description>")),
                "bare_ampersand"
            ),
            (Sample.vast(Sample.inLine("a", extra: "<Description>x\u{3}y</Description>")), "invalid_characters"),
            (Sample.vast(Sample.inLine("a", extra: "<Survey><![CDATA[https://s.test</Survey>")), "unfinished_cdata"),
            (Sample.vast(Sample.inLine("a", extra: "<Survey><![CDATA[https://s.test]]</Survey>")), "unfinished_cdata"),
            (Sample.vast(Sample.inLine("a", extra: "<error>https://e.test</error>")), "wrong_case"),
            (Sample.vast(Sample.inLine("a")).replacing("00:00:30", with: "30"), "plain_seconds"),
            (Sample.vast(Sample.inLine("a")).replacing("video/mp4", with: "audio/mp3"), "mime_alias"),
            (Sample.vast(Sample.inLine("a")).replacing("<AdTitle>t</AdTitle>", with: ""), "missing_element"),
            (Sample.vast(Sample.inLine("a")).replacing(" width=\"640\"", with: ""), "missing_attribute"),
            (Sample.vast(Sample.inLine("a")).replacing(" delivery=\"progressive\"", with: ""), "missing_attribute"),
            (Sample.vast(Sample.inLine("a")).replacing("width=\"640\"", with: "width=\"640.4px\""), "bad_value"),
            (Sample.vast(Sample.inLine("a", extra: "<Foo/>")), "unknown_element"),
            (Sample.vast(Sample.inLine("a", extra: "<Error> </Error>")), "empty_url"),
            (Sample.vast(Sample.inLine("a"), "<Error>e</Error>"), "error_beside_ad"),
            (Sample.vast(Sample.inLine("a", sequence: 1), Sample.inLine("b", sequence: 1)), "duplicate_sequence"),
            (Sample.vast(Sample.inLine("a"), version: "9"), "version"),
            (Sample.vast(Sample.inLine("a")) + " done & <b", "trailing_content"),
            (Sample.vast(Sample.inLine("a", extra: "<Description>&</Description>")) + "\u{0}", "invalid_characters"),
            (Sample.vast("text", Sample.inLine("a")), "stray_text"),
            (Sample.vast(Sample.inLine("a")).replacing("bitrate=", with: "bitRate="), "wrong_case"),
        ]
    )
    func leniency(text: String, code: String) {
        let lenient = VASTReader(options: .lenient).read(text)
        #expect(lenient.failure == nil)
        let isTold = lenient.diagnostics.contains { $0.code.rawValue == code && $0.severity == .warning }
        #expect(isTold, "\(lenient.diagnostics)")
        #expect(media(lenient)?.url == "https://cdn.test/a.mp4")
        #expect(!VASTReader(options: .strict).read(text).isValid)
    }

    @Test("attributes that do not exist are ignored; inside extensions anything goes")
    func unknownAttributes() {
        let strange = Sample.vast(Sample.inLine("a")).replacing("<InLine>", with: "<InLine nope=\"1\" xml:lang=\"en\">")
        #expect(VASTReader().read(strange).diagnostics.map(\.severity).contains(.info))
        #expect(!VASTReader(options: .strict).read(strange).isValid)
        let inside = Sample.vast(
            Sample.inLine(
                "a",
                extra: "<Extensions><Extension><InLine nope=\"1\">x<Ad/></InLine></Extension></Extensions>"
            ),
            version: "3.0"
        )
        #expect(VASTReader().read(inside).diagnostics.isEmpty)
    }

    @Test("a version's new duties are hints in lenient mode and errors in strict mode")
    func duties() {
        let text = Sample.vast(Sample.inLine("a"))
        let lenient = VASTReader().read(text).diagnostics
        #expect(lenient.map(\.severity) == [.info, .info])
        #expect(lenient.contains { $0.message.contains("AdServingId") })
        #expect(lenient.contains { $0.message.contains("UniversalAdId") })
        #expect(!VASTReader(options: .strict).read(text).isValid)
    }

    @Test("a good document has no remarks in either mode", arguments: [true, false])
    func clean(isLenient: Bool) {
        let text = Sample.vast(Sample.inLine("a"), version: "3.0")
        let reading = VASTReader(options: ReadOptions(isLenient: isLenient)).read(text)
        #expect(reading.diagnostics.isEmpty)
        #expect(reading.isValid)
    }

    @Test("repairs keep the text as it was meant")
    func repairs() {
        let text = Sample.vast(Sample.inLine("a", extra: "<Description>a?x=1&y=2&amp;z=3&lt;</Description>"))
        #expect(VASTReader().read(text).vast?.ads.first?.inLine?.description == "a?x=1&y=2&z=3<")
        let cut = Sample.vast(Sample.inLine("a", extra: "<Survey><![CDATA[https://s.test/?a&b]]</Survey>"))
        #expect(VASTReader().read(cut).vast?.ads.first?.inLine?.survey?.url == "https://s.test/?a&b")
    }

    @Test("a remark says where: line, column and path")
    func place() throws {
        let text =
            "<VAST version=\"4.2\">\n  <Ad id=\"1\"><Wrapper/></Ad>\n  <Ad>\n    <InLine><Foo/></InLine></Ad></VAST>"
        let remark = try #require(VASTReader().read(text).diagnostics.first { $0.code == .unknownElement })
        #expect(remark.line == 4)
        #expect(remark.column == 13)
        #expect(remark.path == "VAST/Ad[2]/InLine/Foo")
    }

    @Test(
        "each encoding gives the same text",
        arguments: [
            "utf-8", "utf-8-mark", "utf-16le", "utf-16be", "utf-16le-bare", "iso-8859-1", "windows-1252", "lie",
        ]
    )
    func encodings(name: String) {
        let declared = ["iso-8859-1": "ISO-8859-1", "windows-1252": "windows-1252", "lie": "utf-16"][name] ?? "UTF-8"
        let text = "<?xml version='1.0' encoding='\(declared)'?>" + Sample.vast(Sample.inLine("é")) + "\n"
        let bytes: [UInt8] =
            switch name {
            case "utf-8-mark": [0xEF, 0xBB, 0xBF] + Array(text.utf8)
            case "utf-16le": [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
            case "utf-16le-bare": text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
            case "utf-16be": [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
            case "iso-8859-1", "windows-1252": text.unicodeScalars.map { UInt8($0.value) }
            default: Array(text.utf8)
            }
        #expect(VASTReader.read(bytes).vast?.ads.first?.id == "é")
    }

    @Test("windows-1252 has its own signs, and stray ones in UTF-8 are read as such")
    func windows() {
        let head = Array("<?xml version='1.0' encoding='windows-1252'?><VAST version='2.0'><Ad id='".utf8)
        let tail = Array("'/></VAST>".utf8)
        #expect(VASTReader.read(head + [0x80, 0x93] + tail).vast?.ads.first?.id == "€“")
        let bare = Array("<VAST version='2.0'><Ad id='".utf8)
        let reading = VASTReader.read(bare + [0xE9, 0x80] + tail)
        #expect(reading.vast?.ads.first?.id == "é€")
        #expect(codes(reading).contains("invalid_characters"))
        #expect(VASTReader.read(bare + [0xE9] + tail, options: .strict).failure?.reason == .notWellFormed)
    }

    @Test("an encoding that is not known is refused by name")
    func unknownEncoding() {
        let reading = VASTReader().read("<?xml version='1.0' encoding='EBCDIC-INT'?><VAST/>")
        #expect(reading.failure?.reason == .encoding)
        #expect(reading.failure?.message.contains("ebcdic-int") == true)
    }

    @Test(
        "what is not a document is told apart",
        arguments: [
            ("", ReadFailure.Reason.empty), (" \n\t", .empty), ("hello", .notWellFormed), ("{\"a\":1}", .notWellFormed),
            ("<VAST", .notWellFormed), ("<VAST version='4.2'><Ad></VAST>", .notWellFormed),
            ("<html></html>", .unknownRoot),
            ("<VideoAdServingTemplate/>", .vast1), ("<VAST/", .notWellFormed),
            ("<!DOCTYPE VAST [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><VAST version='&x;'/>", .doctype),
            ("<!DOCTYPE VAST SYSTEM 'http://x.test/x.dtd'><VAST/>", .doctype),
            ("<!DOCTYPE VAST [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]><VAST>&b;</VAST>", .doctype),
        ]
    )
    func failures(text: String, reason: ReadFailure.Reason) {
        for options in [ReadOptions.lenient, .strict] {
            let reading = VASTReader(options: options).read(text)
            #expect(reading.failure?.reason == reason)
            #expect(reading.diagnostics.contains { $0.severity == .error })
        }
    }

    @Test("each limit stops the document and names itself")
    func limits() {
        var limits = ReadLimits()
        limits.bytes = 4000
        limits.depth = 8
        limits.elements = 40
        limits.ads = 3
        limits.attributes = 5
        limits.text = 200
        let reader = VASTReader(options: ReadOptions(limits: limits))
        let deep = String(repeating: "<a>", count: 9) + String(repeating: "</a>", count: 9)
        let documents = [
            "bytes": "<VAST>" + String(repeating: " ", count: 4000) + "</VAST>",
            "depth": "<VAST>\(deep)</VAST>",
            "elements": "<VAST>" + String(repeating: "<a/>", count: 41) + "</VAST>",
            "ads": "<VAST>" + String(repeating: "<Ad/>", count: 4) + "</VAST>",
            "attributes": "<VAST a='1' b='2' c='3' d='4' e='5' f='6'/>",
            "text": "<VAST><Error>\(String(repeating: "x", count: 201))</Error></VAST>",
        ]
        for (name, text) in documents {
            let reading = reader.read(text)
            #expect(reading.failure?.reason == .limit, "\(name)")
            #expect(reading.failure?.message.contains(" for \(name).") == true, "\(reading.failure?.message ?? "")")
        }
    }

    @Test("hostile documents are refused in bounded time", .timeLimit(.minutes(10)))
    func hostile() {
        let nested = String(repeating: "<a>", count: 100_000)
        #expect(VASTReader().read(nested).failure?.reason == .limit)
        let attributes = (0..<100_000).map { " a\($0)='x'" }.joined()
        #expect(VASTReader().read("<VAST\(attributes)/>").failure?.reason == .limit)
        let text = String(repeating: "x", count: 64 << 20)
        #expect(VASTReader().read("<VAST><Error>\(text)</Error></VAST>").failure?.reason == .limit)
        let cdata = String(repeating: "<a><![CDATA[</a>", count: 20_000)
        #expect(VASTReader().read("<VAST>\(cdata)</VAST>").vast != nil)
        let ampersands = String(repeating: "&", count: 200_000)
        #expect(VASTReader().read("<VAST><Error>\(ampersands)</Error></VAST>").vast != nil)
    }

    @Test("remarks are limited, and the last one says how many more there were")
    func manyRemarks() {
        let reading = VASTReader().read(Sample.vast(String(repeating: "<Foo/>", count: 500)))
        #expect(reading.diagnostics.count == ReadLimits().diagnostics + 1)
        #expect(reading.diagnostics.last?.message.hasPrefix("300 more") == true)
    }

    @Test("extensions are kept character for character, with the prefixes they need")
    func verbatim() throws {
        let content = "<x:y a=\"1 &amp; 2\"><![CDATA[<z>]]></x:y>  <!-- kept --> text"
        let text = """
            <VAST version="4.2" xmlns:x="urn:x" xmlns:other="urn:o"><Ad><InLine><Extensions><Extension type="t" b="&lt;">\
            \(content)</Extension></Extensions></InLine></Ad></VAST>
            """
        let document = try #require(VASTReader().read(text).vast)
        let found = try #require(document.ads.first?.inLine?.extensions.first)
        #expect(found.content == content)
        #expect(found.attributes.map(\.name) == ["b", "xmlns:x"])
        #expect(found.fields == [VASTExtension.Field(name: "y", text: "<z>")])
        #expect(VASTReader().read(VASTWriter.write(document).text).vast == document)
    }

    @Test("offsets keep milliseconds and percentages, and know their place in the ad")
    func offsets() {
        let duration = Duration.seconds(30)
        #expect(ClockText.playOffset("00:00:15.333", lenient: false).position(in: duration) == .milliseconds(15333))
        #expect(ClockText.playOffset("60%", lenient: false).position(in: duration) == .seconds(18))
        #expect(ClockText.playOffset("60%", lenient: false).position(in: nil) == nil)
        #expect(ClockText.playOffset("15", lenient: true).position(in: nil) == .seconds(15))
        #expect(ClockText.playOffset("15", lenient: false) == .unreadable("15"))
    }

    @Test(
        "what is not a time is not taken for one",
        arguments: [
            "", ":", "::", "-1", "00:00:-5", "1:2:3:4", "00:00:1e3", "nan", "99999999999", "00:00:05.", "٣", "00 00",
        ]
    )
    func badTimes(text: String) {
        #expect(ClockText.duration(text, lenient: true) == nil)
    }

    @Test("DAAST is read into the same model, as sound")
    func daast() async {
        let text = """
            <DAAST version="1.0"><Ad id="d"><Wrapper><DAASTAdTagURI>https://site.test/2</DAASTAdTagURI><Impression>i\
            </Impression></Wrapper></Ad></DAAST>
            """
        let inner = """
            <DAAST version="1.0"><Ad id="e"><InLine><AdTitle>t</AdTitle><Category>c</Category><Impression>j</Impression>\
            <Creatives><Creative><Linear><Duration>00:00:10</Duration><AdInteractions><ClickThrough>https://b.test\
            </ClickThrough></AdInteractions><MediaFiles><MediaFile id="1" type="audio/mpeg" delivery="progressive">u\
            </MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></DAAST>
            """
        guard case .daast = VASTReader().read(text).content else {
            Issue.record("not DAAST")
            return
        }
        let ad = await Site(["https://site.test/2": inner]).resolve(text).ads.first
        #expect(ad?.adType == .audio)
        #expect(ad?.clickThrough == "https://b.test")
        #expect(ad?.impressions == ["i", "j"])
        #expect(VASTReader().read(inner).diagnostics.isEmpty)
    }
}
