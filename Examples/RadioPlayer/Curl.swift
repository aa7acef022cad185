import Glibc
import WeirVAST

/// The HTTP client of this example, the program curl; an application has one of its own.
enum Curl {
    /// Fetches a document.
    @Sendable
    static func fetch(_ request: FetchRequest) async -> FetchResult {
        let quoted = "'" + request.url.replacing("'", with: "%27") + "'"
        guard let pipe = popen("curl -sf --max-time 10 " + quoted, "r") else {
            return .failed(.network, message: "curl cannot be started.")
        }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&piece, 1, piece.count, pipe), count > 0, bytes.count < 1 << 20 {
            bytes += piece[..<count]
        }
        guard pclose(pipe) == 0 else { return .failed(.network, message: "The gateway did not answer.") }
        return bytes.isEmpty ? .empty : .document(bytes)
    }

    /// Calls a URL and forgets the answer.
    static func call(_ url: String) {
        guard let process = Child.start(["curl", "-s", "-o", "/dev/null", "--max-time", "5", url]) else { return }
        Task.detached { _ = await Child.end(of: process) }
    }
}
