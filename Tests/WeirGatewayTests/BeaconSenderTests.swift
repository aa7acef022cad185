import Testing
import WeirAdapterKit
import WeirModel
import WeirTesting
import WeirTime

@testable import WeirGateway

@Suite("BeaconSender", .timeLimit(.minutes(10)))
struct BeaconSenderTests {
    private let clock = ManualClock()
    private let observer = CountingObserver()

    private func sender() -> BeaconSender { BeaconSender(clock: clock, observer: observer) }

    private func transport(_ reply: StubTransport.Reply) -> StubTransport {
        StubTransport(clock: clock) { _ in reply }
    }

    @Test("each URL is called once with GET; empty and blank ones are not")
    func sends() async {
        let transport = transport(.response(InboundResponse(status: 204)))
        sender().send(["https://n.test/1", "", "about:blank", "https://n.test/2"], for: "n", over: transport)
        await observer.wait(.sent, 2)
        #expect(Set(transport.requests.map(\.url)) == ["https://n.test/1", "https://n.test/2"])
        #expect(transport.requests.allSatisfy { $0.method == "GET" && $0.body.isEmpty })
        #expect(observer.count(.failed) == 0)
    }

    @Test("one that fails is counted, and not tried again")
    func fails() async {
        let transport = transport(.failure(.gone))
        sender().send(["https://n.test/1"], for: "n", over: transport)
        await observer.wait(.failed, 1)
        #expect(transport.requests.count == 1)
        #expect(observer.count(.sent) == 0)
    }

    @Test("one that hangs is given up after its time")
    func hangs() async {
        let transport = transport(.hang)
        sender().send(["https://n.test/1"], for: "n", over: transport)
        await clock.sleepers(1)
        clock.advance(by: BeaconSender.patience - .milliseconds(1))
        #expect(observer.count(.failed) == 0)
        clock.advance(by: .milliseconds(1))
        await observer.wait(.failed, 1)
    }

    @Test("one answer is owed only so many, so that it leaves room for others")
    func answerBound() async {
        let transport = transport(.response(InboundResponse(status: 204)))
        let urls = (0..<BeaconSender.answerLimit + 3).map { "https://n.test/\($0)" }
        sender().send(["about:blank"] + urls, for: "n", over: transport)
        #expect(observer.count(.dropped) == 3)
        await observer.wait(.sent, BeaconSender.answerLimit)
        #expect(transport.requests.count == BeaconSender.answerLimit)
    }

    @Test("beyond the limit beacons are dropped and counted; when some have ended there is room again")
    func bound() async {
        let hanging = transport(.hang)
        let sender = sender()
        let urls = (0..<BeaconSender.limit + 3).map { "https://n.test/\($0)" }
        for url in urls { sender.send([url], for: "n", over: hanging) }
        #expect(observer.count(.dropped) == 3)
        await clock.sleepers(BeaconSender.limit)
        clock.advance(by: BeaconSender.patience)
        await observer.wait(.failed, BeaconSender.limit)
        // The count falls a moment after the observer has heard of it.
        await waitUntil {
            sender.send(["https://n.test/again"], for: "n", over: transport(.response(InboundResponse(status: 204))))
            return observer.count(.sent) > 0
        }
    }
}
