import Testing
import WeirTesting

@Suite("SandboxPath")
struct SandboxPathTests {
    @Test("one answer lasts for ever")
    func forEver() {
        var path = SandboxPath(SandboxReply(status: 204))
        #expect((0..<3).map { path.answer(after: .seconds($0)).status } == [204, 204, 204])
    }

    @Test("without steps there is no path")
    func noSteps() {
        #expect(SandboxPath(steps: []) == nil)
    }

    @Test("a step answers as often as it says, the last one for ever")
    func times() throws {
        var path = try #require(
            SandboxPath(steps: [
                .init(SandboxReply(status: 500), times: 2), .init(SandboxReply(status: 204), times: 1),
                .init(SandboxReply(status: 200), times: 1),
            ])
        )
        #expect((0..<5).map { _ in path.answer(after: .zero).status } == [500, 500, 204, 200, 200])
    }

    @Test("a step's time has come, whatever stood before it")
    func after() throws {
        var path = try #require(
            SandboxPath(steps: [
                .init(SandboxReply(status: 500)), .init(SandboxReply(status: 503), after: .seconds(1)),
                .init(SandboxReply(status: 200), after: .seconds(3)),
            ])
        )
        let times: [Duration] = [.zero, .milliseconds(999), .seconds(1), .seconds(2), .seconds(3), .seconds(9)]
        #expect(times.map { path.answer(after: $0).status } == [500, 500, 503, 503, 200, 200])
    }

    @Test("a step that has been skipped by time does not come back")
    func skipped() throws {
        var path = try #require(
            SandboxPath(steps: [
                .init(SandboxReply(status: 500), times: 1), .init(SandboxReply(status: 503), times: 9),
                .init(SandboxReply(status: 200), after: .seconds(3)),
            ])
        )
        #expect(path.answer(after: .seconds(4)).status == 200)
        #expect(path.answer(after: .seconds(4)).status == 200)
    }

    @Test("an exhausted step waits for the next one's time")
    func waits() throws {
        var path = try #require(
            SandboxPath(steps: [
                .init(SandboxReply(status: 500), times: 1), .init(SandboxReply(status: 200), after: .seconds(3)),
            ])
        )
        #expect([0, 1, 3].map { path.answer(after: .seconds($0)).status } == [500, 500, 200])
    }
}
