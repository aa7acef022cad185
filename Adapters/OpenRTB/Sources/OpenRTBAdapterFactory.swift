public import WeirAdapterKit
internal import WeirModel

/// The adapter `openrtb`: networks that bid for every request in the words of OpenRTB 2.6.
public enum OpenRTBAdapterFactory {
    /// Makes the adapters; their settings are explained in the README beside this target.
    public static let factory = AdapterFactory(
        descriptor: descriptor,
        settings: ["endpoint", "probe_url", "headers", "api_key"] + OpenRTBProfile.settings,
        make: { (settings, context) throws(SettingsError) in
            try OpenRTBAdapter(settings, context)
        }
    )

    static let descriptor = AdapterDescriptor(
        kind: "openrtb",
        version: "1.0.0",
        formats: [.video, .audio, .rewarded]
    )
}
