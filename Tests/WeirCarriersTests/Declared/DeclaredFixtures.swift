import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirTesting
import WeirTime

@testable import WeirCarriers

/// The time of asks and adapters that need no other.
let fixtureClock = ManualClock()

/// An ask in which nearly everything is said.
func fullAsk(_ clock: ManualClock = fixtureClock, _ change: (inout AdRequest) -> Void = { _ in }) -> AdAsk {
    var request = AdRequest(placement: "spot")
    request.player.width = 640
    request.player.height = 360
    request.player.isMuted = true
    request.player.mimes = ["video/mp4", "video/webm"]
    request.device.ip = "203.0.113.7"
    request.device.userAgent = "Player \"1\" & more"
    request.device.advertisingID = "AB-CD"
    request.user.age = 34
    request.user.gender = "female"
    request.content.url = "https://site.example/a?b=c"
    request.content.duration = .milliseconds(61_500)
    request.targeting = ["genre": ["drama", "crime"]]
    var consent = AdRequest.Consent()
    consent.gdpr = true
    consent.gppSections = [7, 8]
    request.consent = consent
    change(&request)
    var unit = AdUnit(id: "unit", format: .video)
    unit.floor = Currency("EUR").flatMap { Money(amount: "1.50", currency: $0) }
    return AdAsk(
        requestID: "request-1",
        request: request,
        adUnit: unit,
        lineItem: LineItem(id: "line", network: "network", networkUnit: "/1/a b"),
        deadline: .after(.milliseconds(700), clock: clock)
    )
}

/// An ask that says nothing but its placement.
func bareAsk(_ clock: ManualClock = fixtureClock) -> AdAsk {
    AdAsk(
        requestID: "request-1",
        request: AdRequest(placement: "spot"),
        adUnit: AdUnit(id: "unit", format: .video),
        lineItem: LineItem(id: "line", network: "network", networkUnit: "u"),
        deadline: .after(.milliseconds(700), clock: clock)
    )
}

/// The adapter of a file without complaints.
func adapter(
    _ file: JSONValue,
    settings: JSONValue = [:],
    transport: any HTTPTransport = NoNetwork(),
    clock: ManualClock = fixtureClock,
    log: @escaping @Sendable (String) -> Void = { _ in }
) throws -> any NetworkAdapter {
    let problems = JSONProblems()
    var reading = DeclaredReading(file, problems: problems) { _ in [] }
    let factory = reading.factory()
    if let problem = problems.list.first { throw SettingsError(path: "\(problem.path)", message: problem.message) }
    return try factory.make(
        settings,
        AdapterContext(network: "network", transport: transport, clock: clock, log: log)
    )
}

/// A transport that nobody may use.
struct NoNetwork: HTTPTransport {
    func send(_ request: OutboundRequest, deadline: Deadline) async throws(TransportError) -> InboundResponse {
        throw TransportError(.connectionRefused, "nobody is there")
    }
}
