internal import WeirAdapterKit
internal import WeirJSON
internal import WeirModel

/// A network as its file declares it: everything taken apart and checked, nothing of one operator in it.
struct DeclaredNetwork: Sendable {
    /// How it comes by its ads.
    enum Source: Sendable {
        /// By one HTTP request.
        case request(DeclaredRequest, ReplyMapping)
        /// From the file itself.
        case house([HouseAd])
        /// By another adapter, whose settings the file fills in.
        case adapter(AdapterFactory, DeclaredAdapterSettings)
    }

    /// The descriptor's kind, the word in a configuration.
    static let kind = "declared"

    var version: String
    var formats: Set<AdFormat>
    var settings: [DeclaredSetting]
    var probe: DeclaredTemplate?
    var source: Source

    /// Makes this network's adapters.
    var factory: AdapterFactory {
        let network = self
        var factory = AdapterFactory(
            descriptor: AdapterDescriptor(kind: Self.kind, version: version, formats: formats),
            settings: settings.map(\.name),
            make: { (settings, context) throws(SettingsError) in try network.adapter(settings, context) }
        )
        factory.secrets = Set(settings.lazy.filter(\.isSecret).map(\.name))
        return factory
    }

    private func adapter(
        _ settings: JSONValue,
        _ context: AdapterContext
    ) throws(SettingsError) -> any NetworkAdapter {
        let descriptor = AdapterDescriptor(kind: Self.kind, version: version, formats: formats)
        let values = try self.settings.values(of: settings)
        switch source {
        case .house(let ads):
            return HouseAdapter(descriptor: descriptor, ads: ads)
        case .adapter(let factory, let template):
            return ForwardingAdapter(
                descriptor: descriptor,
                inner: try factory.make(template.filled(values), context)
            )
        case .request(let request, let reply):
            return DeclaredAdapter(
                descriptor: descriptor,
                context: context,
                request: request,
                reply: reply,
                settings: values,
                probe: try probe?.address(values, "probe_url").map { HTTPProbe(url: $0, setting: "probe_url") }
            )
        }
    }
}

extension DeclaredTemplate {
    /// An address that only settings fill in.
    ///
    /// - Throws: when what comes of it is no address.
    func address(_ values: DeclaredSettingValues, _ key: String) throws(SettingsError) -> String? {
        var bytes: [UInt8] = []
        for part in parts {
            switch part {
            case .literal(let literal): bytes += literal
            case .field(let use):
                guard case .setting(let name) = use.field else { continue }
                var value = values.texts[name]
                for filter in use.filters { value = filter.apply(to: value) }
                if use.isForURLs { bytes += (value ?? "").utf8 } else { appendPercentEncoded(value ?? "", to: &bytes) }
            case .macro: continue
            }
        }
        let address = String(decoding: bytes, as: UTF8.self)
        guard address.isWebAddress else {
            throw SettingsError(path: "settings", message: "make no http or https URL of \(key)")
        }
        return address
    }
}
