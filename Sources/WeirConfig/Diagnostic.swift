/// One complaint about a configuration file, and where to put it right.
package struct Diagnostic: Sendable, Hashable {
    /// How bad it is.
    package enum Severity: String, CaseIterable, Sendable {
        /// The configuration cannot be used.
        case error
        /// It can be used, but is probably not what was meant.
        case warning
    }

    /// How bad it is.
    package var severity: Severity
    /// What kind of complaint, for scripts.
    package var code: DiagnosticCode
    /// The file, as it was named on the command line.
    package var file: String
    /// The line, from 1.
    package var line: Int
    /// The column in characters, from 1.
    package var column: Int
    /// The key or value concerned, such as `ad_units[0].waterfall[1].rate.amount`; empty for the whole file.
    package var path: String
    /// What is wrong: one sentence, without secrets.
    package var message: String
    /// What to write instead: a whole sentence, when there is a guess.
    package var hint: String?

    /// A complaint with all its parts.
    package init(
        severity: Severity,
        code: DiagnosticCode,
        file: String,
        line: Int,
        column: Int,
        path: String,
        message: String,
        hint: String? = nil
    ) {
        self.severity = severity
        self.code = code
        self.file = file
        self.line = line
        self.column = column
        self.path = path
        self.message = message
        self.hint = hint
    }

    /// The complaint on one line, as compilers write it: `config/weir.json:12:5: error: networks[0].adapter: …`.
    package var text: String {
        let subject = path.isEmpty ? "" : "\(path): "
        let advice = hint.map { " \($0)" } ?? ""
        return "\(file):\(line):\(column): \(severity.rawValue): \(subject)\(message)\(advice)"
    }
}

/// The kinds of complaint; the words are stable and docs/configuration.md explains each.
package enum DiagnosticCode: String, CaseIterable, Sendable {
    case unreadableFile = "unreadable_file"
    case badJSON = "bad_json"
    case unknownKey = "unknown_key"
    case doubledKey = "doubled_key"
    case missingKey = "missing_key"
    case wrongType = "wrong_type"
    case badValue = "bad_value"
    case outOfRange = "out_of_range"
    case tooMany = "too_many"
    case badID = "bad_id"
    case doubledID = "doubled_id"
    case badMoney = "bad_money"
    case badAddress = "bad_address"
    case badURL = "bad_url"
    case unknownWord = "unknown_word"
    case unknownAdapter = "unknown_adapter"
    case unavailable = "unavailable"
    case unknownNetwork = "unknown_network"
    case unknownAdUnit = "unknown_ad_unit"
    case unknownSetting = "unknown_setting"
    case badSetting = "bad_setting"
    case missingSecret = "missing_secret"
    case secretInClear = "secret_in_clear"
    case shortSecret = "short_secret"
    case adminWithoutKey = "admin_without_key"
    case testUnitInProduction = "test_unit_in_production"
    case liveUnitInDevelopment = "live_unit_in_development"
    case rewardedWithoutReward = "rewarded_without_reward"
    case uselessKey = "useless_key"
    case emptyWaterfall = "empty_waterfall"
    case formatNotServed = "format_not_served"
    case mixedCurrencies = "mixed_currencies"
    case badRates = "bad_rates"
    case nothingToServe = "nothing_to_serve"
}
