import Testing
import WeirTime

@testable import WeirVAST

/// Documents that are far too big: a bounded time, bounded memory, and a remark that names the limit.
///
/// The bounds on time are one-sided and generous: a machine under load keeps them, a quadratic algorithm does not.
@Suite("Giants", .serialized)
struct GiantTests {
    static let generous: Duration = .seconds(60)

    private func read(_ text: String, _ options: ReadOptions = .lenient) -> Reading {
        let bytes = Array(text.utf8)
        let begin = ContinuousClock.now
        let reading = VASTReader.read(bytes, options: options)
        #expect(ContinuousClock.now - begin < Self.generous)
        return reading
    }

    private func limit(_ reading: Reading) -> String? {
        guard reading.failure?.reason == .limit else { return nil }
        #expect(reading.failure?.errorCode == .xmlParsing)
        return reading.diagnostics.first { $0.code == .limit }?.message
    }

    @Test("a pod of 2,000 ads in 5 MB is read, resolved and written")
    func pod() async throws {
        let filler = String(repeating: "x", count: 2000)
        let ads = (1...2000).map { (number: Int) in
            Sample.inLine("a\(number)", sequence: number, extra: "<Description>\(filler)</Description>")
        }
        let text = "<VAST version=\"4.2\">\(ads.joined())</VAST>"
        #expect(text.utf8.count > 4_500_000)
        let reading = read(text)
        #expect(reading.vast?.ads.count == 2000)
        let begin = ContinuousClock.now
        let resolution = await VASTResolver().resolve(reading, clock: FixedClock()) { _ in .empty }
        #expect(resolution.ads.count == 2000)
        #expect(resolution.ads.last?.pod?.position == 2000)
        let output = VASTWriter.write(resolution.ads)
        #expect(VASTReader.read(output.bytes).vast?.ads.count == 2000)
        #expect(ContinuousClock.now - begin < Self.generous)
    }

    @Test("more ads than the limit are refused")
    func tooManyAds() {
        let reading = read("<VAST version=\"4.2\">\(String(repeating: "<Ad/>", count: 5001))</VAST>")
        #expect(limit(reading) == "The document exceeds the limit of 5000 for ads.")
    }

    @Test("100,000 nested elements are refused at the limit of depth")
    func nested() {
        let text = String(repeating: "<a>", count: 100_000)
        #expect(limit(read("<VAST>" + text)) == "The document exceeds the limit of 64 for depth.")
        let whole = "<VAST>" + text + String(repeating: "</a>", count: 100_000) + "</VAST>"
        #expect(limit(read(whole)) == "The document exceeds the limit of 64 for depth.")
    }

    @Test("100,000 nested elements are read where the limits allow it")
    func deep() {
        var options = ReadOptions.lenient
        options.limits.depth = 200
        let text = String(repeating: "<a>", count: 150) + String(repeating: "</a>", count: 150)
        #expect(read("<VAST version=\"4.2\">" + text + "</VAST>", options).vast != nil)
    }

    @Test("100,000 elements side by side are read")
    func flat() {
        let reading = read("<VAST version=\"4.2\">\(String(repeating: "<Error>e</Error>", count: 100_000))</VAST>")
        #expect(reading.vast?.errors.count == 100_000)
    }

    @Test("more elements than the limit are refused")
    func tooManyElements() {
        let reading = read("<VAST>" + String(repeating: "<a/>", count: 400_001) + "</VAST>")
        #expect(limit(reading) == "The document exceeds the limit of 400000 for elements.")
    }

    @Test("a text of 64 MB is refused before it is copied, one of 3 MB at the limit of text")
    func text() {
        let giant = [UInt8](repeating: 0x78, count: 64 << 20)
        let head = Array("<VAST version=\"4.2\"><Error>".utf8)
        let begin = ContinuousClock.now
        let reading = VASTReader.read(head + giant + Array("</Error></VAST>".utf8))
        #expect(ContinuousClock.now - begin < Self.generous)
        #expect(limit(reading) == "The document exceeds the limit of 8388608 for bytes.")
        let large = String(repeating: "x", count: 3 << 20)
        let refused = "The document exceeds the limit of 2097152 for text."
        #expect(limit(read("<VAST version=\"4.2\"><Error>\(large)</Error></VAST>")) == refused)
        #expect(limit(read("<VAST version=\"4.2\"><Error><![CDATA[\(large)]]></Error></VAST>")) == refused)
        #expect(limit(read("<VAST version=\"4.2\"><Ad id=\"\(large)\"/></VAST>")) == refused)
    }

