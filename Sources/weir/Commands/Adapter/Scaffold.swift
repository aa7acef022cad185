internal import Glibc
internal import WeirTesting

/// Files to write for a new adapter, and what to tell about them.
struct Scaffold {
    /// One file.
    struct File {
        var path: String
        var text: String
        var isProgram = false
    }

    /// A change of a file that is there.
    struct Edit {
        var path: String
        var text: String
        /// What is added, for whoever looks.
        var added: String
    }

    /// Why nothing was written.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// The folder that must not be there yet.
    var folder: String
    var files: [File]
    var edits: [Edit] = []
    /// What the author has to add by hand: the file, and the text.
    var leftToDo: [(file: String, text: String)] = []
    /// The entry of `networks` in a configuration.
    var entry: String
    /// The commands that lead on.
    var next: [String]

    /// Writes everything, or nothing when the folder is there.
    ///
    /// - Throws: ``Failure``.
    func write() throws {
        guard access(folder, F_OK) != 0 else {
            throw Failure(description: "\(folder) is there already; nothing was written.")
        }
        for file in files {
            try Self.makeFolders(of: file.path)
            if let problem = weir.write(file.text, to: file.path) { throw Failure(description: problem) }
            if file.isProgram { chmod(file.path, 0o755) }
        }
        for edit in edits {
            if let problem = weir.write(edit.text, to: edit.path) { throw Failure(description: problem) }
        }
    }

    /// What to tell.
    var report: [String] {
        var lines = ["Written:"] + files.map { "  \($0.path)" }
        if !edits.isEmpty { lines += ["Changed:"] + edits.map { "  \($0.path): \($0.added)" } }
        for (file, text) in leftToDo { lines += ["", "Add to \(file):", ""] + indented(text) }
        lines += ["", "Add to \"networks\" of your configuration:", ""] + indented(entry)
        lines += ["", "Then:"] + next.map { "  " + $0 }
        return lines
    }

    private func indented(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }
    }

    private static func makeFolders(of path: String) throws {
        var end = path.startIndex
        while let slash = path[end...].dropFirst().firstIndex(of: "/") {
            let folder = String(path[..<slash])
            if mkdir(folder, 0o755) != 0, errno != EEXIST {
                throw Failure(description: "\(folder): \(String(cString: strerror(errno)))")
            }
            end = slash
        }
    }
}

/// A case file.
struct CaseText {
    var name: String
    var settings = ""
    var ask: String
    var expect: String
    var reply: String
    var outcome: String

    /// The file's text.
    var text: String {
        """
        {
          "name": "\(name)",\(settings.isEmpty ? "" : "\n  \"settings\": \(settings),")
          "ask": \(ask),
          "steps": [
            {
              "expect": \(expect),
              "reply": \(reply)
            }
          ],
          "outcome": \(outcome)
        }

        """
    }
}

/// The documents of scaffolded cases.
enum ScaffoldDocuments {
    /// An ad as VAST, as it stands in a JSON string.
    static func ad(_ name: AdapterName, media: String = "video/mp4", file: String = "ad.mp4") -> String {
        let size = media.hasPrefix("video") ? #" width=\"640\" height=\"360\""# : ""
        return
            #"<VAST version=\"4.2\"><Ad id=\"a-1\"><InLine><AdSystem>\#(name.title)</AdSystem><AdTitle>Hello</AdTitle>"#
            + #"<Impression>https://\#(name.kind).example/seen</Impression><Creatives><Creative><Linear><Duration>00:00:15"#
            + #"</Duration><MediaFiles><MediaFile delivery=\"progressive\" type=\"\#(media)\"\#(size)>"#
            + #"https://cdn.\#(name.kind).example/\#(file)</MediaFile></MediaFiles></Linear></Creative></Creatives>"#
            + #"</InLine></Ad></VAST>"#
    }
}
