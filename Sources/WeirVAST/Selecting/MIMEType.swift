/// Names of media types: the many spellings of one thing.
public enum MIMEType {
    /// The usual name of a type: lower case, without parameters, aliases resolved (`audio/mp3` is `audio/mpeg`).
    public static func canonical(_ type: String) -> String {
        // Most documents name one of these as it is.
        if common.contains(type) { return type }
        let essence = essence(of: type)
        return aliases[essence] ?? essence
    }

    /// What stands before the parameters, in lower case and without blanks.
    private static func essence(of type: String) -> String {
        if type.utf8.allSatisfy(isPlain) { return type }
        guard type.utf8.allSatisfy({ $0 < 0x80 }) else {
            return type.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        }
        let bytes = type.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        return String(decoding: bytes.map { $0 &- 65 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Whether a byte stands in an essence as it is.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "+"),
            UInt8(ascii: "*"):
            true
        default: false
        }
    }

    /// Whether the type is an HLS playlist, which may carry video or sound.
    public static func isHLS(_ type: String) -> Bool { canonical(type) == hls }

    /// Whether the type is sound alone.
    public static func isAudio(_ type: String) -> Bool { canonical(type).hasPrefix("audio/") }

    static let hls = "application/vnd.apple.mpegurl"

    private static let common: Set<String> = ["video/mp4", "video/webm", "audio/mpeg", "audio/mp4", hls]

    private static let aliases: [String: String] = [
        "audio/mp3": "audio/mpeg", "audio/x-mp3": "audio/mpeg", "audio/x-mpeg": "audio/mpeg",
        "audio/mpeg3": "audio/mpeg", "audio/x-mpeg-3": "audio/mpeg", "audio/mpg": "audio/mpeg",
        "audio/x-aac": "audio/aac", "audio/aacp": "audio/aac", "audio/x-m4a": "audio/mp4", "audio/m4a": "audio/mp4",
        "audio/x-wav": "audio/wav", "audio/wave": "audio/wav", "audio/vorbis": "audio/ogg",
        "video/x-mp4": "video/mp4", "video/mpeg4": "video/mp4", "video/m4v": "video/mp4", "video/x-m4v": "video/mp4",
        "mp4": "video/mp4", "webm": "video/webm", "video/x-webm": "video/webm",
        "application/x-mpegurl": hls, "application/mpegurl": hls, "audio/mpegurl": hls, "audio/x-mpegurl": hls,
        "vnd.apple.mpegurl": hls, "video/mpegurl": hls,
    ]
}
