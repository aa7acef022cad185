import Testing
import WeirJSON
import WeirTesting

/// A way in which a network is spoken to; each speaks to the same networks of the sandbox.
enum Carrier: String, CaseIterable, CustomTestStringConvertible {
    case inTree = "in-tree"
    case declared
    case process

    var testDescription: String { rawValue }

    /// The members of a network's entry that has `url` asked and takes the VAST that comes.
    ///
    /// - Parameters:
    ///   - url: An address; templates work but for a process.
    ///   - format: What it loads: `video` or `audio`.
    ///   - files: Keeps what the entry points at.
    /// - Returns: Members of an entry in `networks`.
    /// - Throws: When a file cannot be written.
    func network(_ url: String, format: String = "video", _ files: Files) throws -> [String: JSONValue] {
        switch self {
        case .inTree where format == "audio":
            return ["adapter": "instream-audio", "settings": ["sections_url": .string(url)]]
        case .inTree:
            return ["adapter": "vast", "settings": ["tag_url": .string(url)]]
        case .declared:
            let file = try files.add(["preset": "vast-tag", "formats": [.string(format)], "url": .string(url)])
            return ["adapter": "declared", "file": .string(file.path), "settings": [:]]
        case .process:
            return [
                "adapter": "process", "settings": [:],
                "command": ["sh", "-c", .string(Self.program), "adapter", .string(url), .string(format)],
            ]
        }
    }

    /// A program for the shell that has `$1` asked, loads `$2`, and offers whatever document comes.
    private static let program = #"""
        answer() { id=${line#*'"id":'}; id=${id%%[,\}]*}; printf '%s\n' "$1\"id\":$id,$2"; }
        read -r line; answer '{"type":"hello",' "\"api\":1,\"version\":\"1\",\"formats\":[\"$2\"]}"
        read -r line; answer '{"type":"ready",' '"done":null}'
        while read -r line; do case $line in
        *'"type":"make_requests"'*) answer '{"type":"requests",' "\"requests\":[{\"url\":\"$1\"}]}";;
        *'"type":"outcome"'*) body=${line#*'"body":"'}; body=${body%%'"}],"ask":'*}
        answer '{"type":"outcome",' "\"result\":\"fill\",\"offers\":[{\"vast\":\"$body\"}]}";;
        *'"type":"tear_down"'*) exit 0;;
        esac; done
        """#

    /// The files of one test.
    final class Files {
        private var files: [TemporaryFile] = []

        /// A file that stays until ``remove()``.
        func add(_ json: JSONValue) throws -> TemporaryFile {
            let file = try TemporaryFile(json.encodedText)
            files.append(file)
            return file
        }

        /// Takes them away.
        func remove() { for file in files { file.remove() } }
    }
}

/// A VAST document of one ad.
func smallAd(type: String = "video/mp4", seconds: Int = 10) -> String {
    "<VAST version=\"4.2\"><Ad id=\"1\"><InLine><AdSystem>x</AdSystem><AdTitle>x</AdTitle><Impression/><Creatives><Creative>"
        + "<Linear><Duration>00:00:\(seconds)</Duration><MediaFiles><MediaFile delivery=\"progressive\" type=\"\(type)\" "
        + "width=\"640\" height=\"360\">https://c.example/a</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine>"
        + "</Ad></VAST>"
}
