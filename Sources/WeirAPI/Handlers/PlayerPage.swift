internal import CWeirDocuments
internal import WeirHTTP
internal import WeirMediation
internal import WeirModel

/// `GET /player`: a page to try playback sessions with; served where the environment is `development`, as in the demo.
extension Services {
    private static let page: [UInt8] = {
        let file = cweirdocuments_player()
        return Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }()

    func playerPage(_ call: RoutedCall) throws(Problem) -> ServerResponse {
        guard adapters.lineup.catalog.environment == .development else { throw .notFound("address /player") }
        return ServerResponse(
            status: 200,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-cache"),
                ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
            ],
            body: .bytes(Self.page)
        )
    }
}
