internal import CWeirDocuments
internal import WeirHTTP
internal import WeirMediation
internal import WeirModel

/// The pages that stand in the program itself.
extension Services {
    private static let player = bytes(cweirdocuments_player())
    private static let inspector = bytes(cweirdocuments_inspector())

    /// What the inspector may do: run its own script and call the gateway it came from, nothing else; nobody may frame it.
    private static let inspectorPolicy =
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    private static func bytes(_ file: CWeirDocument) -> [UInt8] {
        Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }

    /// `GET /player`: tries playback sessions of videos and of audio, in `development`.
    func playerPage(_ call: RoutedCall) throws(Problem) -> ServerResponse { try trial(Self.player, "/player") }

    /// `GET /radio`: leads to the player's audio tab, in `development`.
    func radioPage(_ call: RoutedCall) throws(Problem) -> ServerResponse {
        _ = try trial([], "/radio")
        return ServerResponse(status: 302, headers: [("Location", "/player?tab=audio")], body: .bytes([]))
    }

    /// `GET /` of the admin listener: the inspector.
    ///
    /// The page itself holds nothing that is secret and is served to everybody who reaches the listener; what it shows
    /// it asks for, with the operator's key where there is one.
    func inspectorPage(_ call: RoutedCall) -> ServerResponse {
        Self.page(Self.inspector).with("Content-Security-Policy", Self.inspectorPolicy)
    }

    private func trial(_ page: [UInt8], _ address: String) throws(Problem) -> ServerResponse {
        guard adapters.lineup.catalog.environment == .development else { throw .notFound("address \(address)") }
        return Self.page(page)
    }

    private static func page(_ page: [UInt8]) -> ServerResponse {
        ServerResponse(
            status: 200,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-cache"),
                ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
            ],
            body: .bytes(page)
        )
    }
}
