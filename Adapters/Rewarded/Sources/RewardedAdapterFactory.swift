public import WeirAdapterKit
internal import WeirModel

/// The adapter `rewarded`: networks that answer with one rewarded ad, as JSON or as bare VAST.
public enum RewardedAdapterFactory {
    /// Makes the adapters; their settings are explained in the README beside this target.
    public static let factory = AdapterFactory(
        descriptor: descriptor,
        settings: ["load_url", "probe_url", "api_key", "headers"],
        make: { (settings, context) throws(SettingsError) in
            try RewardedAdapter(AdapterSettings(settings), context)
        }
    )

    static let descriptor = AdapterDescriptor(kind: "rewarded", version: "1.0.0", formats: [.rewarded])
}
