import Testing
import WeirMediation
import WeirModel
import WeirTime

@Suite("CapCounters")
struct CapCountersTests {
    let day = FrequencyCap(count: 3, window: .seconds(86_400))
    /// 2026-01-01T00:00:00Z.
    let midnight = WallTime(milliseconds: 1_767_225_600_000)

    private func key(_ person: String?, line: LineItemID = "l") -> CapKey {
        CapKey(adUnit: "u", lineItem: line, person: person)
    }

    @Test("T-29 of 50 requests side by side exactly three get a turn")
    func sideBySide() async {
        let counters = CapCounters()
        let taken = await withTaskGroup(of: CapReservation?.self) { group in
            for _ in 0..<50 { group.addTask { counters.reserve(key("u:1"), day, now: midnight) } }
            return await group.reduce(into: 0) { if $1 != nil { $0 += 1 } }
        }
        #expect(taken == 3)
        #expect(counters.remaining(key("u:1"), day, now: midnight) == 0)
        #expect(counters.remaining(key("u:2"), day, now: midnight) == 3)
        #expect(counters.remaining(key("u:1", line: "m"), day, now: midnight) == 3)
    }

    @Test("a turn given back can be taken again, a kept one cannot")
    func settle() throws {
        let counters = CapCounters()
        let one = FrequencyCap(count: 1, window: .seconds(60))
        let first = try #require(counters.reserve(key("u:1"), one, now: midnight))
        #expect(counters.reserve(key("u:1"), one, now: midnight) == nil)
        counters.release(first)
        counters.release(first)
        let second = try #require(counters.reserve(key("u:1"), one, now: midnight))
        counters.commit(second)
        counters.release(second)
        #expect(counters.reserve(key("u:1"), one, now: midnight) == nil)
    }

    @Test("T-29 the next day begins at midnight UTC")
    func nextDay() throws {
        let counters = CapCounters()
        let evening = midnight.advanced(by: .seconds(86_399))
        for _ in 0..<3 { counters.commit(try #require(counters.reserve(key("u:1"), day, now: midnight))) }
        #expect(counters.reserve(key("u:1"), day, now: evening) == nil)
        #expect(counters.reserve(key("u:1"), day, now: evening.advanced(by: .seconds(1))) != nil)
    }

    @Test("a turn taken yesterday does not count today when it is kept")
    func yesterday() throws {
        let counters = CapCounters()
        let old = try #require(counters.reserve(key("u:1"), day, now: midnight))
        let tomorrow = midnight.advanced(by: .seconds(86_400))
        let new = try #require(counters.reserve(key("u:1"), day, now: tomorrow))
        counters.commit(old)
        counters.release(old)
        #expect(counters.remaining(key("u:1"), day, now: tomorrow) == 2)
        counters.release(new)
        #expect(counters.remaining(key("u:1"), day, now: tomorrow) == 3)
    }

    @Test("over the limit the oldest window is forgotten, and memory does not grow")
    func bounded() {
        let counters = CapCounters(limit: 100)
        let once = FrequencyCap(count: 1, window: .seconds(86_400))
        for person in 0..<10_000 { _ = counters.reserve(key("u:\(person)"), once, now: midnight) }
        #expect(counters.count == 100)
        #expect(counters.forgotten == 9900)
        #expect(counters.remaining(key("u:9999"), once, now: midnight) == 0)
        #expect(counters.remaining(key("u:9900"), once, now: midnight) == 0)
        #expect(counters.remaining(key("u:9899"), once, now: midnight) == 1)
    }

    @Test("a window that began anew is not the oldest any more")
    func renewed() {
        let counters = CapCounters(limit: 2)
        let minute = FrequencyCap(count: 1, window: .seconds(60))
        let later = midnight.advanced(by: .seconds(60))
        _ = counters.reserve(key("u:1"), minute, now: midnight)
        _ = counters.reserve(key("u:2"), minute, now: midnight)
        _ = counters.reserve(key("u:1"), minute, now: later)
        _ = counters.reserve(key("u:3"), minute, now: later)
        #expect(counters.remaining(key("u:1"), minute, now: later) == 0)
        #expect(counters.count == 2)
    }

    @Test("windows before 1970 and of no length do not trap")
    func oddWindows() {
        let counters = CapCounters()
        let none = FrequencyCap(count: 1, window: .zero)
        #expect(counters.reserve(key("u:1"), none, now: WallTime(milliseconds: -1)) != nil)
        #expect(counters.reserve(key("u:1"), none, now: WallTime(milliseconds: 0)) != nil)
        let never = FrequencyCap(count: -3, window: .seconds(1))
        #expect(counters.remaining(key("u:2"), never, now: midnight) == 0)
        #expect(counters.reserve(key("u:2"), never, now: midnight) == nil)
    }

    @Test("a person is the user id, else the advertising id, else the address, and the kinds do not mix")
    func person() {
        var request = AdRequest(placement: "p")
        #expect(CapKey.person(in: request) == nil)
        request.device.ip = "1.2.3.4"
        let address = CapKey.person(in: request)
        request.device.advertisingID = "1.2.3.4"
        let advertising = CapKey.person(in: request)
        request.user.id = "1.2.3.4"
        let user = CapKey.person(in: request)
        #expect(Set([address, advertising, user]).count == 3)
        request.user.id = ""
        #expect(CapKey.person(in: request) == advertising)
    }
}
