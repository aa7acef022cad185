import Glibc
import WeirAdapterKit
import WeirHTTP
import WeirRuntime
import WeirTime

/// What a GET through the client costs, on each road in turn: processor time of this process, one event loop.
///
/// `bench-client URL [REQUESTS [AT-ONCE [ROUNDS]]]`; the server should be tied to another processor.
@main
enum ClientBenchmark {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        guard let url = words.first else { return print("usage: bench-client URL [REQUESTS [AT-ONCE [ROUNDS]]]") }
        let numbers = words.dropFirst().compactMap { Int($0) }
        let requests = numbers.first ?? 20_000
        let atOnce = numbers.dropFirst().first ?? 16
        let rounds = numbers.dropFirst(2).first ?? 5
        print(
            "\(requests) GETs a round, \(atOnce) at once; the median of \(rounds) rounds, which the roads take in turn"
        )
        let group = try EventLoopGroup(count: 1)
        let pools = ClientRoad.allCases.map { ($0, HTTPClientPool(group: group, road: $0)) }
        var samples: [ClientRoad: [Double]] = [:]
        let policy = OutboundPolicy(allowPrivate: try AddressPolicy(allowPrivate: ["127.0.0.0/8"]))
        for round in 0...rounds {
            for (road, pool) in pools {
                let cost = try await measure(pool.transport(policy: policy), url, requests, atOnce, on: group.loops[0])
                // The first round opens the connections.
                if round > 0 { samples[road, default: []].append(cost) }
            }
        }
        for (road, pool) in pools {
            let sorted = (samples[road] ?? []).sorted()
            print("\(road): \((sorted[sorted.count / 2] * 100).rounded() / 100) µs a request")
            await pool.shutdown()
        }
        await group.shutDown()
    }

    /// Microseconds of processor time a request.
    private static func measure(
        _ transport: NetworkTransport,
        _ url: String,
        _ requests: Int,
        _ atOnce: Int,
        on loop: EventLoop
    ) async throws -> Double {
        let before = processorTime()
        try await withThrowingTaskGroup { group in
            for _ in 0..<atOnce {
                group.addTask(executorPreference: loop) {
                    for _ in 0..<(requests / atOnce) {
                        let request = OutboundRequest(url: url)
                        let response = try await transport.send(request, deadline: Deadline(.now + .seconds(5)))
                        precondition(response.status == 200, "the server does not answer with 200")
                    }
                }
            }
            try await group.waitForAll()
        }
        return (processorTime() - before) / Double(requests / atOnce * atOnce)
    }

    private static func processorTime() -> Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        func microseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1e6 + Double(time.tv_usec) }
        return microseconds(usage.ru_utime) + microseconds(usage.ru_stime)
    }
}
