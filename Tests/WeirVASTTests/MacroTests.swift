import Testing
import WeirTime

@testable import WeirVAST

@Suite("Macros")
struct MacroTests {
    private func expand(
        _ url: String,
        _ context: MacroContext = MacroContext(),
        _ use: MacroExpander.Use = .tracking
    ) -> String {
        MacroExpander(context: context, timestamp: WallTime(milliseconds: 0), cacheBuster: 12_345_678)
            .expand(url, use: use)
    }

    @Test("values are encoded one by one; commas between them are not")
    func encoding() {
        let context = MacroContext(values: [
            "CONTENTURI": .text("https://a.test/?q=ä [x]&y"), "MEDIAMIME": .list(["abc/def", "y=z"]),
            "PODSEQUENCE": .number(3),
        ])
        #expect(expand("u=[CONTENTURI]", context) == "u=https%3A%2F%2Fa.test%2F%3Fq%3D%C3%A4%20%5Bx%5D%26y")
        #expect(expand("m=[MEDIAMIME]", context, .request) == "m=abc%2Fdef,y%3Dz")
        #expect(expand("p=[PODSEQUENCE]", context) == "p=3")
        #expect(expand("t=[TIMESTAMP]&c=[CACHEBUSTING]") == "t=1970-01-01T00%3A00%3A00.000Z&c=12345678")
    }

    @Test("a value is never scanned again")
    func noRescan() {
        let context = MacroContext(values: ["DOMAIN": .text("[IFA]"), "IFA": .text("secret")])
        #expect(expand("[DOMAIN]", context) == "%5BIFA%5D")
    }

    @Test("unknown names stay, missing values are -1, withheld ones -2")
    func missing() {
        let context = MacroContext(withheld: ["IFA"])
        #expect(expand("[FOO]&[IFA]&[DOMAIN]&[domain]&[]&[DOMAIN", context) == "[FOO]&-2&-1&[domain]&[]&[DOMAIN")
    }

    @Test("macros stay where they have no place")
    func places() {
        #expect(expand("[ERRORCODE]", MacroContext(), .request) == "[ERRORCODE]")
        #expect(expand("[ERRORCODE]") == "[ERRORCODE]")
        #expect(expand("[ADPLAYHEAD]", MacroContext(), .request) == "[ADPLAYHEAD]")
        #expect(expand("[VASTVERSIONS]", MacroContext(), .tracking) == "[VASTVERSIONS]")
    }

    @Test("an error URL gets a code under every name in use, and 900 when there is none")
    func errors() {
        let context = MacroContext().setting(error: .wrapperLimit, message: "a b")
        #expect(expand("[ERRORCODE]&[ERROR_CODE]&[ERROR_MESSAGE]", context, .error) == "302&302&a%20b")
        #expect(expand("[ERRORCODE]", MacroContext(), .error) == "900")
    }

    @Test("escaped brackets are understood, mixed ones are not")
    func escapedBrackets() {
        #expect(expand("%5BCACHEBUSTING%5D %5bCACHEBUSTING%5d") == "12345678 12345678")
        #expect(expand("[CACHEBUSTING%5D") == "[CACHEBUSTING%5D")
    }

    @Test("it can be seen what became of each macro")
    func outcomes() {
        let expander = MacroExpander(
            context: MacroContext(values: ["IFA": .text("i")], withheld: ["DEVICEIP"]),
            timestamp: WallTime(milliseconds: 0),
            cacheBuster: 1
        )
        let expansion = expander.expansion(of: "[IFA][DEVICEIP][DOMAIN][FOO][CACHEBUSTING]")
        #expect(expansion.outcomes.map(\.outcome) == [.filled, .withheld, .unknown, .left, .filled])
        #expect(expansion.url == "i-2-1[FOO]10000000")
    }

    @Test("vendor spellings are filled only when asked for")
    func vendorSpellings() {
        var expander = MacroExpander(timestamp: WallTime(milliseconds: 0), cacheBuster: 12_345_678)
        #expect(
            expander.expand("%%CACHEBUSTER%% %%CACHEBUSTING%% {CACHEBUSTING}")
                == "%%CACHEBUSTER%% %%CACHEBUSTING%% {CACHEBUSTING}"
        )
        expander.acceptsVendorSpellings = true
        #expect(
            expander.expand("%%CACHEBUSTER%% %%CACHEBUSTING%% {CACHEBUSTING}") == "%%CACHEBUSTER%% 12345678 12345678"
        )
    }
}
