internal import CWeirDocuments
internal import WeirHTTP
internal import WeirMediation
internal import WeirModel

/// `GET /player` and `GET /radio`: pages to try playback sessions with, of videos and of audio.
///
/// Served where the environment is `development`, as in the demo.
extension Services {
    private static let player = bytes(cweirdocuments_player())
    private static let radio = bytes(cweirdocuments_radio())

    private static func bytes(_ file: CWeirDocument) -> [UInt8] {
        Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }

    func playerPage(_ call: RoutedCall) throws(Problem) -> ServerResponse { try page(Self.player, "/player") }

    func radioPage(_ call: RoutedCall) throws(Problem) -> ServerResponse { try page(Self.radio, "/radio") }

    private func page(_ page: [UInt8], _ address: String) throws(Problem) -> ServerResponse {
        guard adapters.lineup.catalog.environment == .development else { throw .notFound("address \(address)") }
        return ServerResponse(
            status: 200,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-cache"),
                ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
            ],
            body: .bytes(page)
        )
    }
}
