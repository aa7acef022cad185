public import WeirAdapterKit
internal import WeirModel

/// The adapter `vast`: ad servers that answer a tag with VAST or VMAP.
public enum VASTAdapterFactory {
    /// Makes the adapters; their settings are explained in the README beside this target.
    public static let factory = AdapterFactory(
        descriptor: descriptor,
        settings: ["tag_url", "probe_url", "headers"],
        make: { (settings, context) throws(SettingsError) in
            try VASTAdapter(AdapterSettings(settings), context)
        }
    )

    static let descriptor = AdapterDescriptor(
        kind: "vast",
        version: "1.0.0",
        formats: [.video, .audio, .rewarded]
    )
}
