/// What one network's requests are held to.
package struct OutboundPolicy: Hashable, Sendable {
    /// The most bytes of a body, after decoding.
    ///
    /// A VAST document of a few hundred KiB is already unusual.
    package var maxBodyBytes = 1 << 20
    /// The most bytes of all heads of an answer together, interim ones and trailers included.
    package var maxHeaderBytes = 65536
    /// The most bytes of a request's own body.
    package var maxRequestBytes = 1 << 20
    /// The addresses that may be connected to.
    package var allowPrivate = AddressPolicy()
    /// `User-Agent` of requests that bring none.
    package var userAgent = "weir"
    /// Certificates to trust in place of the system's: the path of a PEM file.
    package var caFile: String?

    /// The defaults: the public Internet only.
    package init() {}

    /// The defaults with other addresses.
    package init(allowPrivate: AddressPolicy) {
        self.allowPrivate = allowPrivate
    }
}
