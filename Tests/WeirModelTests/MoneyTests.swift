import Testing
import WeirModel

@Suite("ExactDecimal and Money")
struct MoneyTests {
    @Test(
        "what is a decimal is kept exactly",
        arguments: [
            ("0", "0"), ("-0", "0"), ("10", "10"), ("0.5", "0.5"), ("1.50", "1.5"), ("1500", "1500"),
            ("-12.50", "-12.5"), ("007", "7"), ("0.000001", "0.000001"), ("1e3", "1000"), ("1E3", "1000"),
            ("1e+3", "1000"), ("1.5e-3", "0.0015"), ("12e-2", "0.12"), ("0e999", "0"), ("0.0e-999", "0"),
            ("999999999999999999", "999999999999999999"), ("0.123456789012345678", "0.123456789012345678"),
            ("1.0000000000000000000000000000", "1"), ("100000000000000000e-17", "1"), ("1.", "1"),
        ]
    )
    func reads(text: String, plain: String) {
        #expect(ExactDecimal(text)?.description == plain)
    }

    @Test(
        "what is no decimal, or does not fit, is refused",
        arguments: [
            "", " ", "-", "+1", ".", ".5", "e3", "1e", "1e+", "1e1.5", "1.2.3", "1,5", "NaN", "nan", "inf", "Infinity",
            "1e308", "-1e308", "1e19", "1e99999", "1e-99999", "1 ", " 1", "1\u{0}", "0x10", "1_000", "１", "--1", "1-",
            "1e--3", "9999999999999999999", "1000000000000000000", "1e18", "1e-19", "٣",
        ]
    )
    func refuses(text: String) {
        #expect(ExactDecimal(text) == nil)
    }

    @Test("values are equal whatever their spelling")
    func equality() {
        #expect(ExactDecimal("1.50") == ExactDecimal("1.5"))
        #expect(ExactDecimal("1e3") == ExactDecimal(1000))
        #expect(ExactDecimal("10") == ExactDecimal("1e1"))
        #expect(ExactDecimal("0.10")?.hashValue == ExactDecimal("0.1")?.hashValue)
    }

    @Test(
        "T-24 money is cut off beyond the sixth decimal, never rounded up",
        arguments: [
            ("0.9999999", 999_999), ("1", 1_000_000), ("-0.9999999", -999_999), ("0.0000009", 0), ("2.50", 2_500_000),
            ("999999999999.999999", 999_999_999_999_999_999), ("1e-6", 1), ("0.0000019999999999999999999999", 1),
            ("0.12345678901234567", 123_456),
        ] as [(String, Int64)]
    )
    func micros(text: String, micros: Int64) throws {
        let currency = try #require(Currency("USD"))
        #expect(Money(amount: text, currency: currency)?.micros == micros)
    }

    @Test(
        "T-24 prices that are none, or do not fit, are refused",
        arguments: ["1e308", "NaN", "", "9223372036855", "99999999999999", "1e13", "twelve"]
    )
    func refusesMoney(text: String) throws {
        let currency = try #require(Currency("USD"))
        #expect(Money(amount: text, currency: currency) == nil)
    }

    @Test("T-24 ten times 0.1 is 1, without drift")
    func noDrift() throws {
        let currency = try #require(Currency("USD"))
        let tenth = try #require(Money(amount: "0.1", currency: currency))
        #expect(Money(micros: tenth.micros * 10, currency: currency) == Money(amount: "1", currency: currency))
    }

    @Test(
        "an amount is written with at least two decimals",
        arguments: [
            (12_500_000, "12.50"), (0, "0.00"), (1, "0.000001"), (-1_500_000, "-1.50"), (-1, "-0.000001"),
            (123_456, "0.123456"), (120_000_000, "120.00"), (Int64.max, "9223372036854.775807"),
            (Int64.min, "-9223372036854.775808"),
        ] as [(Int64, String)]
    )
    func amount(micros: Int64, text: String) throws {
        let money = Money(micros: micros, currency: try #require(Currency("EUR")))
        #expect(money.amount == text)
        #expect(money.description == text + " EUR")
        // 18 digits are read exactly.
        if micros.magnitude < 1_000_000_000_000_000_000 {
            #expect(Money(amount: money.amount, currency: money.currency) == money)
        }
    }

    @Test("a currency is three letters, in capitals or not")
    func currency() {
        #expect(Currency("usd") == Currency("USD"))
        #expect(Currency("usd")?.code == "USD")
        for text in ["", "US", "USDT", "US1", "U D", "ÜSD", "us\u{0}", "@@@", "[[[", "{{{"] {
            #expect(Currency(text) == nil, "\(text)")
        }
    }

    @Test("every decimal that is read is read again from its own spelling")
    func roundTrip() {
        var state: UInt64 = 0x5EED
        for _ in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let digits = Int64(state >> 5) % 1_000_000_000_000
            let exponent = Int(state % 30) - 15
            let text = "\(digits)e\(exponent)"
            guard let value = ExactDecimal(text) else { continue }
            #expect(ExactDecimal(value.description) == value, "\(text)")
        }
    }
}