    @Test("an attribute bomb is refused before libxml2 compares each with each")
    func attributes() {
        let bomb = (0..<50_000).map { "a\($0)=\"1\"" }.joined(separator: " ")
        #expect(limit(read("<VAST \(bomb)/>")) == "The document exceeds the limit of 256 for attributes.")
        let namespaces = (0..<20_000).map { "xmlns:n\($0)=\"u\"" }.joined(separator: " ")
        #expect(limit(read("<VAST \(namespaces)/>")) == "The document exceeds the limit of 256 for attributes.")
        let spread = (0..<2000).map { "<a b\($0)=\"1\"/>" }.joined()
        #expect(read("<VAST version=\"4.2\">\(spread)</VAST>").vast != nil)
    }

    @Test("entities are not expanded: billion laughs, quadratic blow-up, parameters, outside files")
    func entities() {
        var laughs = "<!DOCTYPE VAST [<!ENTITY a0 \"lol\">"
        for level in 1...30 {
            laughs += "<!ENTITY a\(level) \"\(String(repeating: "&a\(level - 1);", count: 10))\">"
        }
        let blowUp = "<!DOCTYPE VAST [<!ENTITY a \"\(String(repeating: "x", count: 50_000))\">]>"
        let texts = [
            laughs + "]><VAST><Error>&a30;</Error></VAST>",
            blowUp + "<VAST><Error>\(String(repeating: "&a;", count: 50_000))</Error></VAST>",
            "<!DOCTYPE VAST [<!ENTITY % p SYSTEM \"file:///etc/passwd\">%p;]><VAST/>",
            "<!DOCTYPE VAST [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><VAST><Error>&x;</Error></VAST>",
            "<!DOCTYPE VAST SYSTEM \"http://127.0.0.1:9/x.dtd\"><VAST/>",
        ]
        for text in texts {
            for options in [ReadOptions.lenient, .strict] {
                let reading = read(text, options)
                #expect(reading.failure?.reason == .doctype, "\(text.prefix(60))")
                #expect(reading.failure?.errorCode == .xmlParsing)
            }
        }
    }

    @Test("an entity without a declaration is text in lenient mode and an error in strict mode")
    func undeclared() {
        let text = "<VAST version=\"4.2\"><Error>https://t.test/?a&nbsp;b</Error></VAST>"
        #expect(read(text).vast?.errors == ["https://t.test/?a&nbsp;b"])
        #expect(read(text, .strict).failure?.reason == .notWellFormed)
    }

    @Test("repairs take linear time: CDATA that never ends, ampersands, control characters")
    func repairs() {
        let open = String(repeating: "<Error><![CDATA[x</Error>", count: 50_000)
        #expect(read("<VAST version=\"4.2\">\(open)</VAST>").vast?.errors.count == 50_000)
        let never = String(repeating: "<a><![CDATA[", count: 100_000)
        #expect(read("<VAST version=\"4.2\">\(never)").failure != nil)
        let late = String(repeating: "<Error><![CDATA[x", count: 50_000) + "]]></Error></VAST>"
        #expect(read("<VAST version=\"4.2\">\(late)").vast?.errors.count == 1)
        let ampersands = String(repeating: "&", count: 200_000)
        #expect(read("<VAST version=\"4.2\"><Error>\(ampersands)</Error></VAST>").vast?.errors.count == 1)
        let comments = String(repeating: "<!--", count: 200_000)
        #expect(read("<VAST version=\"4.2\">&\(comments)").failure != nil)
    }

    @Test("remarks are bounded, and their number is told")
    func remarks() {
        let reading = read("<VAST version=\"4.2\">\(String(repeating: "<Error/>", count: 20_000))</VAST>")
        #expect(reading.diagnostics.count == 201)
        #expect(reading.diagnostics.last?.message == "19800 more remarks are not listed.")
    }

    @Test("a schedule of 5,000 breaks is read and placed")
    func schedule() {
        let breaks = (0..<5000).map {
            "<vmap:AdBreak timeOffset=\"#\($0 + 1)\" breakType=\"linear\" repeatAfter=\"00:00:01\"/>"
        }
        let text =
            "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">\(breaks.joined())</vmap:VMAP>"
        let reading = read(text)
        #expect(reading.vmap?.adBreaks.count == 5000)
    }
}
