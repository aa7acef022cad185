internal import CSandboxMedia

extension SandboxMedia {
    /// The media type.
    public var contentType: String {
        switch self {
        case .film, .feature: "video/mp4"
        case .jingle: "audio/mpeg"
        case .companion: "image/png"
        }
    }

    /// The bytes.
    public var bytes: [UInt8] { Array(buffer) }

    /// How many bytes there are.
    public var count: Int { buffer.count }

    /// The bytes from `range`, which must lie within ``count``.
    func bytes(in range: Range<Int>) -> [UInt8] { Array(buffer[range]) }

    private var buffer: UnsafeBufferPointer<UInt8> {
        let file =
            switch self {
            case .film: csandboxmedia_film()
            case .feature: csandboxmedia_feature()
            case .jingle: csandboxmedia_jingle()
            case .companion: csandboxmedia_companion()
            }
        // The bytes are part of the executable: they are there as long as it runs.
        return UnsafeBufferPointer(start: file.bytes, count: file.count)
    }
}
