public import WeirAdapterKit
internal import WeirModel

/// The adapter `instream-audio`: networks that sell ads around and within something that is heard.
public enum InstreamAudioAdapterFactory {
    /// Makes the adapters; their settings are explained in the README beside this target.
    public static let factory = AdapterFactory(
        descriptor: descriptor,
        settings: ["sections_url", "probe_url", "headers"],
        make: { (settings, context) throws(SettingsError) in
            try InstreamAudioAdapter(AdapterSettings(settings), context)
        }
    )

    static let descriptor = AdapterDescriptor(kind: "instream-audio", version: "1.0.0", formats: [.audio])
}
