import Testing
import WeirTesting
import WeirTime

@Suite("WallTime, Deadline and Duration")
struct WallTimeTests {
    @Test(
        "RFC 3339, checked against GNU date",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (951_868_799_999, "2000-02-29T23:59:59.999Z"),
            (1_078_012_800_000, "2004-02-29T00:00:00.000Z"), (1_078_099_200_000, "2004-03-01T00:00:00.000Z"),
            (1_767_225_600_000, "2026-01-01T00:00:00.000Z"), (1_769_847_250_250, "2026-01-31T08:14:10.250Z"),
            (4_107_542_399_000, "2100-02-28T23:59:59.000Z"), (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
            (-2_203_977_600_000, "1900-02-28T00:00:00.000Z"), (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
            (-11_644_473_600_000, "1601-01-01T00:00:00.000Z"),
        ] as [(Int64, String)]
    )
    func rfc3339(milliseconds: Int64, text: String) {
        #expect(WallTime(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test("every day of four hundred years follows the one before")
    func everyDay() {
        var previous = ""
        let days = stride(from: Int64(0), to: 146_097, by: 1)
        for day in days {
            let text = WallTime(milliseconds: day * 86_400_000).rfc3339
            #expect(text > previous)
            previous = text
        }
        #expect(previous.hasPrefix("2369-12-31"))
    }

    @Test("the farthest instants do not trap", arguments: [Int64.min, .max, .min + 1])
    func farthest(milliseconds: Int64) {
        #expect(WallTime(milliseconds: milliseconds).rfc3339.hasSuffix("Z"))
        let time = WallTime(milliseconds: milliseconds)
        #expect(time.advanced(by: .seconds(1)) >= time)
        #expect(time.advanced(by: .seconds(-1)) <= time)
    }

    @Test("the machine's calendar stands in this century or the next")
    func system() {
        #expect(WallTime.system > WallTime(milliseconds: 1_700_000_000_000))
        #expect(WallTime.system.rfc3339.hasPrefix("2"))
    }

    @Test("a deadline's rest is never negative, and it has passed at its own instant")
    func deadline() {
        let clock = ManualClock()
        let deadline = Deadline.after(.milliseconds(100), clock: clock)
        #expect(deadline.remaining(clock) == .milliseconds(100))
        #expect(deadline.keeping(.milliseconds(30)).remaining(clock) == .milliseconds(70))
        #expect(deadline.keeping(.milliseconds(30)) < deadline)
        clock.advance(by: .milliseconds(99))
        #expect(!deadline.hasPassed(clock))
        clock.advance(by: .milliseconds(1))
        #expect(deadline.hasPassed(clock))
        clock.advance(by: .seconds(1))
        #expect(deadline.remaining(clock) == .zero)
    }

    @Test("milliseconds and microseconds are cut off toward zero")
    func cutOff() {
        #expect(Duration.microseconds(1999).milliseconds == 1)
        #expect(Duration.microseconds(-1999).milliseconds == -1)
        #expect(Duration.nanoseconds(1999).microseconds == 1)
        #expect(Duration.seconds(-3).milliseconds == -3000)
        #expect((Duration.seconds(90) + .milliseconds(5)).microseconds == 90_005_000)
    }

    @Test("absurd durations are clamped, not trapped", arguments: [Int64.max, .min])
    func absurd(seconds: Int64) {
        let duration = Duration.seconds(seconds)
        #expect(duration.milliseconds == (seconds > 0 ? .max : .min))
        #expect(duration.microseconds == (seconds > 0 ? .max : .min))
    }
}
