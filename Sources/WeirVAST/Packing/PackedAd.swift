/// A resolved ad in few bytes: about a tenth of what it weighs as a value.
///
/// For ads that wait: ten thousand sessions hold their ads for minutes and look at each for a moment.
package struct PackedAd: Hashable, Sendable {
    private let bytes: [UInt8]

    /// The ad, packed.
    package init(_ ad: ResolvedAd) {
        var packer = AdPacker()
        var ad = ad
        ad.pass(&packer)
        // Exactly as large as it is: it grew by doubling.
        bytes = packer.bytes.withUnsafeBufferPointer { Array($0) }
    }

    /// The ad as it was.
    package var ad: ResolvedAd {
        var packer = AdPacker(reading: bytes)
        var ad = ResolvedAd.blank
        ad.pass(&packer)
        return ad
    }

    /// How many bytes it takes.
    package var count: Int { bytes.count }

    /// The bytes, for tests that spoil them.
    var bytesForTests: [UInt8] { bytes }
}

extension ResolvedAd: Packable {
    static var blank: ResolvedAd { ResolvedAd(inLine: InLine()) }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&id)
        packer.pass(&sequence)
        packer.pass(&adType)
        packer.pass(&pod)
        packer.pass(&inLine)
        // Nearly always the ad's own, then it is not written twice.
        var isOwn = linear == inLine.playableLinear
        packer.pass(&isOwn)
        if isOwn { linear = inLine.playableLinear } else { packer.pass(&linear) }
        isOwn = mediaFiles == linear?.mediaFiles ?? []
        packer.pass(&isOwn)
        if isOwn { mediaFiles = linear?.mediaFiles ?? [] } else { packer.pass(&mediaFiles) }
        packer.pass(&wrapperChain)
        packer.pass(&version)
    }
}

extension PodPlace: Packable {
    static var blank: PodPlace { PodPlace(position: 0, total: 0) }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&position)
        packer.pass(&total)
    }
}

extension WrapperLink: Packable {
    static var blank: WrapperLink { WrapperLink(url: "") }

    mutating func pass(_ packer: inout AdPacker) {
        packer.pass(&adID)
        packer.pass(&system)
        packer.pass(&creativeIDs)
        packer.pass(&url)
        packer.pass(&latency)
        packer.pass(&result)
    }
}
