/// A file or stream that plays the ad (VAST 4.3 §3.9.1).
public struct MediaFile: Hashable, Sendable {
    /// How a file reaches the player.
    public enum Delivery: String, Hashable, Sendable {
        /// Downloaded.
        case progressive
        /// Streamed.
        case streaming
    }

    /// The sender's id.
    public var id: String?
    /// Where it is, trimmed; never empty.
    public var url: String
    /// How it reaches the player; `nil` when the document does not say, to be taken as progressive.
    public var delivery: Delivery?
    /// The MIME type as written.
    public var type: String?
    /// Pixels; zero for audio.
    public var width: Int?
    /// Pixels; zero for audio.
    public var height: Int?
    /// The codec as in RFC 4281.
    public var codec: String?
    /// Average kbit/s.
    public var bitrate: Int?
    /// Least kbit/s of a variable stream.
    public var minBitrate: Int?
    /// Most kbit/s of a variable stream.
    public var maxBitrate: Int?
    /// Whether it may be scaled.
    public var isScalable: Bool?
    /// Whether scaling must keep the aspect ratio.
    public var maintainsAspectRatio: Bool?
    /// The API that it needs (`VPAID`); deprecated in 4.1.
    public var apiFramework: String?
    /// Bytes (4.1+).
    public var fileSize: Int?
    /// `2D`, `3D`, `360` … (4.1+).
    public var mediaType: String?

    /// A file at a URL.
    public init(url: String, type: String? = nil) {
        self.url = url
        self.type = type
    }
}

/// A master file for transcoding (VAST 4.3 §3.9.2).
public struct Mezzanine: Hashable, Sendable {
    /// The file.
    public var file: MediaFile

    /// A master file.
    public init(file: MediaFile) {
        self.file = file
    }
}

/// Code that makes a linear ad interactive (VAST 4.3 §3.9.3).
public struct InteractiveCreativeFile: Hashable, Sendable {
    /// The MIME type.
    public var type: String?
    /// The API that it needs (`SIMID`).
    public var apiFramework: String?
    /// Whether it may change the ad's duration.
    public var hasVariableDuration: Bool?
    /// Where it is; a data URI in 4.3.
    public var url: String

    /// Code at a URL.
    public init(type: String? = nil, apiFramework: String? = nil, hasVariableDuration: Bool? = nil, url: String) {
        self.type = type
        self.apiFramework = apiFramework
        self.hasVariableDuration = hasVariableDuration
        self.url = url
    }
}

/// Captions of a linear ad (VAST 4.3 §3.9.4).
public struct ClosedCaptionFile: Hashable, Sendable {
    /// The MIME type.
    public var type: String?
    /// The language.
    public var language: String?
    /// Where it is.
    public var url: String

    /// Captions at a URL.
    public init(type: String? = nil, language: String? = nil, url: String) {
        self.type = type
        self.language = language
        self.url = url
    }
}
