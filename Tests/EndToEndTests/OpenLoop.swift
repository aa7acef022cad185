import WeirTesting
import WeirTime

/// Sends requests on a timetable, whatever the answers take: a slow gateway gets no fewer of them.
///
/// Only when ``limit`` are under way does it wait: every one of them is a thread and some descriptors of this process.
struct OpenLoop: Sendable {
    /// How many requests begin each second.
    var perSecond: Int
    /// The most requests under way; at 200 a second that is a second and a half of silence.
    var limit = 300
    /// The member whose first text in an answer tells which version decided.
    var mark = "line_item"

    /// What came of them.
    struct Report: Sendable, CustomStringConvertible {
        /// Requests begun.
        var asked = 0
        /// How many began each second, as measured.
        var perSecond = 0.0
        /// Requests that had to wait because ``OpenLoop/limit`` were under way: the machine cannot bear the timetable.
        var heldBack = 0
        /// What was not a fill, at most ten of them.
        var failures: [String] = []
        /// Fills by the configuration's version and the text of ``OpenLoop/mark``.
        var lines: [String: [String: Int]] = [:]
        /// How long answers took, from the time when they were due to begin.
        var times: [Duration] = []

        var description: String {
            let sorted = times.sorted()
            func share(_ percent: Int) -> Duration {
                sorted.isEmpty ? .zero : sorted[(sorted.count - 1) * percent / 100]
            }
            return
                "\(asked) requests, \(Int(perSecond.rounded())) a second, \(failures.count) failed, \(heldBack) held back; "
                + "p50 \(share(50)), p99 \(share(99)), longest \(share(100))"
        }
    }

    private enum Outcome: Sendable {
        case fill(version: String, line: String, Duration)
        case failure(String)
    }

    /// Asks for ads until `isOver`.
    func run(_ gateway: LiveGateway, until isOver: @escaping @Sendable () -> Bool) async -> Report {
        let start = ContinuousClock.now
        var report = Report()
        let outcomes = await withTaskGroup(of: Outcome.self, returning: [Outcome].self) { group in
            var outcomes: [Outcome] = []
            let done = Counter()
            while !isOver() {
                let due = start.advanced(by: .seconds(1) / perSecond * report.asked)
                // Late by a little? Then without a pause, so that the timetable is kept.
                if due > .now { try? await SystemClock().sleep(until: due) }
                if report.asked - done.value >= limit { report.heldBack += 1 }
                while report.asked - done.value >= limit, let outcome = await group.next() {
                    outcomes.append(outcome)
                }
                group.addTask {
                    defer { done.add() }
                    return await ask(gateway, due: due)
                }
                report.asked += 1
            }
            report.perSecond = Double(report.asked) / (ContinuousClock.now - start).seconds
            return await group.reduce(into: outcomes) { $0.append($1) }
        }
        for outcome in outcomes {
            switch outcome {
            case .fill(let version, let line, let time):
                report.lines[version, default: [:]][line, default: 0] += 1
                report.times.append(time)
            case .failure(let why): if report.failures.count < 10 { report.failures.append(why) }
            }
        }
        return report
    }

    private func ask(_ gateway: LiveGateway, due: ContinuousClock.Instant) async -> Outcome {
        do {
            let reply = try await gateway.open.post("/v1/ads", json: "{\"placement\": \"p\"}")
            // Looked at as text: reading each answer whole would cost the machine more than giving it.
            let text = reply.text
            guard reply.status == 200, reply.isComplete, text.contains("\"result\":\"fill\""),
                let version = value(of: "config", in: text), let line = value(of: mark, in: text)
            else { return .failure("\(reply.status): \(text.prefix(300))") }
            return .fill(version: version, line: line, ContinuousClock.now - due)
        } catch {
            return .failure("\(error)")
        }
    }
}

/// The first text called `name`.
private func value(of name: String, in text: String) -> String? {
    guard let mark = text.firstRange(of: "\"\(name)\":\"") else { return nil }
    return String(text[mark.upperBound...].prefix { $0 != "\"" })
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
