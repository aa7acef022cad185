internal import Glibc

/// A file in the folder for temporary files, which a test takes away again.
public struct TemporaryFile: Sendable {
    /// Where it is.
    public let path: String

    /// Writes `text` to a new file.
    ///
    /// - Throws: `TextFile.Unreadable` when it cannot be written.
    public init(_ text: String) throws {
        var name = Array("/tmp/weir-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let bytes = Array(text.utf8)
        let written = descriptor < 0 ? -1 : write(descriptor, bytes, bytes.count)
        if descriptor >= 0 { close(descriptor) }
        guard written == bytes.count else { throw TextFile.Unreadable(description: "\(path): cannot be written") }
    }

    /// Puts another text in its place at once, as a careful program does.
    ///
    /// - Throws: `TextFile.Unreadable` when it cannot be written.
    public func replace(_ text: String) throws {
        let next = try TemporaryFile(text)
        guard rename(next.path, path) == 0 else {
            throw TextFile.Unreadable(description: "\(path): cannot be replaced")
        }
    }

    /// Takes it away.
    public func remove() {
        unlink(path)
    }
}
