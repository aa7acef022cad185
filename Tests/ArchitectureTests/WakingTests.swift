import Glibc
import Testing

/// Reads the sources for what `Lock` forbids: to wake somebody, or to cancel a task, while a lock is held.
@Suite("Waking under a lock")
struct WakingTests {
    @Test("nobody is woken, and no task cancelled, under a lock")
    func sources() throws {
        let root = #filePath.dropLast("/Tests/ArchitectureTests/WakingTests.swift".count)
        let files = try lines(of: "find '\(root)/Sources' '\(root)/Adapters' -name '*.swift'")
        #expect(files.count > 400)
        for file in files {
            let source = try lines(of: "cat '\(file)'")
            for number in wakings(source) { Issue.record("\(file):\(number): \(source[number - 1])") }
        }
    }

    @Test(
        "what is forbidden is found, and the rest is left alone",
        arguments: [
            ("state.withLock { state in\n    for bell in state.bells { bell.yield() }\n}", [2]),
            ("state.withLock { $0.task?.cancel() }", [1]),
            ("private func drop(_ state: inout State) {\n    state.task?.cancel()\n}\ntask.cancel()", [2]),
            ("state.withLock({ $0.task })?.cancel()", []),
            ("state.withLock { $0.task }?.cancel()", []),
            ("let bells = state.withLock { $0.bells }\nfor bell in bells { bell.yield() }", []),
            ("state.withLock { state in\n    // Nobody is woken here.\n    add { waiter.resume() }\n}", []),
        ]
    )
    func rule(_ source: String, _ numbers: [Int]) {
        #expect(wakings(source.split(separator: "\n").map(String.init)) == numbers)
    }

    private static let wakers = [".resume(", ".yield(", ".finish(", ".cancel(", ".ring("]

    /// The numbers of the lines that wake somebody inside of `withLock`, or of a function that is handed what a lock
    /// guards; a comment that says why nobody is woken makes them good.
    private func wakings(_ source: [String]) -> [Int] {
        var found: Set<Int> = []
        for (index, line) in source.enumerated() {
            for opening in ["withLock {", "withLock({", ": inout State"] {
                guard let range = line.firstRange(of: opening) else { continue }
                found.formUnion(wakings(in: source, from: index, line[range.lowerBound...]))
            }
        }
        return found.sorted()
    }

    private func wakings(in source: [String], from first: Int, _ start: Substring) -> [Int] {
        var found: [Int] = []
        var depth = 0
        for index in first..<source.count {
            let (body, isOver) = body(of: index == first ? start : source[index][...], &depth)
            let isExplained = source[max(0, index - 2)...index].contains { $0.contains("obody is woken here") }
            let calls = body.replacing("case .cancel(", with: "")
            if !isExplained, Self.wakers.contains(where: { calls.contains($0) }) { found.append(index + 1) }
            if isOver { break }
        }
        return found
    }

    /// What of a line is inside of braces, and whether the last of them closes in it.
    private func body(of line: Substring, _ depth: inout Int) -> (String, isOver: Bool) {
        var body = ""
        for character in line {
            if character == "{" { depth += 1 }
            if depth > 0 { body.append(character) }
            if character == "}" { depth -= 1 }
            if character == "}", depth == 0 { return (body, true) }
        }
        return (body, false)
    }

    private func lines(of command: String) throws -> [String] {
        let pipe = try #require(popen(command, "r"))
        defer { pclose(pipe) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { text += buffer[..<count] }
        return String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init).filter { !$0.isEmpty || !command.hasPrefix("find") }
    }
}
