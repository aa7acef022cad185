internal import WeirJSON
internal import WeirModel
internal import WeirTime

/// Turns an ``HTTPAdapter`` into a process that Weir starts: docs/adapter-protocol.md.
///
/// ```swift
/// @main
/// enum AcmeProcess {
///     static func main() async { await ProcessAdapterHost(AcmeAdapterFactory.factory).run() }
/// }
/// ```
///
/// One message is answered after the other: an adapter's two halves are pure functions that take microseconds. What the
/// set-up wants sent, the gateway sends, as it does for loads; a process needs no network of its own.
public struct ProcessAdapterHost: Sendable {
    private let factory: AdapterFactory

    /// A host of the adapters that `factory` makes.
    public init(_ factory: AdapterFactory) {
        self.factory = factory
    }

    /// Answers the gateway until it says `tear_down` or closes the input.
    ///
    /// Uses the standard input and output; nothing else may write to the output. `AdapterContext.log` goes to the
    /// standard error. Does not listen to cancellation.
    public func run() async {
        let streams = HostStreams()
        var adapter: (any HTTPAdapter)?
        while let message = streams.next() {
            let id = message["id"]?.int ?? 0
            switch message["type"]?.string {
            case "hello": streams.answer(id, .hello(api: factory.descriptor.api, factory.descriptor))
            case "set_up": adapter = await setUp(message, id, streams)
            case "make_requests": streams.answer(id, request(message, adapter))
            case "outcome": streams.answer(id, outcome(message, adapter))
            case "tear_down":
                await adapter?.tearDown()
                return
            default: streams.answer(id, .error("unknown message"))
            }
        }
    }

    private func setUp(_ message: JSONValue, _ id: Int, _ streams: HostStreams) async -> (any HTTPAdapter)? {
        let context = AdapterContext(
            network: NetworkID(streams.network),
            transport: HostTransport(streams: streams, id: id),
            clock: SystemClock(),
            log: { HostStreams.log($0) }
        )
        do {
            let made: any NetworkAdapter
            do throws(SettingsError) { made = try factory.make(message["settings"] ?? [:], context) } catch {
                throw SetUpFailure(
                    reason: "\(error.path) \(error.message)",
                    remedy: "Correct \(error.path).",
                    isRetryable: false
                )
            }
            guard let adapter = made as? any HTTPAdapter else {
                throw SetUpFailure(reason: "it is no HTTPAdapter", remedy: "Make it one.", isRetryable: false)
            }
            let progress = SetUpProgress()
            try await adapter.setUp(progress)
            streams.answer(id, .ready(progress.note.done))
            return adapter
        } catch let failure as SetUpFailure {
            streams.answer(id, .failed(failure))
        } catch {
            streams.answer(id, .failed(SetUpFailure(reason: "\(error)", remedy: "Look at the adapter's log.")))
        }
        return nil
    }

    private func request(_ message: JSONValue, _ adapter: (any HTTPAdapter)?) -> AdapterAnswer.Content {
        guard let adapter else { return .error("it is not set up") }
        do throws(AdapterError) {
            return .requests([AdapterRequest(try adapter.request(for: ask(message)))])
        } catch {
            return .outcome(.failure(error))
        }
    }

    private func outcome(_ message: JSONValue, _ adapter: (any HTTPAdapter)?) -> AdapterAnswer.Content {
        guard let adapter else { return .error("it is not set up") }
        guard let reply = message["replies"]?[0], case .success(let response)? = AdapterReply(wire: reply)?.result
        else {
            return .error("the message holds no reply")
        }
        do throws(AdapterError) {
            return .outcome(.success(try adapter.outcome(of: response, for: ask(message))))
        } catch {
            return .outcome(.failure(error))
        }
    }

    private func ask(_ message: JSONValue) -> AdAsk {
        AdAsk(
            wire: message["ask"] ?? [:],
            deadline: .after(.milliseconds(message["remaining_ms"]?.int ?? 0), clock: SystemClock())
        )
    }
}

/// Has the gateway send what a set-up wants sent.
private struct HostTransport: HTTPTransport {
    let streams: HostStreams
    let id: Int

    func send(_ request: OutboundRequest, deadline: Deadline) async throws(TransportError) -> InboundResponse {
        var wanted = AdapterRequest(request)
        wanted.wantsAnyStatus = true
        streams.answer(id, .requests([wanted]))
        // Until it has an answer the gateway says nothing else, but that it is over.
        guard let message = streams.next(), message["type"]?.string == "replies",
            let reply = message["replies"]?[0].flatMap(AdapterReply.init(wire:))
        else { throw TransportError(.cancelled, "The gateway sends nothing any more.") }
        return try reply.result.get()
    }
}
