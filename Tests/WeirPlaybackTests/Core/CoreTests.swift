import Testing
import WeirPlayback
import WeirVAST

/// An output for tests of the envelope.
private struct Note: PlaybackOutput {
    var type: String
    var kind: OutputKind { .event }
    var details: [PlaybackDetail] { [] }
}

@Suite("Playback vocabulary")
struct CoreTests {
    @Test("outputs are numbered from 1 without gaps, and the oldest fall out of a full log")
    func numbering() {
        var log = OutputLog<Note>(limit: 3)
        #expect(log.outputs(after: 0).isEmpty)
        #expect(log.append([Note(type: "a"), Note(type: "b")]).map(\.seq) == [1, 2])
        log.append([Note(type: "c"), Note(type: "d")])
        #expect(log.lastSeq == 4)
        #expect(log.outputs.map(\.seq) == [2, 3, 4])
        #expect(log.outputs(after: 0).map(\.type) == ["b", "c", "d"])
        #expect(log.outputs(after: 3).map(\.type) == ["d"])
        #expect(log.outputs(after: 4).isEmpty)
        #expect(log.outputs(after: .max).isEmpty)
        #expect(log.outputs(after: -7).count == 3)
    }

    @Test(
        "positions that are no positions are refused",
        arguments: [
            .number(.nan), .number(.infinity), .number(-1), .integer(-1), .integer(.max), .number(1e300), .text("5"),
            .flag(true), .null, .list([]),
        ] as [PlaybackValue]
    )
    func positions(value: PlaybackValue) {
        let message = PlaybackMessage("playhead", [PlaybackDetail("position_ms", value)])
        #expect(throws: PlaybackRefusal.self) { try message.milliseconds("position_ms") }
    }

    @Test("members are read by name and type")
    func members() throws {
        let message = PlaybackMessage(
            "x",
            [
                PlaybackDetail("at_ms", .number(1500.4)), PlaybackDetail("on", true), PlaybackDetail("name", "n"),
                PlaybackDetail("in", .object([PlaybackDetail("deep", .integer(3))])),
            ]
        )
        #expect(try message.milliseconds("at_ms") == .milliseconds(1500))
        #expect(try message.flag("on", or: false))
        #expect(try message.flag("absent", or: true))
        #expect(try message.optionalText("name") == "n")
        #expect(try message.object("in")["deep"] == .integer(3))
        #expect(try message.optionalNumber("absent", in: 0...1) == nil)
        #expect(throws: PlaybackRefusal.self) { try message.optionalNumber("name", in: 0...1) }
        #expect(throws: PlaybackRefusal.self) { try message.flag("name", or: true) }
        #expect(message.unknown.reason == .unknownInput)
    }
}
