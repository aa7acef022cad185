internal import WeirTime

/// A GET whose URL and header fields are templates: the request half of most adapters.
public struct TemplatedRequest: Sendable {
    private let url: RequestTemplate
    private let headers: [(name: String, value: RequestTemplate)]
    private let values: [String: String]

    /// Reads the address template `urlSetting` and the setting `headers`.
    ///
    /// - Throws: ``SettingsError`` for the first that is wrong.
    public init(_ settings: AdapterSettings, urlSetting: String) throws(SettingsError) {
        url = try settings.addressTemplate(urlSetting)
        headers = try settings.headerTemplates()
        values = settings.values
    }

    /// The request for an ask; header fields whose value is empty are left out.
    ///
    /// - Throws: `skipped(missing_field)` when the ask lacks a field that the template requires.
    public func request(for ask: AdAsk, _ context: AdapterContext) throws(AdapterError) -> OutboundRequest {
        var request = OutboundRequest(
            url: try url.expand(ask, settings: values, as: .url, clock: context.clock)
        )
        for header in headers {
            let value = try header.value.expand(ask, settings: values, as: .header, clock: context.clock)
            if !value.isEmpty { request.headers.append(HTTPHeader(header.name, value)) }
        }
        return request
    }
}
