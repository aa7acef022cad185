/// Chooses media files that a player can play, best first (VAST 4.3 §3.9.1).
public struct MediaSelector: Hashable, Sendable {
    /// What came of a selection.
    public enum Selection: Hashable, Sendable {
        /// The files that fit, best first; never empty.
        case files([MediaFile])
        /// Nothing fits: one sentence naming what was offered and what is accepted (error 403).
        case none(explanation: String)
    }

    /// MIME types that the player plays, under any of their names; empty: all.
    public var mimeTypes: [String]
    /// Ways of delivery that the player knows.
    public var deliveries: Set<MediaFile.Delivery>
    /// The player's size in pixels, if it matters.
    public var size: Size?
    /// The most kbit/s; the closest file is taken where all have more.
    public var maxBitrate: Int?
    /// APIs that the player runs; a file that needs another is left out.
    public var apiFrameworks: Set<String>
    /// Codecs that the player plays, as prefixes (`avc1`); empty: all.
    public var codecs: [String]

    /// Width and height in pixels.
    public struct Size: Hashable, Sendable {
        /// Pixels.
        public var width: Int
        /// Pixels.
        public var height: Int

        /// A size.
        public init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// A selector; without arguments it takes everything.
    public init(
        mimeTypes: [String] = [],
        deliveries: Set<MediaFile.Delivery> = [.progressive, .streaming],
        size: Size? = nil,
        maxBitrate: Int? = nil,
        apiFrameworks: Set<String> = [],
        codecs: [String] = []
    ) {
        self.mimeTypes = mimeTypes
        self.deliveries = deliveries
        self.size = size
        self.maxBitrate = maxBitrate
        self.apiFrameworks = apiFrameworks
        self.codecs = codecs
    }

    /// The files that fit, best first.
    public func select(from files: [MediaFile]) -> Selection {
        let types = canonicalTypes
        let usable = files.filter { accepts($0, types) }
        guard !usable.isEmpty else { return .none(explanation: explanation(for: files)) }
        let ranks = usable.map(rank)
        let order = usable.indices.sorted { ranks[$0] == ranks[$1] ? $0 < $1 : ranks[$0] < ranks[$1] }
        return .files(order.map { usable[$0] })
    }

    /// Whether any of the files can be played; if not, why.
    func refusal(of files: [MediaFile]) -> String? {
        let types = canonicalTypes
        return files.contains { accepts($0, types) } ? nil : explanation(for: files)
    }

    /// Whether the player can play the file at all.
    public func accepts(_ file: MediaFile) -> Bool { accepts(file, canonicalTypes) }

    private var canonicalTypes: [String] { mimeTypes.map(MIMEType.canonical) }

    private func accepts(_ file: MediaFile, _ types: [String]) -> Bool {
        if let framework = file.neededFramework, !apiFrameworks.contains(framework) { return false }
        if !deliveries.contains(file.delivery ?? .progressive) { return false }
        return acceptsType(file, types) && acceptsCodec(file)
    }

    private func acceptsType(_ file: MediaFile, _ types: [String]) -> Bool {
        guard !types.isEmpty else { return true }
        let type = MIMEType.canonical(file.type ?? "")
        return types.contains { accepted in
            if accepted == type { return true }
            return accepted.hasSuffix("/*") && type.utf8.starts(with: accepted.utf8.dropLast())
        }
    }

    /// A file that names no codec is taken at its word about the type.
    private func acceptsCodec(_ file: MediaFile) -> Bool {
        guard !codecs.isEmpty, let codec = file.codec?.lowercased(), !codec.isEmpty else { return true }
        return codec.split(separator: ",").allSatisfy { part in
            let name = part.filter { !$0.isWhitespace }
            return codecs.contains { name.hasPrefix($0.lowercased()) }
        }
    }

    /// Smaller is better: within the bitrate cap first, then the closest size, then the highest bitrate under the cap
    /// (or the lowest above it).
    private func rank(_ file: MediaFile) -> (Int, Int, Int, Int) {
        let bitrate = max(0, file.bitrate ?? file.maxBitrate ?? file.minBitrate ?? 0)
        let cap = maxBitrate ?? .max
        let isOver = bitrate > cap
        return (isOver ? 1 : 0, isOver ? bitrate : 0, distance(file), -bitrate)
    }

    private func distance(_ file: MediaFile) -> Int {
        guard let size, let width = file.width, let height = file.height, width > 0, height > 0 else { return 0 }
        return abs(min(width, 100_000) - size.width) + abs(min(height, 100_000) - size.height)
    }

    private func explanation(for files: [MediaFile]) -> String {
        let offered = Set(files.map(description)).sorted().prefix(8).joined(separator: ", ")
        let accepted = mimeTypes.isEmpty ? "any type" : mimeTypes.prefix(12).joined(separator: ", ")
        let ways = deliveries.map(\.rawValue).sorted().joined(separator: " or ")
        return "No media file fits: offered \(offered.isEmpty ? "none" : offered); accepted \(accepted), \(ways)."
    }

    private func description(_ file: MediaFile) -> String {
        var text = String((file.type ?? "no type").prefix(60)) + " " + (file.delivery ?? .progressive).rawValue
        if let framework = file.neededFramework { text += " " + framework.prefix(20) }
        return text
    }
}

extension MediaFile {
    /// The API without which the file does not play; some servers write `none` where there is none.
    fileprivate var neededFramework: String? {
        guard let apiFramework, !apiFramework.isEmpty, apiFramework.lowercased() != "none" else { return nil }
        return apiFramework
    }
}
