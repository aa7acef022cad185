internal import WeirJSON
internal import WeirModel
internal import WeirTime

/// Exchange rates: a file of its own, because somebody else writes it, every day.
extension ConfigurationReading {
    /// The key `currency`; without it there is a base and no rates.
    mutating func currency() -> CurrencySettings {
        guard let node = root["currency"] else { return CurrencySettings() }
        let base = node.text("base").flatMap(Currency.init) ?? .usDollar
        var settings = CurrencySettings(rates: CurrencyRates(base: base))
        settings.maxAge = node.time("max_age_ms") ?? settings.maxAge
        guard let name = node.text("file"), !name.isEmpty else { return settings }
        let path = resolvedPath(name, from: secrets.directory)
        settings.path = path
        let bytes: [UInt8]
        do { bytes = try secrets.readFile(path, ConfigurationLimits.rateBytes) } catch {
            findings.error(.badRates, at: node.path.key("file"), "The file \(quoted(name)) cannot be read: \(error).")
            return settings
        }
        do throws(RateFile.Fault) {
            settings.rates = try RateFile(bytes, base: base).rates
        } catch {
            findings.error(.badRates, at: node.path.key("file"), "\(name):\(error.place): \(error.message)")
        }
        settings.content = bytes
        return settings
    }
}
