package import WeirAdapterKit
package import WeirJSON
internal import WeirModel

/// Reads the file of a declared network: what the tables of its keys cannot say.
///
/// The caller has compared keys and types with those tables; what has the wrong type is passed over here without
/// another word. What is wrong beyond that (fields, filters, paths, keys that need or exclude one another) is noted,
/// all at once.
package struct DeclaredReading {
    let root: JSONField
    /// The adapters that a preset may hand over to.
    let adapters: [AdapterFactory]
    /// Reads a file that this one names; relative names count from it.
    let readFile: (String) throws -> [UInt8]

    private(set) var settings: [DeclaredSetting] = []

    /// A reading of `file`, whose complaints go to `problems`.
    ///
    /// - Parameters:
    ///   - file: The file's value.
    ///   - problems: Where complaints go.
    ///   - adapters: The adapters that a preset may hand over to.
    ///   - readFile: Reads a file that this one names; its errors are shown to the operator.
    package init(
        _ file: JSONValue,
        problems: JSONProblems,
        adapters: [AdapterFactory] = [],
        readFile: @escaping (String) throws -> [UInt8]
    ) {
        root = JSONField(file, problems: problems)
        self.adapters = adapters
        self.readFile = readFile
    }

    /// Makes the network's adapters; to be thrown away when there are problems.
    package mutating func factory() -> AdapterFactory {
        let preset = preset
        settings = readSettings()
        for (key, why) in preset.uselessKeys.sorted(by: { $0.key < $1.key }) where root.value[key] != nil {
            root.complain(about: key, "says nothing under the preset \(preset.rawValue).", hint: why)
        }
        let source = source(preset)
        var network = DeclaredNetwork(
            version: root.value["version"]?.string ?? "1.0.0",
            formats: preset.formats,
            settings: settings,
            source: source
        )
        if case .adapter(let factory, _) = source { network.formats = factory.descriptor.formats }
        if let named = root.value["formats"]?.array?.compactMap({ $0.string.flatMap(AdFormat.init) }), !named.isEmpty {
            network.formats = Set(named)
        }
        if preset != .house, let probe = root.member("probe_url") { network.probe = probeURL(probe) }
        return network.factory
    }

    private var preset: DeclaredPreset {
        root.value["preset"]?.string.flatMap(DeclaredPreset.init) ?? .json
    }

    private func source(_ preset: DeclaredPreset) -> DeclaredNetwork.Source {
        switch preset {
        case .house: .house(houseAds())
        case .openRTB: handedOver(to: preset.rawValue)
        case .vastTag, .audioVAST, .json: .request(request(), reply(preset))
        }
    }

    // MARK: Templates

    /// The template of a text; what is wrong with it is noted.
    func template(_ field: JSONField) -> DeclaredTemplate? {
        guard let text = field.value.scalarText ?? field.value.bool.map({ $0 ? "1" : "0" }) else { return nil }
        do throws(DeclaredFilter.Unreadable) {
            let template = try DeclaredTemplate(text)
            for use in template.uses { check(use, field) }
            return template
        } catch {
            field.complain(error.message, hint: error.hint)
            return nil
        }
    }

    /// Notes a use of a setting that nobody declares, and of a secret that could not be kept secret.
    private func check(_ use: DeclaredFieldUse, _ field: JSONField) {
        guard case .setting(let name) = use.field else { return }
        guard let setting = settings.first(where: { $0.name == name }) else {
            let names = settings.map(\.name)
            return field.complain(
                "names the setting \"\(name.prefix(40))\", which settings does not declare.",
                hint: NearestName.of(name, among: names).map { "Did you mean {settings.\($0)}?" }
                    ?? "Add it to settings: {\"\(name.prefix(40))\": {\"type\": \"text\"}}."
            )
        }
        let isChanged = use.filters.contains { filter in
            switch filter {
            case .url, .json, .xml, .raw, .text: false
            default: true
            }
        }
        if setting.isSecret, isChanged {
            field.complain(
                "changes the secret setting \(name), and what comes of it could not be kept out of traces.",
                hint: "Send it as it is, or let the operator's secret hold the changed text."
            )
        }
    }

    /// The template of a URL: absolute, its host the file's or the operator's own.
    func urlTemplate(_ field: JSONField) -> DeclaredTemplate? {
        guard let template = template(field) else { return nil }
        let literal = String(
            decoding: template.parts.flatMap { part -> [UInt8] in
                // A field counts as one letter: what it stands for is encoded, or checked when it is filled in.
                if case .literal(let bytes) = part { bytes } else { Array("x".utf8) }
            },
            as: UTF8.self
        )
        if case .field(let first)? = template.parts.first, isAddressSetting(first) {
            // The operator's own address begins it.
            if literal.contains(" ") { field.complain("must not hold blanks.", hint: "Write %20.") }
        } else if !literal.isWebAddress {
            field.complain(
                "must be an absolute http or https URL.",
                hint: "Begin it with https:// or with a setting of type url, as {settings.base_url|raw}."
            )
        }
        if literal.contains("#") { field.complain("must not hold a fragment: # is not sent.", hint: "Write %23.") }
        checkHost(template, field)
        checkRaw(template, field)
        return template
    }

    private func isAddressSetting(_ use: DeclaredFieldUse) -> Bool {
        guard use.isForURLs, case .setting(let name) = use.field else { return false }
        return settings.contains { $0.name == name && $0.kind == .url }
    }

    /// Only the operator may say which host is asked: a client must not lead the gateway elsewhere.
    private func checkHost(_ template: DeclaredTemplate, _ field: JSONField) {
        var slashes = 0
        for part in template.parts {
            switch part {
            case .literal(let bytes):
                for byte in bytes where slashes < 3 {
                    if byte == UInt8(ascii: "/") { slashes += 1 }
                    if byte == UInt8(ascii: "?") { slashes = 3 }
                }
            case .field(let use) where isAddressSetting(use): slashes = 3
            case .field(let use) where slashes < 3 && !use.field.isSetting:
                field.complain("lets the request choose the host with {\(use.field.name)}.", hint: "Use a setting.")
            case .macro where slashes < 3:
                field.complain("has a macro in the host.", hint: "Use a setting.")
            case .field, .macro: break
            }
        }
    }

    /// Only what the operator wrote may stand in a URL as it is.
    func checkRaw(_ template: DeclaredTemplate, _ field: JSONField) {
        for use in template.uses where use.filters.last == .raw && !use.field.isSetting {
            if use.field == .named(.networkUnit) { continue }
            field.complain(
                "puts {\(use.field.name)} into a URL as it is.",
                hint: "Leave raw away; only settings and network_unit may be raw in URLs."
            )
        }
    }

    private func probeURL(_ field: JSONField) -> DeclaredTemplate? {
        guard let template = urlTemplate(field) else { return nil }
        if let use = template.uses.first(where: { !$0.field.isSetting }) {
            field.complain(
                "names {\(use.field.name)}, and a probe is sent without a request.",
                hint: "Use settings only."
            )
        }
        if template.parts.contains(where: { if case .macro = $0 { true } else { false } }) {
            field.complain("has a macro, and a probe is sent without a request.", hint: "Use settings only.")
        }
        return template
    }
}
