internal import WeirAdapterKit
internal import WeirJSON

/// The settings that a file gives to another adapter.
struct DeclaredAdapterSettings: Sendable, Hashable {
    var settings: JSONObject

    /// The file's settings with the operator's beside them, so that the other adapter's own templates find them as
    /// `{settings.KEY}`; where both say something the file wins.
    func filled(_ values: DeclaredSettingValues) -> JSONValue {
        var filled = settings
        for (key, text) in values.texts.sorted(by: { $0.key < $1.key }) where filled[key] == nil {
            filled[key] = .string(text)
        }
        return .object(filled)
    }
}

/// Another adapter under a declared network's name.
struct ForwardingAdapter: NetworkAdapter {
    let descriptor: AdapterDescriptor
    let inner: any NetworkAdapter

    func setUp(_ progress: SetUpProgress) async throws(SetUpFailure) { try await inner.setUp(progress) }

    func load(_ ask: AdAsk) async throws(AdapterError) -> LoadOutcome { try await inner.load(ask) }

    func tearDown() async { await inner.tearDown() }
}
