internal import WeirGateway
internal import WeirVAST

extension AdResponse {
    /// The body of `GET /v1/vast`: the ads of the first break, or an empty document that tells where to report it.
    func vastDocument(version: String, errorURL: String?) -> [UInt8] {
        guard let first = ads.first else {
            return VASTWriter.writeEmpty(errors: [errorURL].compactMap(\.self), version: version).bytes
        }
        // A plain VAST document has no schedule: a player that asks for one gets the break that comes first.
        let firstBreak = ads.prefix { $0.breakOffset == first.breakOffset && $0.slot == first.slot }
        if firstBreak.count == 1, let document = first.untouched(as: version) { return document }
        return VASTWriter.write(firstBreak.map(\.ad), version: version).bytes
    }
}
