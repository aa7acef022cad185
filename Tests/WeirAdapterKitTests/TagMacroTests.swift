import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting
import WeirTime

@Suite("VAST macros in templates")
struct TagMacroTests {
    private let clock = ManualClock()

    @Test("known macros are filled, brackets encoded or not; others stay")
    func known() throws {
        var ask = ask()
        ask.request.device.ip = "2001:db8::1"
        ask.request.app.bundle = "com.example"
        #expect(
            try expand("?a=[DEVICEIP]&b=%5BAPPBUNDLE%5D&c=%5bADTYPE%5d&d=[OWN]&e=[deviceip]&f=[", ask)
                == "?a=2001%3Adb8%3A%3A1&b=com.example&c=video&d=[OWN]&e=[deviceip]&f=["
        )
    }

    @Test("what is unknown is -1, what is not to be shared -2")
    func unknown() throws {
        var ask = ask()
        #expect(try expand("[IFA],[APPBUNDLE],[LATLONG],[MEDIAMIME],[LIMITADTRACKING]", ask) == "-1,-1,-1,-1,0")
        ask.request.device.limitsTracking = true
        #expect(try expand("[IFA],[LIMITADTRACKING]", ask) == "-2,1")
    }

    @Test("lists are encoded one by one")
    func lists() throws {
        var ask = ask()
        ask.request.player.mimes = ["video/mp4", "video/x,y"]
        ask.request.player.width = 640
        ask.request.player.height = 360
        #expect(try expand("[MEDIAMIME] [PLAYERSIZE]", ask) == "video%2Fmp4,video%2Fx%2Cy 640,360")
    }

    @Test("a value that looks like a macro or a field is not filled again")
    func once() throws {
        var ask = ask()
        ask.request.user.customData = "[DEVICEIP]{ip}"
        ask.request.device.ip = "192.0.2.1"
        #expect(try expand("{custom_data}", ask, .header) == "[DEVICEIP]{ip}")
    }

    @Test("each call has its own random number of eight digits")
    func cachebusting() throws {
        let numbers = Set(try (0..<8).map { _ in try expand("[CACHEBUSTING]", ask()) })
        #expect(numbers.count > 1)
        #expect(numbers.allSatisfy { $0.utf8.count == 8 })
    }

    private func ask() -> AdAsk { AdAsk([:], clock: clock) }

    private func expand(
        _ template: String,
        _ ask: AdAsk,
        _ encoding: RequestTemplate.Encoding = .url
    ) throws -> String {
        try RequestTemplate(template).expand(ask, as: encoding, clock: clock)
    }
}
