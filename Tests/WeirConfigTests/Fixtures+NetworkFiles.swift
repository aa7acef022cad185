import WeirConfig
import WeirJSON

/// Files of declared networks for tests.
enum NetworkFiles {
    /// What a file's complaints are, as `line:column: path: message hint`; warnings have their word before them.
    static func complaints(_ text: String, files: [String: String] = [:]) -> [String] {
        let file = reader(files).read(Array(text.utf8), file: "dir/n.json")
        return file.diagnostics.map {
            String($0.text.dropFirst("dir/n.json:".count)).replacing(" error:", with: "")
        }
    }

    static func reader(_ files: [String: String] = [:]) -> NetworkFileReader {
        NetworkFileReader(adapters: Fixtures.factories) { path, limit in
            guard let text = files[path] else { throw SystemFiles.Problem(description: "No such file or directory") }
            guard text.utf8.count <= limit else { throw SystemFiles.Problem(description: "it is too long") }
            return Array(text.utf8)
        }
    }
}
