internal import WeirJSON
internal import WeirModel
internal import WeirTime

/// A file of exchange rates.
///
/// ```json
/// {"date": "2026-11-30", "base": "USD", "rates": {"EUR": "1.1"}, "per_base": {"JPY": 150.5}}
/// ```
///
/// `rates` says what one unit is worth in the base; `per_base` how many units one unit of the base buys, as central banks
/// publish it. Numbers may be texts; both are read exactly.
struct RateFile {
    /// What is wrong with a file, and where.
    struct Fault: Error {
        /// Line and column.
        var place: String
        /// One sentence.
        var message: String
    }

    /// The rates.
    private(set) var rates: CurrencyRates

    private let positions: JSONPositions

    /// Reads a file.
    ///
    /// - Throws: ``Fault`` for the first that is wrong.
    init(_ bytes: [UInt8], base: Currency) throws(Fault) {
        let value: JSONValue
        do {
            value = try JSONReader.read(bytes)
            positions = try JSONPositions(scanning: bytes)
        } catch {
            throw Fault(place: "\(error.line):\(error.column)", message: error.reason)
        }
        rates = CurrencyRates(base: base)
        guard value.object != nil else { throw fault(.root, "The file must be an object, not \(value.kindName).") }
        for key in value.object?.keys ?? [] where !["date", "base", "rates", "per_base"].contains(key) {
            throw fault(JSONPath.root.key(key), "There is no such key; a file has date, base, rates and per_base.")
        }
        if let named = value["base"], named.string.flatMap(Currency.init) != base {
            throw fault(JSONPath.root.key("base"), "The rates are not in \(base), which the configuration compares in.")
        }
        guard let date = value["date"]?.string, let instant = WallTime(date: date) else {
            throw fault(JSONPath.root.key("date"), "The file needs the date of its rates, such as 2026-11-30.")
        }
        rates = CurrencyRates(base: base, asOfMilliseconds: instant.milliseconds)
        try read(value["rates"], "rates") { $0.set($1, worth: $2) }
        try read(value["per_base"], "per_base") { $0.set($1, perBase: $2) }
    }

    private mutating func read(
        _ table: JSONValue?,
        _ name: String,
        _ set: (inout CurrencyRates, Currency, ExactDecimal) -> Bool
    ) throws(Fault) {
        guard let table, !table.isNull else { return }
        let path = JSONPath.root.key(name)
        guard let object = table.object else { throw fault(path, "It must be an object, not \(table.kindName).") }
        for member in object.members {
            let path = path.key(member.key)
            guard let currency = Currency(member.key) else {
                throw fault(path, "A currency has three letters of ISO 4217, such as EUR.")
            }
            guard let rate = (member.value.string ?? member.value.number?.text).flatMap({ ExactDecimal($0) }),
                set(&rates, currency, rate)
            else {
                throw fault(path, "A rate is a decimal above zero of at most 18 digits, and the base's is 1.")
            }
        }
    }

    private func fault(_ path: JSONPath, _ message: String) -> Fault {
        let position = positions.value(at: path) ?? positions.value(at: .root)
        return Fault(place: position.map { "\($0.line):\($0.column)" } ?? "1:1", message: message)
    }
}

extension WallTime {
    /// A date as `2026-11-30`, at its beginning in UTC, or an instant of RFC 3339 in UTC; `nil` for anything else.
    init?(date text: String) {
        let halves = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard halves[0].utf8.count == 10, parts.count == 3, let year = parts[0], let month = parts[1],
            let day = parts[2],
            (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        var milliseconds = Int64(Self.daysSinceEpoch(year, month, day)) * 86_400_000
        if halves.count == 2 {
            let clock = halves[1].prefix(8).split(separator: ":").map { Int($0) }
            guard halves[1].hasSuffix("Z"), clock.count == 3, let hour = clock[0], let minute = clock[1],
                let second = clock[2], (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
            else { return nil }
            milliseconds += Int64(hour * 3600 + minute * 60 + second) * 1000
        }
        self.init(milliseconds: milliseconds)
        // The thirty-first of April is no date: what comes back must begin as it was written.
        guard rfc3339.hasPrefix(halves[0]) else { return nil }
    }

    /// Days from 1970-01-01, in years that begin in March.
    private static func daysSinceEpoch(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
