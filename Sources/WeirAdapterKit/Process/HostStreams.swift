internal import Glibc
internal import WeirJSON
internal import WeirTime

/// The standard streams of an adapter's process: lines in, lines out.
///
/// `@unchecked Sendable`: the loop of ``ProcessAdapterHost/run()`` and the transport of a set-up, which that loop waits
/// for, take turns; nobody else has it.
final class HostStreams: @unchecked Sendable {
    /// Whose adapter this is, once the gateway has said so.
    private(set) var network = ""
    private var buffer: [UInt8] = []
    private var searched = 0

    /// The next message; `nil` at the end of the input.
    ///
    /// A line that is no message is passed over.
    func next() -> JSONValue? {
        while let line = nextLine() {
            let limits = JSONLimits(bytes: line.count, depth: 32)
            guard let message = try? JSONReader.read(line, limits: limits), message.object != nil else {
                Self.log("a message of the gateway cannot be read")
                continue
            }
            if let network = message["network"]?.string { self.network = network }
            return message
        }
        return nil
    }

    /// Writes one answer, whole.
    func answer(_ id: Int, _ content: AdapterAnswer.Content) {
        let line = AdapterAnswer(id: id, content: content).line
        line.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = write(STDOUT_FILENO, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
                if count < 0, errno != EINTR { return }
                sent += max(0, count)
            }
        }
    }

    /// Writes a line to the standard error, which is the adapter's log.
    static func log(_ line: String) {
        let bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private func nextLine() -> [UInt8]? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[..<end])
                buffer.removeSubrange(...end)
                searched = 0
                return line
            }
            searched = buffer.count
            let piece = [UInt8](unsafeUninitializedCapacity: 65_536) { space, count in
                var got: Int
                repeat { got = read(STDIN_FILENO, space.baseAddress, 65_536) } while got < 0 && errno == EINTR
                count = max(0, got)
            }
            if piece.isEmpty { return nil }
            buffer += piece
        }
    }
}
