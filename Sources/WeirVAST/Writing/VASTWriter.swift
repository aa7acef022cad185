/// Writes documents and resolved ads as VAST; what comes out is always well-formed.
public struct VASTWriter: Sendable {
    /// A written document.
    public struct Output: Hashable, Sendable {
        /// The document in UTF-8.
        public var bytes: [UInt8]
        /// What the version cannot express and was left out or moved.
        public var remarks: [Diagnostic]

        /// The document as text.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// A writer; all are alike.
    public init() {}

    /// Writes a document as it is, in its own version, leaving nothing out.
    public func write(_ document: VASTDocument) -> Output {
        let version = VASTVersion(document.version) ?? .v42
        var writer = DocumentWriter(version: version, converts: false)
        writer.write(document)
        return writer.output
    }

    /// Writes a document in another version; what that version cannot express is left out and reported.
    public func convert(_ document: VASTDocument, to version: VASTVersion) -> Output {
        var writer = DocumentWriter(version: version, converts: true)
        var document = document
        document.version = version.rawValue
        document.namespace = version >= .v4 ? VASTVersion.namespace : nil
        document.ads = document.ads.map { ad in
            guard let inLine = ad.inLine else { return ad }
            var ad = ad
            ad.content = .inLine(inLine.completed(for: version, adID: ad.id))
            return ad
        }
        writer.write(document)
        return writer.output
    }

    /// Writes resolved ads as one document: several are a pod in this order.
    public func write(_ ads: [ResolvedAd], version: VASTVersion = .v42) -> Output {
        let document = VASTDocument(
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
        return convert(document, to: version)
    }

    /// Writes the answer that there is no ad, with URLs to tell.
    public func writeNoAd(errors: [String] = [], version: VASTVersion = .v42) -> Output {
        let namespace = version >= .v4 ? VASTVersion.namespace : nil
        return write(VASTDocument(version: version.rawValue, namespace: namespace, errors: errors))
    }

    /// Writes a schedule of breaks (VMAP 1.0.1).
    public func write(_ document: VMAPDocument) -> Output {
        var writer = DocumentWriter(version: .v42, converts: false)
        writer.write(document)
        return writer.output
    }
}
