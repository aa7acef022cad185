import Testing
import WeirModel

@Suite("Currency rates")
struct CurrencyRatesTests {
    private let usd: Currency
    private let eur: Currency
    private let jpy: Currency
    private let rates: CurrencyRates

    init() throws {
        usd = try #require(Currency("USD"))
        eur = try #require(Currency("EUR"))
        jpy = try #require(Currency("JPY"))
        var rates = CurrencyRates(base: usd)
        _ = rates.set(eur, worth: try #require(ExactDecimal("1.1")))
        _ = rates.set(jpy, perBase: try #require(ExactDecimal("150.5")))
        self.rates = rates
        #expect(rates.currencies.map(\.code) == ["EUR", "JPY", "USD"])
    }

    private func money(_ amount: String, _ currency: Currency) throws -> Money {
        try #require(Money(amount: amount, currency: currency))
    }

    @Test("EUR 0.95 at 1.1 is USD 1.045 (T-24)")
    func euro() throws {
        #expect(try rates.inBase(money("0.95", eur))?.amount == "1.045")
    }

    @Test("a rate of units per base is undone exactly, cut off at a millionth")
    func perBase() throws {
        #expect(try rates.inBase(money("301", jpy))?.amount == "2.00")
        #expect(try rates.inBase(money("1", jpy))?.micros == 6644)
        #expect(try rates.convert(money("2", usd), to: jpy)?.amount == "301.00")
    }

    @Test("between two others the way leads through the base without rounding there")
    func cross() throws {
        // 1 EUR = 1.1 USD = 165.55 JPY.
        #expect(try rates.convert(money("1", eur), to: jpy)?.amount == "165.55")
        #expect(try rates.convert(money("165.55", jpy), to: eur)?.amount == "1.00")
    }

    @Test("the same currency needs no rate, another one does")
    func missing() throws {
        let gbp = try #require(Currency("GBP"))
        #expect(try rates.convert(money("3", gbp), to: gbp)?.amount == "3.00")
        #expect(try rates.inBase(money("3", gbp)) == nil)
        #expect(try rates.convert(money("3", usd), to: gbp) == nil)
    }

    @Test("ten times 0.1 is 1, in every currency (T-24)")
    func noDrift() throws {
        for currency in [usd, eur, jpy] {
            let tenth = try money("0.1", currency)
            let sum = (0..<10).reduce(Int64(0)) { sum, _ in sum + tenth.micros }
            #expect(Money(micros: sum, currency: currency) == (try money("1", currency)))
        }
        let tenths = try (0..<10).map { _ in try #require(rates.inBase(money("0.1", eur))).micros }
        #expect(tenths.reduce(0, +) == 1_100_000)
    }

    @Test("a converted price is below a floor exactly when the unrounded one is")
    func floors() throws {
        // 1/1.1 of a dollar in euros does not end; one millionth less is below the floor, one more is not.
        #expect(try #require(rates.inBase(money("0.909090", eur))).micros < 1_000_000)
        #expect(try #require(rates.inBase(money("0.909091", eur))).micros >= 1_000_000)
    }

    @Test("what does not fit has no conversion, and nothing traps")
    func extremes() throws {
        let most = Money(micros: .max, currency: eur)
        #expect(rates.inBase(most) == nil)
        #expect(rates.inBase(Money(micros: .min, currency: eur)) == nil)
        #expect(rates.convert(Money(micros: .max, currency: jpy), to: usd) != nil)
        #expect(rates.convert(Money(micros: .min, currency: jpy), to: usd)?.micros ?? 0 < 0)
        var wild = CurrencyRates(base: usd)
        let large = try #require(ExactDecimal("999999999999999999"))
        let small = try #require(ExactDecimal("0.000000000000000001"))
        let areRates = [wild.set(eur, worth: large), wild.set(jpy, worth: small)]
        #expect(areRates == [true, true])
        #expect(try wild.convert(money("1", jpy), to: eur)?.micros == 0)
        #expect(try wild.convert(money("1", eur), to: jpy) == nil)
        let isRate = wild.set(jpy, perBase: small)
        #expect(isRate)
        // 10^18 euros' worth against 10^18 yen's: about one for one.
        #expect(try wild.convert(money("1", eur), to: jpy)?.amount == "0.999999")
    }

    @Test("a rate is above zero, and the base is worth one", arguments: ["0", "-1", "0.0"])
    func noRates(_ text: String) throws {
        var rates = rates
        let rate = try #require(ExactDecimal(text))
        let answers = [
            rates.set(eur, worth: rate), rates.set(eur, perBase: rate), rates.set(usd, worth: rate),
            rates.set(usd, worth: ExactDecimal(2)), rates.set(usd, worth: ExactDecimal(1)),
        ]
        #expect(answers == [false, false, false, false, true])
    }

    @Test("converting there and back loses at most a millionth's worth, never gains")
    func roundTrip() throws {
        for micros in stride(from: Int64(1), through: 5_000_000, by: 7919) {
            let euros = Money(micros: micros, currency: eur)
            let dollars = try #require(rates.inBase(euros))
            let back = try #require(rates.convert(dollars, to: eur))
            #expect(back.micros <= micros && micros - back.micros <= 1)
        }
    }
}
