import Glibc
import Testing

/// The public documents that the project was built against, outside of the repository.
enum Corpus {
    /// One line of `index.tsv`.
    struct Entry: Sendable, CustomTestStringConvertible {
        var file: String
        var kind: String
        var version: String
        var isWellFormed: Bool
        /// What the index says of its schema; `nil` when there is none or it cannot be parsed.
        var isSchemaValid: Bool?
        var counts: Counts
        var testDescription: String { file }
    }

    static let root: String? = {
        let given = getenv("WEIR_SHARED").map { String(cString: $0) }
        let path = given ?? String(#filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()) + "/../shared"
        return access(path + "/data/vast/index.tsv", R_OK) == 0 ? path : nil
    }()

    static let entries: [Entry] = {
        guard let root, let index = read(root + "/data/vast/index.tsv") else { return [] }
        return String(decoding: index, as: UTF8.self).split(separator: "\n").dropFirst().map { line in
            let field = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let number = field.map { Int($0) ?? 0 }
            return Entry(
                file: field[0],
                kind: field[1],
                version: field[3],
                isWellFormed: field[5] == "yes",
                isSchemaValid: field[6].hasPrefix("yes") ? true : field[6].hasPrefix("no") ? false : nil,
                counts: Counts(
                    ads: number[7],
                    inLines: number[8],
                    wrappers: number[9],
                    linears: number[10],
                    nonLinears: number[11],
                    companions: number[12],
                    adBreaks: number[13]
                )
            )
        }
    }()

    static func bytes(_ entry: Entry) -> [UInt8] { root.flatMap { read($0 + "/data/vast/" + entry.file) } ?? [] }
}

/// The whole file, or nil.
func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
}

/// The names of the files in a folder, sorted.
func fileNames(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
}
