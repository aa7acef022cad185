import Glibc

/// The public documents that the benchmark reads.
struct Corpus {
    let paths: [String]
    let documents: [[UInt8]]

    var bytes: Int { documents.reduce(0) { $0 + $1.count } }

    /// The well-formed documents that `index.tsv` in `folder` lists and of which xmllint does not complain.
    init?(folder: String) {
        guard let index = Self.read(folder + "/index.tsv") else { return nil }
        var paths: [String] = []
        for line in String(decoding: index, as: UTF8.self).split(separator: "\n").dropFirst() {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            if fields.count > 5, fields[5] == "yes" { paths.append(folder + "/" + fields[0]) }
        }
        paths.removeAll { !Xmllint.isSilent($0) }
        self.paths = paths
        documents = paths.compactMap(Self.read)
        guard !documents.isEmpty, documents.count == paths.count else { return nil }
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }
}
