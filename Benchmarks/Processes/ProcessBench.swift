internal import Glibc
internal import WeirAdapterKit
internal import WeirCarriers
internal import WeirJSON
internal import WeirModel
internal import WeirRuntime
internal import WeirTime

/// What a load through a process costs: `bench-processes [--loads N] [--in-flight N] -- COMMAND…`
///
/// The network answers at once and in memory, so that nothing but the two messages and their answers is measured. CPU
/// is that of this process and of the adapter's together; the wall clock tells the time of one load.
@main
enum ProcessBench {
    static func main() async {
        var words = Array(CommandLine.arguments.dropFirst())
        let loads = number("--loads", in: &words) ?? 20_000
        let inFlight = number("--in-flight", in: &words) ?? 32
        if words.first == "--" { words.removeFirst() }
        guard !words.isEmpty else {
            print("usage: bench-processes [--loads N] [--in-flight N] -- COMMAND…")
            exit(2)
        }
        do {
            let loop = EventLoop()
            try loop.start()
            let report = try await Run(command: words, loop: loop, loads: loads, inFlight: inFlight).report()
            await loop.shutDown()
            print(report)
        } catch {
            print("\(error)")
            exit(1)
        }
    }

    private static func number(_ name: String, in words: inout [String]) -> Int? {
        guard let place = words.firstIndex(of: name), words.indices.contains(place + 1) else { return nil }
        defer { words.removeSubrange(place...(place + 1)) }
        return Int(words[place + 1])
    }
}

/// One measurement.
private struct Run: Sendable {
    let command: [String]
    let loop: EventLoop
    let loads: Int
    let inFlight: Int

    func report() async throws -> String {
        let clock = RuntimeClock()
        let context = AdapterContext(network: "bench", transport: AtOnce(), clock: clock, log: { print($0) })
        let adapter = ProcessAdapter(
            ProcessConfiguration(command: command, directory: "."),
            settings: ["url": "https://bid.bidco.example/v1"],
            context: context,
            loop: loop
        )
        try await adapter.setUp(SetUpProgress())
        _ = try await fill(adapter, loads / 10)
        let child = childTime()
        let (cpu, start) = (ownTime(), clock.now)
        let fills = try await fill(adapter, loads)
        let wall = start.duration(to: clock.now)
        let own = ownTime() - cpu
        let both = own + childTime() - child
        await adapter.tearDown()
        func each(_ time: Duration, _ count: Int) -> String { "\(time.microseconds / Int64(max(1, count))) µs" }
        return """
            \(command.joined(separator: " ")): \(fills) of \(loads) filled, \(inFlight) in flight
              wall clock   \(each(wall, loads)) a load (\(Int64(loads) * 1_000_000 / max(1, wall.microseconds)) loads a second)
              CPU, Weir    \(each(own, loads)) a load, \(each(own, 2 * loads)) a message
              CPU, adapter \(each(both - own, loads)) a load, \(each(both - own, 2 * loads)) a message
              CPU, both    \(each(both, loads)) a load, \(each(both, 2 * loads)) a message
            """
    }

    /// Loads so many times, `inFlight` at once, on the loop as requests do.
    private func fill(_ adapter: ProcessAdapter, _ count: Int) async throws -> Int {
        await withTaskGroup(of: Int.self) { group in
            for worker in 0..<inFlight {
                group.addTask(executorPreference: loop) {
                    var fills = 0
                    for _ in stride(from: worker, to: count, by: inFlight) {
                        if let outcome = try? await adapter.load(ask), case .fill = outcome { fills += 1 }
                    }
                    return fills
                }
            }
            return await group.reduce(0, +)
        }
    }

    private var ask: AdAsk {
        var request = AdRequest(placement: "movie_preroll")
        request.device.ip = "203.0.113.7"
        request.device.userAgent = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36"
        request.device.os = "android"
        request.device.language = "en"
        request.player.width = 1280
        request.player.height = 720
        request.player.mimes = ["video/mp4", "video/webm"]
        return AdAsk(
            requestID: "01M8NEQHAP855MXZGB8M3V3CD3",
            request: request,
            adUnit: AdUnit(id: "preroll", format: .video),
            lineItem: LineItem(id: "bidco-1", network: "bench", networkUnit: "home-1"),
            deadline: .after(.seconds(20), clock: RuntimeClock())
        )
    }

    private func ownTime() -> Duration {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return .seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + .microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }

    /// The CPU time of this process's only child, in the kernel's ticks of 10 ms.
    private func childTime() -> Duration {
        guard let file = fopen("/proc/self/task/\(getpid())/children", "r") else { return .zero }
        defer { fclose(file) }
        var number: Int32 = 0
        var line = [CChar](repeating: 0, count: 4096)
        guard fgets(&line, 4096, file) != nil else { return threadsChildTime() }
        number = Int32(text(line).split(separator: " ").first ?? "") ?? 0
        return ticks(number)
    }

    /// The child belongs to the thread that started it.
    private func threadsChildTime() -> Duration {
        guard let folder = opendir("/proc/self/task") else { return .zero }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard Int(name) != nil, let file = fopen("/proc/self/task/\(name)/children", "r") else { continue }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 4096)
            guard fgets(&line, 4096, file) != nil else { continue }
            if let number = Int32(text(line).split(separator: " ").first ?? "") { return ticks(number) }
        }
        return .zero
    }

    private func ticks(_ number: Int32) -> Duration {
        guard let file = fopen("/proc/\(number)/stat", "r") else { return .zero }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 4096)
        guard fgets(&line, 4096, file) != nil else { return .zero }
        let fields = text(line).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Int64(fields[11]), let system = Int64(fields[12]) else { return .zero }
        return .milliseconds((user + system) * 10)
    }

    private func text(_ line: [CChar]) -> String {
        String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// A network that answers at once.
private struct AtOnce: HTTPTransport {
    private static let body = Array(
        #"{"bids": [{"id": "b-1", "cpm": 1.25, "currency": "EUR", "vast": "<VAST version=\"4.2\"><Ad id=\"1\"><InLine><AdSystem>BidCo</AdSystem><AdTitle>A film</AdTitle><Impression>https://t.bidco.example/i</Impression></InLine></Ad></VAST>"}]}"#
            .utf8
    )

    func send(_ request: OutboundRequest, deadline: Deadline) async throws(TransportError) -> InboundResponse {
        InboundResponse(status: 200, headers: [HTTPHeader("Content-Type", "application/json")], body: Self.body)
    }
}
