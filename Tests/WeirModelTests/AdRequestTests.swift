import Testing
import WeirModel

@Suite("AdRequest and AdUnit")
struct AdRequestTests {
    @Test("a copy that is changed leaves the other as it was, and equality looks at what is in them")
    func copies() {
        var first = AdRequest(placement: "p")
        first.device.ip = "192.0.2.1"
        var second = first
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        second.device.ip = "192.0.2.2"
        second.targeting["k", default: []].append("v")
        #expect(first.device.ip == "192.0.2.1")
        #expect(first.targeting.isEmpty)
        #expect(first != second)
        second.device.ip = "192.0.2.1"
        second.targeting = [:]
        #expect(first == second)
        #expect(Set([first, second]).count == 1)
    }

    @Test("an ad unit is a value too")
    func unit() {
        let first = AdUnit(id: "a", format: .video)
        var second = first
        second.waterfall.append(.line(LineItem(id: "l", network: "n", networkUnit: "u")))
        #expect(first.waterfall.isEmpty)
        #expect(second.lineItems.map(\.id) == ["l"])
        #expect(first != second)
    }
}
