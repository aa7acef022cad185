/// Writes documents and resolved ads as VAST; what comes out is always well-formed.
public enum VASTWriter {
    /// A written document.
    public struct Output: Hashable, Sendable {
        /// The document in UTF-8.
        public var bytes: [UInt8]
        /// What the version cannot express and was left out or moved.
        public var remarks: [Diagnostic]

        /// The document as text.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// Writes a document as it is, in its own version, leaving nothing out.
    public static func write(_ document: VASTDocument) -> Output {
        let version = VASTVersion(document.version) ?? .v42
        var writer = DocumentWriter(version: version, converts: false)
        writer.write(document)
        return writer.output
    }

    /// Writes a document in another version; what that version cannot express is left out and reported.
    public static func convert(_ document: VASTDocument, to version: VASTVersion) -> Output {
        var writer = DocumentWriter(version: version, converts: true)
        writer.write(document.prepared(for: version))
        return writer.output
    }

    /// Writes resolved ads as one document: several are a pod in this order.
    public static func write(_ ads: [ResolvedAd], version: VASTVersion = .v42) -> Output {
        var writer = DocumentWriter(version: version, converts: true, serves: true)
        writer.write(VASTDocument(ads: ads, version: version).prepared(for: version))
        return writer.output
    }

    /// Writes resolved ads in a version given as text (`3`, `4.2`); one that is not known means 4.2.
    public static func write(_ ads: [ResolvedAd], version: String) -> Output {
        write(ads, version: VASTVersion(version) ?? .v42)
    }

    /// Writes the answer that there is no ad in a version given as text; one that is not known means 4.2.
    public static func writeEmpty(errors: [String] = [], version: String) -> Output {
        writeEmpty(errors: errors, version: VASTVersion(version) ?? .v42)
    }

    /// Writes the answer that there is no ad, with URLs to tell.
    public static func writeEmpty(errors: [String] = [], version: VASTVersion = .v42) -> Output {
        let namespace = version >= .v4 ? VASTVersion.namespace : nil
        return write(VASTDocument(version: version.rawValue, namespace: namespace, errors: errors))
    }

    /// Writes a schedule of breaks (VMAP 1.0.1).
    public static func write(_ document: VMAPDocument) -> Output {
        var writer = DocumentWriter(version: .v42, converts: false)
        writer.write(document)
        return writer.output
    }

    /// Writes a schedule whose inline documents are in another version.
    public static func convert(_ document: VMAPDocument, to version: VASTVersion) -> Output {
        var document = document
        for index in document.adBreaks.indices {
            guard case .vast(let inner)? = document.adBreaks[index].source?.content else { continue }
            document.adBreaks[index].source?.content = .vast(inner.prepared(for: version))
        }
        var writer = DocumentWriter(version: version, converts: true)
        writer.write(document)
        return writer.output
    }
}

extension VASTDocument {
    /// Resolved ads as one document: several are a pod in this order.
    public init(ads: [ResolvedAd], version: VASTVersion) {
        self.init(
            version: version.rawValue,
            ads: ads.enumerated().map { index, ad in
                VASTAd(
                    id: ad.id,
                    sequence: ads.count > 1 ? index + 1 : nil,
                    adType: ad.adType == .video ? nil : ad.adType,
                    content: .inLine(ad.inLine)
                )
            }
        )
    }

    /// The document under another version, with what that one requires of every ad and many ads lack.
    ///
    /// Nothing is left out yet: that is what ``VASTWriter/convert(_:to:)-(VASTDocument,_)`` does.
    public func prepared(for version: VASTVersion) -> VASTDocument {
        var document = self
        document.version = version.rawValue
        document.namespace = version >= .v4 ? VASTVersion.namespace : nil
        document.ads = ads.map { ad in
            guard let inLine = ad.inLine else { return ad }
            var ad = ad
            ad.content = .inLine(inLine.completed(for: version, adID: ad.id))
            return ad
        }
        return document
    }
}
