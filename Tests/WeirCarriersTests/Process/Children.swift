import Glibc
import WeirAdapterKit
import WeirCarriers
import WeirJSON
import WeirModel
import WeirRuntime
import WeirTesting
import WeirTime

/// Programs for the shell that speak the protocol, or do not.
enum Children {
    /// Says hello and is ready.
    static let start = """
        answer() { id=${line#*'"id":'}; id=${id%%[,\\}]*}; printf '%s\\n' "$1\\"id\\":$id,$2"; }
        read -r line; answer '{"type":"hello",' '"api":1,"version":"1.0","formats":["video"]}'
        read -r line; answer '{"type":"ready",' '"done":"looked around"}'

        """

    /// Reads messages and does `step` with each, as `$line`.
    static func loop(_ step: String) -> String { start + "while read -r line; do\n\(step)\ndone\n" }

    /// Answers everything with a no-fill.
    static let noFill = loop(#"answer '{"type":"outcome",' '"result":"no_fill","reason":"no_ad"}'"#)

    /// Has `https://acme.example/ad` asked and offers what comes.
    static let honest = loop(
        #"""
        case $line in
        *'"type":"make_requests"'*) answer '{"type":"requests",' '"requests":[{"url":"https://acme.example/ad"}]}';;
        *'"type":"outcome"'*) answer '{"type":"outcome",' '"result":"fill","offers":[{"vast":"<VAST version=\"4.2\"><Ad/></VAST>","price":{"amount":"2.50","currency":"USD"}}]}';;
        *'"type":"tear_down"'*) exit 0;;
        esac
        """#
    )
}

/// An adapter whose process is a shell script, on a loop of its own.
struct Rig: Sendable {
    let adapter: ProcessAdapter
    let loop: EventLoop
    let crashes = Kept<SetUpFailure>()
    let log: Kept<String>
    let transport: StubTransport

    /// Runs `body` with an adapter whose process runs `script`; then tears it down.
    static func run<Value: Sendable>(
        _ script: String,
        answer: @escaping @Sendable (OutboundRequest) -> StubTransport.Reply = { _ in .response(.text("<VAST/>")) },
        configure: (inout ProcessConfiguration) -> Void = { _ in },
        _ body: @Sendable (Rig) async throws -> Value
    ) async throws -> Value {
        let loop = EventLoop()
        try loop.start()
        var configuration = ProcessConfiguration(command: ["sh", "-c", script], directory: "/")
        configuration.grace = .milliseconds(300)
        configure(&configuration)
        let clock = RuntimeClock()
        let log = Kept<String>()
        let transport = StubTransport(clock: clock, answer: answer)
        let context = AdapterContext(network: "acme", transport: transport, clock: clock, log: { log.add($0) })
        let adapter = ProcessAdapter(
            configuration,
            settings: ["token": "s3cret-token"],
            context: context,
            loop: loop,
            scrub: { $0.replacing("s3cret-token", with: "***") }
        )
        let rig = Rig(adapter: adapter, loop: loop, log: log, transport: transport)
        adapter.observe { [crashes = rig.crashes] in crashes.add($0) }
        do {
            let value = try await body(rig)
            await adapter.tearDown()
            await loop.shutDown()
            return value
        } catch {
            await adapter.tearDown()
            await loop.shutDown()
            throw error
        }
    }

    /// Sets it up; the failure, if it fails.
    @discardableResult
    func setUp() async -> SetUpFailure? {
        do throws(SetUpFailure) {
            try await adapter.setUp(SetUpProgress())
            return nil
        } catch {
            return error
        }
    }

    /// Loads once; what is answered.
    func answer(_ time: Duration = .seconds(20)) async -> Result<LoadOutcome, AdapterError> {
        var ask = AdAsk(
            requestID: "r",
            request: AdRequest(placement: "p"),
            adUnit: AdUnit(id: "u", format: .video),
            lineItem: LineItem(id: "l", network: "acme", networkUnit: "n"),
            deadline: .after(time, clock: RuntimeClock())
        )
        ask.request.device.ip = "203.0.113.7"
        do throws(AdapterError) { return .success(try await adapter.load(ask)) } catch { return .failure(error) }
    }

    /// Loads once; the verdict in a few words.
    func load(_ time: Duration = .seconds(20)) async -> String {
        switch await answer(time) {
        case .success(.fill(let offers)):
            return "fill " + offers.map { $0.price?.description ?? "-" }.joined(separator: ",")
        case .success(.noFill(let noFill)): return "no_fill(\(noFill.reason.rawValue))"
        case .failure(let error):
            let outcome = error.outcome
            let code = outcome.networkCode.map { " \($0)" } ?? ""
            return "\(outcome.result.rawValue)(\(outcome.reason.rawValue))\(code)"
        }
    }
}

/// Things that several tasks gather.
final class Kept<Element: Sendable>: Sendable {
    private let state = Lock<[Element]>([])

    var all: [Element] { state.withLock { $0 } }

    func add(_ element: Element) { state.withLock { $0.append(element) } }
}

/// What belongs to this process now.
enum Belongings {
    /// Its open descriptors.
    static var descriptors: Int {
        guard let folder = opendir("/proc/self/fd") else { return -1 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }

    /// Whether a process with this number is there and no zombie.
    static func lives(_ number: Int32) -> Bool {
        guard let file = fopen("/proc/\(number)/stat", "r") else { return false }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 512)
        guard fgets(&line, Int32(line.count), file) != nil else { return false }
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.split(separator: ")").last?.split(separator: " ").first != "Z"
    }
}
