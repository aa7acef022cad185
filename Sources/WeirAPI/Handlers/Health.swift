internal import WeirGateway
internal import WeirHTTP
internal import WeirMediation
internal import WeirTime

/// Is the process up, and can it serve?
extension Services {
    func health(_ call: RoutedCall) -> ServerResponse {
        ServerResponse(status: 200, contentType: "text/plain", text: "ok\n")
    }

    /// `ready 3/5, waiting: gam, audioco`; 503 below `min_ready`, and first thing when shutting down.
    func readiness(_ call: RoutedCall) -> ServerResponse {
        if draining.isRaised { return ServerResponse(status: 503, contentType: "text/plain", text: "draining\n") }
        let readiness = adapters.snapshot.readiness
        return ServerResponse(
            status: readiness.isEnough ? 200 : 503,
            contentType: "text/plain",
            text: readiness.description + "\n"
        )
    }

    /// `GET /v1/t/{signed}`: one of Weir's own beacons.
    ///
    /// Who reads the answer to a billing beacon may take for granted that the notice is owed, unless the store is slow.
    func beacon(_ call: RoutedCall) async throws(Problem) -> ServerResponse {
        guard let event = beacons.event(ofBeacon: call.segments[0]) else { throw .notFound("such beacon") }
        if let notice = beacons.billing(ofBeacon: call.segments[0]) { await gateway.notices.bill(notice) }
        counters.beaconReceived(event)
        return ServerResponse(status: 204).with("Cache-Control", "no-store").withCORS(call.request)
    }
}
