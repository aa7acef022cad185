import Testing
import WeirAdapterKit
import WeirJSON
import WeirModel
import WeirRuntime
import WeirTime

@testable import WeirCarriers

/// Whatever comes, in whatever order: what must always hold.
@Suite("ProcessMachine, random sequences")
struct ProcessMachineSequenceTests {
    private static let lines = [
        #"{"type":"hello","id":1,"api":1,"version":"1","formats":["video"]}"#, #"{"type":"ready","id":2}"#,
        #"{"type":"hello","id":1,"api":2,"version":"1","formats":["video"]}"#,
        #"{"type":"failed","id":2,"reason":"r"}"#, #"{"type":"progress","id":2,"done":"d"}"#,
        #"{"type":"requests","id":2,"requests":[{"url":"https://a.example"}]}"#,
        #"{"type":"outcome","id":3,"result":"no_fill","reason":"no_ad"}"#,
        #"{"type":"outcome","id":4,"result":"no_fill","reason":"no_ad"}"#, #"{"type":"error","id":5}"#,
        #"{"type":"outcome","id":6,"result":"?"}"#, "garbage", #"{"id":7,"#, "{}",
    ]

    private static func event(_ random: inout SystemRandomNumberGenerator) -> ProcessMachine.Event {
        switch Int.random(in: 0..<24, using: &random) {
        case 0: .start
        case 1: .startFailed("no")
        case 2: .cutLine(Array(#"{"id":3,"#.utf8))
        case 3: .outputEnded
        case 4: .errorsEnded
        case 5: .inputBroken
        case 6: .ended(.signalled(9))
        case 7: .timer(.hello)
        case 8: .timer(.grace)
        case 9: .timer(.rest)
        case 10: .replies([])
        case 11: .giveUp(id: Int.random(in: 1...8, using: &random))
        case 12: .stop
        default: .line(Array((lines.randomElement(using: &random) ?? "").utf8))
        }
    }

    @Test("each question is answered once, a set-up ends once, and it is over once")
    func invariants() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<3000 {
            var history: [String] = []
            var machine = ProcessMachine(
                network: "acme",
                settings: [:],
                configuration: ProcessConfiguration(command: ["x"], directory: "."),
                weir: ""
            )
            var open: Set<Int> = []
            var (setUps, overs, crashes) = (0, 0, 0)
            func take(_ commands: [ProcessMachine.Command]) {
                for command in commands {
                    switch command {
                    case .answer(let id, _): #expect(open.remove(id) != nil, "\(history)")
                    case .setUpEnded: setUps += 1
                    case .crashed: crashes += 1
                    case .over: overs += 1
                    default: break
                    }
                }
            }
            var events: [ProcessMachine.Event] = [.start]
            for _ in 0..<Int.random(in: 0...40, using: &random) { events.append(Self.event(&random)) }
            // In the end every process ends, and its streams with it.
            events += [.ended(.exited(1)), .outputEnded, .errorsEnded]
            for event in events {
                history.append("\(event)")
                if case .giveUp(let id) = event { open.remove(id) }
                take(machine.handle(event))
                if case .success(let id) = machine.admit() { open.insert(id) }
            }
            #expect(open.isEmpty, "\(history)")
            #expect(setUps == 1 && overs == 1 && crashes <= 1, "\(setUps) \(overs) \(crashes) \(history)")
            #expect(machine.phase == .over)
        }
    }
}
