import Testing
import WeirTime

@testable import WeirVAST

@Suite("UntouchedDocument")
struct UntouchedDocumentTests {
    /// A complete ad of 4.2, after what `change` does to its text.
    private func document(_ change: (inout String) -> Void = { _ in }) -> [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <VAST version="4.2" xmlns="http://www.iab.com/VAST">
              <!-- as it came -->
              <Ad id="1" sequence="1"><InLine>
                <AdSystem>s</AdSystem><AdTitle>t &amp; é</AdTitle><AdServingId>a</AdServingId>
                <Impression><![CDATA[https://t.test/i?<b]]></Impression>
                <Creatives><Creative><UniversalAdId idRegistry="r">u</UniversalAdId>
                  <Linear><Duration>00:00:10</Duration><MediaFiles>
                    <MediaFile delivery="progressive" type="video/mp4" width="1" height="1"><![CDATA[https://m.test/a]]></MediaFile>
                  </MediaFiles></Linear>
                </Creative></Creatives>
              </InLine></Ad>
            </VAST>
            """
        change(&text)
        return Array(text.utf8)
    }

    private func untouched(_ bytes: [UInt8]) async throws -> UntouchedDocument? {
        let reading = VASTReader.read(bytes)
        let resolution = await VASTResolver().resolve(reading, clock: SystemClock()) { _ in
            .document(document(), url: "https://w.test")
        }
        return UntouchedDocument(bytes, reading: reading, ad: try #require(resolution.ads.first))
    }

    @Test("a clean document of one complete ad is passed on to the byte")
    func clean() async throws {
        let bytes = document()
        let untouched = try #require(try await untouched(bytes))
        #expect(untouched.bytes == bytes)
        #expect(untouched.version == .v42)
    }

    @Test(
        "what lacks or hides something is written anew",
        arguments: [
            ("<AdServingId>a</AdServingId>", ""),
            ("<AdSystem>s</AdSystem>", ""),
            ("<AdTitle>t &amp; é</AdTitle>", ""),
            ("<UniversalAdId idRegistry=\"r\">u</UniversalAdId>", ""),
            (" delivery=\"progressive\"", ""),
            (" width=\"1\"", ""),
            (" xmlns=\"http://www.iab.com/VAST\"", ""),
            ("version=\"4.2\"", "version=\"4.9\""),
            ("<Ad id=\"1\"", "<Error>https://t.test/e</Error><Ad id=\"1\""),
            ("<InLine>", "<InLine><Unheard/>"),
            ("t &amp; é", "t & é"),
            ("<VAST", "<?xml-stylesheet href=\"https://x.test/s.xsl\"?><VAST"),
            ("<!-- as it came -->", "<?php echo 1 ?>"),
            ("<VAST", "<!-- first --><VAST"),
            ("<VAST", "<!DOCTYPE VAST><VAST"),
            ("</VAST>", "</VAST><!DOCTYPE x>"),
            ("</Ad>", "</Ad><Ad id=\"2\"><InLine/></Ad>"),
        ]
    )
    func unclean(old: String, new: String) async throws {
        let bytes = document { $0.replace(old, with: new) }
        #expect(bytes != document())
        #expect(try await untouched(bytes) == nil)
    }

    @Test("a mark, a prefix or another encoding is not passed on")
    func otherText() async throws {
        #expect(try await untouched([0xEF, 0xBB, 0xBF] + document()) == nil)
        let prefixed = document {
            $0.replace("<VAST version=\"4.2\" xmlns=", with: "<v:VAST version=\"4.2\" xmlns:v=")
            $0.replace("</VAST>", with: "</v:VAST>")
        }
        #expect(try await untouched(prefixed) == nil)
        var latin = document { $0.replace("é", with: "e") }
        let place = try #require(latin.firstIndex(of: UInt8(ascii: ";")))
        latin.insert(0xE9, at: place + 1)
        #expect(try await untouched(latin) == nil)
    }

    @Test("an ad from behind a wrapper is written with what the wrapper adds")
    func wrapped() async throws {
        let wrapper = """
            <VAST version="4.2" xmlns="http://www.iab.com/VAST"><Ad><Wrapper><AdSystem>w</AdSystem>
            <VASTAdTagURI>https://w.test</VASTAdTagURI><Impression>https://w.test/i</Impression></Wrapper></Ad></VAST>
            """
        #expect(try await untouched(Array(wrapper.utf8)) == nil)
    }
}

extension String {
    fileprivate mutating func replace(_ old: String, with new: String) {
        guard let range = firstRange(of: old) else { return }
        replaceSubrange(range, with: new)
    }
}
