internal import Glibc
internal import WeirAdapterKit
internal import WeirRuntime
internal import WeirTime

/// One adapter by one carrier, and how it is loaded.
struct Carrier: Sendable {
    var name: String
    var adapter: any NetworkAdapter
    var ask: AdAsk
    /// Loads of one round.
    var loads: Int
    var inFlight = 1
    /// The most that a load may cost.
    var limit: Duration?
    /// The adapter's own process.
    var process: Int32?

    /// Loads so many times; on the loop, as requests do.
    @discardableResult
    func load(_ count: Int, on loop: EventLoop) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for worker in 0..<inFlight {
                group.addTask(executorPreference: loop) { [self] in
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

    /// One round.
    func measure(on loop: EventLoop) async -> Cost {
        let clock = RuntimeClock()
        let (here, there, start) = (ProcessorTime.own, ProcessorTime.of(process), clock.now)
        let fills = await load(loads, on: loop)
        let wall = start.duration(to: clock.now)
        return Cost(
            wall: wall / loads,
            here: (ProcessorTime.own - here) / loads,
            there: (ProcessorTime.of(process) - there) / loads,
            isComplete: fills == loads
        )
    }
}

/// The time that processors gave to a process.
enum ProcessorTime {
    /// This process.
    static var own: Duration {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return .seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + .microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }

    /// Another process, in nanoseconds as the scheduler counts them; nothing for none.
    static func of(_ process: Int32?) -> Duration {
        guard let process, let text = firstLine("/proc/\(process)/schedstat"),
            let nanoseconds = text.split(separator: " ").first.flatMap({ Int64($0) })
        else { return .zero }
        return .nanoseconds(nanoseconds)
    }

    /// The children of all threads of this process.
    static var children: Set<Int32> {
        var children: Set<Int32> = []
        guard let folder = opendir("/proc/self/task") else { return [] }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard Int(name) != nil, let line = firstLine("/proc/self/task/\(name)/children") else { continue }
            children.formUnion(line.split(separator: " ").compactMap { Int32($0) })
        }
        return children
    }

    private static func firstLine(_ path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 4096)
        guard fgets(&line, 4096, file) != nil else { return nil }
        return String(decoding: line.prefix { $0 != 0 && $0 != 0x0A }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
