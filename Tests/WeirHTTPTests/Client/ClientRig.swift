import Testing
import WeirAdapterKit
import WeirRuntime
import WeirTime

@testable import WeirHTTP

/// Loops with a client, for one test.
struct ClientRig: Sendable {
    let group: EventLoopGroup
    let clients: HTTPClientPool
    let transport: NetworkTransport

    /// The road of clients that a test makes; ``BothRoads`` changes it.
    @TaskLocal static var road = ClientRoad.direct

    /// Runs `body` with a transport that may reach `allow`, and takes everything down afterwards.
    static func run(
        loops: Int = 1,
        allow: [String] = ["127.0.0.1"],
        limits: ClientLimits = ClientLimits(),
        change: (inout OutboundPolicy) -> Void = { _ in },
        _ body: @Sendable (ClientRig) async throws -> Void
    ) async throws {
        let group = try EventLoopGroup(count: loops)
        let clients = HTTPClientPool(group: group, limits: limits, road: road)
        var policy = OutboundPolicy(allowPrivate: try AddressPolicy(allowPrivate: allow))
        change(&policy)
        let rig = ClientRig(group: group, clients: clients, transport: clients.transport(policy: policy))
        let outcome: Result<Void, any Error>
        do {
            try await group.loops[0].perform { try await body(rig) }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await clients.shutdown()
        await group.shutDown()
        try outcome.get()
    }

    /// Asks for `url`; the deadline is far away unless told otherwise.
    func get(
        _ url: String,
        method: String = "GET",
        headers: [HTTPHeader] = [],
        body: [UInt8] = [],
        within time: Duration = .seconds(20)
    ) async throws -> InboundResponse {
        try await transport.send(
            OutboundRequest(method: method, url: url, headers: headers, body: body),
            deadline: Deadline(.now + time)
        )
    }

    /// The error of a request that must fail.
    func failure(_ url: String, within time: Duration = .seconds(20)) async throws -> TransportError {
        do {
            let response = try await get(url, within: time)
            Issue.record("answered with \(response.status)")
            throw TransportError(.cancelled, "no failure")
        } catch let error as TransportError {
            return error
        }
    }
}

/// Runs each test once on each road: what they do must be the same.
struct BothRoads: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        for road in ClientRoad.allCases {
            try await ClientRig.$road.withValue(road) { try await function() }
        }
    }
}

extension Trait where Self == BothRoads {
    /// Each test once on each road.
    static var bothRoads: Self { BothRoads() }
}

extension InboundResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// Bytes that are not all alike.
func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) } }
