internal import InstreamAudioAdapter
internal import OpenRTBAdapter
internal import RewardedAdapter
internal import VASTAdapter
internal import WeirAdapterKit

/// The adapters that this program is built with: the one place that names them.
enum BuiltInAdapters {
    /// Adding an in-tree adapter is a line here and a target in Package.swift.
    static let factories: [AdapterFactory] = [
        VASTAdapterFactory.factory,
        RewardedAdapterFactory.factory,
        InstreamAudioAdapterFactory.factory,
        OpenRTBAdapterFactory.factory,
    ]
}
