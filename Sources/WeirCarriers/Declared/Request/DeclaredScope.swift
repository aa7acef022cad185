internal import WeirAdapterKit
internal import WeirModel
internal import WeirTime

/// What a template's fields are filled from.
struct DeclaredScope: Sendable {
    let ask: AdAsk
    let settings: DeclaredSettingValues
    let clock: any GatewayClock

    /// The value of a use of a field, filtered; `nil` is missing.
    ///
    /// - Throws: `skipped(missing_field)` when it is required and missing.
    func value(of use: DeclaredFieldUse) throws(AdapterError) -> String? {
        var value = use.field.value(in: ask, settings: settings.texts, clock: clock)
        // An empty value says as little as none; only a default can make one that is sent.
        if value?.isEmpty ?? false { value = nil }
        if use.isRequired, value == nil {
            throw AdapterError(
                .skipped,
                .missingField,
                use.field.isSetting
                    ? "The network has no \(use.field.name), which its requests need."
                    : "The request does not say \(use.field.name), which the network needs."
            )
        }
        for filter in use.filters { value = filter.apply(to: value) }
        return value
    }
}

/// The settings of one network, as templates see them.
struct DeclaredSettingValues: Sendable, Hashable {
    /// The texts; flags are `1` and `0`.
    var texts: [String: String] = [:]
    /// What each is in JSON.
    var types: [String: DeclaredType] = [:]
}

/// A field between braces, with what is to be done to it.
struct DeclaredFieldUse: Sendable, Hashable {
    var field: TemplateField
    var isRequired = false
    var filters: [DeclaredFilter] = []

    /// Whether a URL must not encode it once more.
    var isForURLs: Bool { filters.last?.isForURLs ?? false }

    /// Whether its author has thought of where it will stand.
    var isEncoded: Bool { filters.last?.isEncoding ?? false }

    /// Whether it is this setting.
    func isSetting(_ key: String) -> Bool { field == .setting(key) }
}

extension TemplateField {
    var isSetting: Bool {
        if case .setting = self { true } else { false }
    }

    /// What the field is in JSON, unless a filter says otherwise.
    func type(_ settings: DeclaredSettingValues) -> DeclaredType {
        switch self {
        case .setting(let key): settings.types[key] ?? .text
        case .targeting: .text
        case .named(let name):
            switch name {
            case .width, .height, .userAge, .contentDuration, .floor, .maxAds, .minDuration, .maxDuration, .remaining,
                .cachebusting, .now:
                .number
            case .muted, .lmt, .gdpr, .coppa, .test: .flag
            case .mimes: .list
            case .gppSections: .numbers
            default: .text
            }
        }
    }
}
