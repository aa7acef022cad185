import Glibc
import Testing
import WeirTesting

/// Pages that are walked from their first line to their last, in an empty folder: what they have readers type is typed.
@Suite("Walked pages", .serialized)
struct WalkedPageTests {
    private static let root = String(#filePath.dropLast("/Tests/DocsTests/WalkedPageTests.swift".count))

    @Test("docs/add-a-network.md leads from nothing to green, by every way")
    func addANetwork() async throws {
        let count = try await walk("docs/add-a-network.md")
        #expect(count > 8)
    }

    /// Writes the files and runs the lines of a page; each line is a shell's, and must end well.
    ///
    /// - Returns: How many blocks were run.
    private func walk(_ page: String) async throws -> Int {
        let folder = try Folder()
        defer { folder.remove() }
        var count = 0
        for block in try MarkedBlock.all(in: String(decoding: try TextFile.read(Self.root + "/" + page), as: UTF8.self))
        {
            guard let mark = block.mark else { continue }
            if mark.hasPrefix("file: ") {
                try folder.write(String(mark.dropFirst("file: ".count)), block.text)
            } else if mark.hasPrefix("run: ") {
                let lines = block.text.split(separator: "\n").map(String.init)
                let wanted = mark.dropFirst("run: ".count).split(separator: "|", omittingEmptySubsequences: false)
                try #require(wanted.count == lines.count, "\(page): \(lines.count) lines, \(wanted.count) answers")
                for (line, text) in zip(lines, wanted) {
                    await run(line, String(text).trimmed, in: folder.path, page)
                }
            }
            count += 1
        }
        return count
    }

    private func run(_ line: String, _ wanted: String, in folder: String, _ page: String) async {
        do {
            let program = WeirProcess.binary
            let path = program[..<(program.lastIndex(of: "/") ?? program.startIndex)]
            let process = try WeirProcess(
                ["-c", "PATH=\"\(path):$PATH\"; \(line)"],
                program: "/bin/sh",
                directory: folder
            )
            let code = try await process.waitForExit(within: .seconds(120))
            #expect(code == 0, "\(page): \(line)\n\(process.output)\n\(process.errors)")
            #expect(process.output.contains(wanted), "\(page): \(line) prints no \(wanted)\n\(process.output)")
        } catch {
            Issue.record("\(page): \(line): \(error)")
        }
    }
}

/// A fenced block and the comment right above it.
private struct MarkedBlock {
    var mark: String?
    var text: String

    static func all(in page: String) throws -> [MarkedBlock] {
        var blocks: [MarkedBlock] = []
        var open: MarkedBlock?
        var last = ""
        for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let block = open {
                    blocks.append(block)
                    open = nil
                } else {
                    let mark = last.hasPrefix("<!-- ") ? String(last.dropFirst(5).dropLast(4)) : nil
                    open = MarkedBlock(mark: mark, text: "")
                }
            } else {
                open?.text += line + "\n"
            }
            if !line.isEmpty { last = String(line) }
        }
        return blocks
    }
}

/// A folder in the folder for temporary files.
private struct Folder {
    let path: String

    init() throws {
        var name = Array("/tmp/weir-docs-XXXXXX".utf8CString)
        try #require(mkdtemp(&name) != nil)
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func write(_ name: String, _ text: String) throws {
        let file = try #require(fopen(path + "/" + name, "we"), "\(name): its folder is not there")
        fputs(text, file)
        fclose(file)
    }

    func remove() {
        if let shell = popen("rm -r '\(path)'", "r") { pclose(shell) }
    }
}

extension String {
    /// Without blanks at either end.
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
