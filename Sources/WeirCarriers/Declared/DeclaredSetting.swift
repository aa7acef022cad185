internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// A setting that a declared network asks its operator for.
struct DeclaredSetting: Sendable, Hashable {
    /// What it must be.
    enum Kind: String, CaseIterable, Sendable {
        case text
        case whole
        case decimal
        case flag
        case url
    }

    var name: String
    var kind = Kind.text
    var isRequired = false
    var isSecret = false
    /// What holds when the operator says nothing.
    var fallback: JSONValue?
    /// The only values allowed; empty allows all.
    var choices: [JSONValue] = []

    /// What is wrong with a value, as the end of a sentence; `nil` when nothing is.
    ///
    /// A secret is never repeated.
    func complaint(about value: JSONValue) -> String? {
        if let wrong = kindComplaint(value) { return wrong }
        guard choices.isEmpty || choices.contains(value) else {
            return "must be one of \(choices.map(\.encodedText).joined(separator: ", "))"
        }
        return nil
    }

    private func kindComplaint(_ value: JSONValue) -> String? {
        switch kind {
        case .text:
            guard let text = value.string else { return "must be a string, not \(value.kindName)" }
            if text.utf8.count > AdapterSettings.textBytes {
                return "is longer than \(AdapterSettings.textBytes) bytes"
            }
        case .whole where value.int == nil:
            return "must be a whole number, not \(value.kindName)"
        case .decimal where value.scalarText.flatMap(ExactDecimal.init) == nil:
            return "must be a decimal number, not \(value.kindName)"
        case .flag where value.bool == nil:
            return "must be true or false, not \(value.kindName)"
        case .url where !(value.string?.isWebAddress ?? false):
            return "must be an absolute http or https URL"
        default: break
        }
        return nil
    }

    /// The value as templates see it.
    fileprivate func read(_ value: JSONValue, into values: inout DeclaredSettingValues) {
        values.texts[name] = value.bool.map { $0 ? "1" : "0" } ?? value.scalarText
        values.types[name] =
            switch kind {
            case .text, .url: .text
            case .whole, .decimal: .number
            case .flag: .flag
            }
    }
}

extension [DeclaredSetting] {
    /// An operator's settings, checked by this schema and completed by its defaults.
    ///
    /// - Throws: the first that is wrong or missing.
    func values(of settings: JSONValue) throws(SettingsError) -> DeclaredSettingValues {
        guard settings.isNull || settings.object != nil else {
            throw SettingsError(path: "settings", message: "must be an object, not \(settings.kindName)")
        }
        var values = DeclaredSettingValues()
        for setting in self {
            let path = "settings.\(setting.name)"
            guard let value = settings[setting.name], !value.isNull, !(setting.isRequired && value.isHollow) else {
                if let fallback = setting.fallback {
                    setting.read(fallback, into: &values)
                } else if setting.isRequired {
                    throw SettingsError(path: path, message: "is required")
                }
                continue
            }
            if let wrong = setting.complaint(about: value) { throw SettingsError(path: path, message: wrong) }
            setting.read(value, into: &values)
        }
        return values
    }
}
