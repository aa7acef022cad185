internal import Glibc

/// The process's own files and environment, for the program; tests hand in others.
package enum SystemFiles {
    /// Why a file cannot be read, in the system's words.
    package struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
        /// The words, without a full stop.
        package var description: String

        /// A problem in these words.
        package init(description: String) {
            self.description = description
        }
    }

    /// The environment variable called `name`.
    package static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Whether the file at `path` is a program that this process may run.
    package static func isExecutable(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    /// The bytes of the file at `path`.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The most bytes it may have.
    /// - Returns: All its bytes.
    /// - Throws: ``Problem`` when it cannot be read or is longer.
    package static func read(_ path: String, _ limit: Int) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Problem(errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            let count = try append(from: descriptor, to: &bytes)
            if count == 0 { return bytes }
            guard bytes.count <= limit else { throw Problem(description: "it is longer than \(limit) bytes") }
        }
    }

    private static func append(from descriptor: Int32, to bytes: inout [UInt8]) throws -> Int {
        let piece = 64 << 10
        let chunk = try [UInt8](unsafeUninitializedCapacity: piece) { buffer, count in
            var got: Int
            repeat { got = Glibc.read(descriptor, buffer.baseAddress, piece) } while got < 0 && errno == EINTR
            guard got >= 0 else { throw Problem(errno) }
            count = got
        }
        bytes += chunk
        return chunk.count
    }
}

extension SystemFiles.Problem {
    fileprivate init(_ code: Int32) {
        description = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
