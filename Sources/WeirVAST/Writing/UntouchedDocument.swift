internal import Glibc

/// A network's document that a player may get as it came: writing its one ad anew would only say the same again.
///
/// That is so when nothing is merged into the ad, nothing was repaired or doubtful when it was read, the version is the
/// one wanted and has all that it requires, and the text holds nothing but the document: no type declaration and no
/// processing instruction, such as a style sheet, which a browser would obey.
package struct UntouchedDocument: Sendable, Hashable {
    /// The document in UTF-8.
    package let bytes: [UInt8]
    /// Its version.
    package let version: VASTVersion

    /// The document in `bytes`, which was read as `reading` and resolved to `ad`; `nil` when it must be written anew.
    package init?(_ bytes: [UInt8], reading: Reading, ad: ResolvedAd) {
        guard case .vast(let document) = reading.content, document.ads.count == 1, document.errors.isEmpty,
            let own = document.ads[0].inLine, ad.wrapperChain.isEmpty,
            let version = VASTVersion(rawValue: document.version),
            document.namespace == (version >= .v4 ? VASTVersion.namespace : nil),
            reading.diagnostics.allSatisfy({ Self.harmless.contains($0.code) }),
            own.isComplete(for: version), Self.isPlain(bytes)
        else { return nil }
        self.bytes = bytes
        self.version = version
    }

    /// Remarks about what a player finds in any document.
    private static let harmless: Set<DiagnosticCode> = [.mimeAlias, .loneSequence]

    /// Whether the text is an XML declaration, if any, and an element `VAST` without a prefix.
    private static func isPlain(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { text in
            var rest = text[...]
            if rest.starts(with: "<?xml".utf8) {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
                rest = rest[(end + 1)...].drop(while: isXMLSpace)
            }
            guard rest.starts(with: "<VAST".utf8), let next = rest.dropFirst(5).first,
                isXMLSpace(next) || next == UInt8(ascii: ">")
            else { return false }
            return !UnsafeRawBufferPointer(rebasing: rest).hasMarkupBeyondElements
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether there is a processing instruction or a declaration, or what looks like one inside CDATA.
    fileprivate var hasMarkupBeyondElements: Bool {
        guard let base = baseAddress else { return false }
        var index = 0
        while index + 2 < count, let found = memchr(base + index, Int32(UInt8(ascii: "<")), count - index - 2) {
            index = UnsafeRawPointer(found) - base
            switch self[index + 1] {
            case UInt8(ascii: "?"): return true
            // Comments and CDATA sections are content.
            case UInt8(ascii: "!") where self[index + 2] != UInt8(ascii: "-") && self[index + 2] != UInt8(ascii: "["):
                return true
            default: index += 1
            }
        }
        return false
    }
}

extension InLine {
    /// Whether the ad has all that the version requires, so that ``completed(for:adID:)`` would add nothing.
    fileprivate func isComplete(for version: VASTVersion) -> Bool {
        system != nil && title != nil && (version < .v41 || adServingID != nil) && viewableImpressions.count <= 1
            && creatives.allSatisfy { $0.isComplete(for: version) }
    }
}

extension Creative {
    fileprivate func isComplete(for version: VASTVersion) -> Bool {
        if version >= .v4 && universalAdIDs.isEmpty { return false }
        guard let linear else { return true }
        return linear.mediaFiles.allSatisfy(\.isComplete) && linear.mezzanines.allSatisfy { $0.file.isComplete }
            && (version != .v3 || linear.icons.isEmpty)
    }
}

extension MediaFile {
    fileprivate var isComplete: Bool { delivery != nil && type != nil && width != nil && height != nil }
}
