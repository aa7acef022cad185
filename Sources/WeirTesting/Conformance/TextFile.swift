internal import Glibc

/// Files that tests and scripts read whole.
public enum TextFile {
    /// A file or folder that cannot be read.
    public struct Unreadable: Error, Sendable, CustomStringConvertible {
        /// The path and why.
        public var description: String
    }

    /// The largest file read.
    public static let largest = 16 << 20

    /// The bytes of a file.
    ///
    /// - Throws: ``Unreadable`` when there is none, or it is larger than ``largest``.
    public static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "rbe") else { throw Unreadable(description: "\(path): \(reason)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            bytes += piece[..<count]
            guard bytes.count <= largest else { throw Unreadable(description: "\(path): larger than \(largest) bytes") }
            if count == 0 { break }
        }
        guard ferror(file) == 0 else { throw Unreadable(description: "\(path): \(reason)") }
        return bytes
    }

    /// The names in a folder, sorted, without those that begin with a dot.
    public static func names(in folder: String) throws -> [String] {
        guard let directory = opendir(folder) else { throw Unreadable(description: "\(folder): \(reason)") }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { raw in
                String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
